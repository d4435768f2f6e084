/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --races=yes: what the target's threads do to synchronise. */
#ifndef RECORDER_LOCKS_H
#define RECORDER_LOCKS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

#include "sites.h"

void pc_locks_init(void);
/* A thread is over, or a new one has its number. */
void pc_locks_forget_thread(ThreadId tid);

/* The number of the function of that name, if it synchronises; else -1. */
Int pc_lock_function(const HChar *name);

/* At the entry of such a function, with its first two arguments, and at a place that one returns to. */
void pc_on_lock_entered(VexGuestAMD64State *guest, UWord function, UWord first, UWord second, UWord site);
/* At the entry of functions of --synchronise. */
void pc_on_declared_entered(VexGuestAMD64State *guest, ULong set, UWord site);
void pc_on_lock_returned(VexGuestAMD64State *guest, Addr here, UWord result);

/* Whether the running thread is in such a function, whose own steps do not count. */
Bool pc_in_lock_function(const VexGuestAMD64State *guest);
/* Writes an ACQUIRE or a RELEASE of a thread. */
void pc_lock_record(const VexGuestAMD64State *guest, ThreadId tid, UInt kind, UInt what, UInt mode, Addr object,
		SiteIndex site);

#endif
