/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --races=yes: what the target's threads do to synchronise. */
#ifndef RECORDER_LOCKS_H
#define RECORDER_LOCKS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

void pc_locks_init(void);

/* The number of the function of that name, if it synchronises; else -1. */
Int pc_lock_function(const HChar *name);
/* Whether such a function returns to this address. */
Bool pc_lock_returns_to(Addr address);

/* At the entry of such a function, with its first two arguments, and at a place that one returns to. */
void pc_on_lock_entered(VexGuestAMD64State *guest, UWord function, UWord first, UWord second, UWord site);
void pc_on_lock_returned(VexGuestAMD64State *guest, Addr here, UWord result);

#endif
