/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules as files: written while they run (--schedule-out), and read to be followed (--schedule-in).
 *
 * The option names the beginning of the files' names. A process with more than one thread has a file of its own; its
 * name ends with the process's number: "-1" is the first process of the execution, "-1.2" the second child of that,
 * "-1e" the program that the first process went on with through exec. A file is text:
 *
 *     powercut schedule 1 POLICY seed SEED quantum BLOCKS [hold ...as --hold has it]
 *     THREAD BLOCKS END CALL        a turn: which thread, how many blocks of code, why it ended, in which system call
 *     end BLOCKS                    the process ended, or went on with another program; blocks of all turns together
 *
 * END: q its slice was over, s it slept in a system call, y it yielded, p it paused, x it exited, e the process ended. CALL is 0 but for s.
 * Threads are numbered as Valgrind does; numbers of threads that are gone are used again. A file without its last line
 * is that of a process that was killed.
 */
#ifndef RECORDER_SCHEDULE_LOG_H
#define RECORDER_SCHEDULE_LOG_H

#include "pub_tool_basics.h"

#include "policy.h"

typedef struct {
	ThreadId tid;
	ULong blocks;
	TurnEnd end;
	UInt call;
} Turn;

/* At the start: checks what can be known then, and reads the policy of a schedule to be followed. */
void pc_log_init(void);
/* This process gets a second thread. */
void pc_log_open(void);
/* The turn as it should be that is next, or runs; NULL when no schedule is followed, or its file ended early. */
const Turn *pc_log_turn(void);
/* A turn is over. If it is not the one that was to be followed, the execution ends with an error. */
void pc_log_turn_ends(const Turn *turn);
void pc_log_ends(ULong blocks);
/* From here on nothing recorded is followed. */
void pc_log_stops(void);
/* Whether the schedule that is followed was written with a hold, which is in it. */
Bool pc_log_has_hold(void);
/* Ends the execution: the recorded schedule cannot be followed. */
void pc_log_differs(const HChar *format, ...) __attribute__((noreturn)) PRINTF_CHECK(1, 2);
void pc_log_before_fork(void);
void pc_log_after_fork_in_child(void);
void pc_log_before_exec(void);

#endif
