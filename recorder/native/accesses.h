/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --accesses=all: what threads load and store in any memory. */
#ifndef RECORDER_ACCESSES_H
#define RECORDER_ACCESSES_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

#include "sites.h"

void pc_accesses_init(void);
/* Whether code at a place is instrumented now: the target's own, as soon as there are two threads. */
Bool pc_accesses_wanted(SiteIndex site);
/* Its stack is new memory. */
void pc_accesses_thread_starts(ThreadId tid);
/* A thread synchronised, so what is accessed from now on may be ordered otherwise. */
void pc_accesses_synchronised(void);

/* Before an access; `what` is size << ACCESS_SIZE_SHIFT | flags << ACCESS_FLAGS_SHIFT | site. */
#define ACCESS_FLAGS_SHIFT 32
#define ACCESS_SIZE_SHIFT 40
void pc_on_access(const VexGuestAMD64State *guest, Addr address, UWord what);

/* The number of the C library's function of that name, if it allocates memory; else -1. */
Int pc_block_function(const HChar *name);
/* At the entry of such a function, and at a place that one returns to. */
void pc_on_block_entered(const VexGuestAMD64State *guest, UWord function);
void pc_on_block_returned(const VexGuestAMD64State *guest, Addr here);

#endif
