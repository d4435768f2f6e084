/* SPDX-License-Identifier: Apache-2.0 */
/* Faults by which a processor tells of accesses. The program's own handlers and masks of these signals come after them. */
#ifndef RACE_SIGNALS_H
#define RACE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Returns whether the fault was the runtime's; what the context holds then goes on. */
typedef bool fault_handler(const siginfo_t *info, ucontext_t *context);

/* Of SIGSEGV; and if they are not NULL, of SIGTRAP after single steps, and of SIGSYS at system calls. */
void signals_start(fault_handler *on_fault, fault_handler *on_trap, fault_handler *on_call);

#endif
