/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --races=yes: what threads load from PM, for the analyses of persistency-induced races. */
#ifndef RECORDER_LOADS_H
#define RECORDER_LOADS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

void pc_loads_init(void);

/* Loads are recorded from the second thread on. Asked when code is translated. */
extern Bool pc_loads_recorded;
void pc_loads_second_thread(void);
/* A second process counts like a thread, if both have PM: this one maps some, forks, ends, or calls the kernel. */
void pc_loads_mapped(void);
void pc_loads_before_fork(void);
void pc_loads_process_ends(void);
void pc_loads_follow_others(void);

/* Before a load that may be from PM. `what` is size << LOAD_SIZE_SHIFT | flags << LOAD_FLAGS_SHIFT | site. */
void pc_on_load(const VexGuestAMD64State *guest, Addr address, UWord what);
#define LOAD_FLAGS_SHIFT 32
#define LOAD_SIZE_SHIFT 40

/* A system call reads that memory. */
void pc_kernel_load(ThreadId tid, Addr address, SizeT size);

/* A thread stored there. Other threads' next loads of it are new. Lock held. */
void pc_loads_stored(ThreadId tid, UInt file, ULong offset, ULong size);
/* A thread synchronised: its next loads are new. */
void pc_loads_synchronised(ThreadId tid);
void pc_loads_thread_starts(ThreadId tid);

#endif
