/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --races=yes: memory that the target's threads allocate in PM. */
#ifndef RECORDER_ALLOCATORS_H
#define RECORDER_ALLOCATORS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

void pc_allocators_init(void);
/* A thread is over, or a new one has its number. */
void pc_allocators_forget_thread(ThreadId tid);

/* The number of the function of libpmemobj of that name, if it allocates; else -1. */
Int pc_allocator_function(const HChar *name);

/* At the entry of such a function; of one of --allocator; and at a place that one returns to. */
void pc_on_allocator_entered(const VexGuestAMD64State *guest, UWord function);
void pc_on_own_allocator_entered(const VexGuestAMD64State *guest, ULong set);
void pc_on_allocator_returned(const VexGuestAMD64State *guest, Addr here);

#endif
