/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --synchronise=..., --allocator=...: the target's own functions that acquire and release locks, or allocate. */
#ifndef RECORDER_DECLARED_H
#define RECORDER_DECLARED_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

/* Those that the command line names have numbers from 0 on. A set of them is a word of bits. */
#define MAX_DECLARED 64
#define ARGUMENTS 6

/* False: that is no declaration, or one too many. */
Bool pc_declare(const HChar *text);
Bool pc_declare_allocator(const HChar *text);

/* The set of those whose function begins at this address. */
ULong pc_declared_at(Addr address);

/* A call of one: its arguments, and what it returned. */
typedef struct {
	UWord arguments[ARGUMENTS];
	UWord result;
} DeclaredCall;
DeclaredCall pc_declared_call(const VexGuestAMD64State *guest);

/* The set of those that allocate; the others are about locks. */
ULong pc_declared_allocators(void);

Bool pc_declared_acquires(UInt declared);
/* enum powercut_lock_kind's POWERCUT_SHARED or 0. */
UInt pc_declared_mode(UInt declared);
/* Which lock it is; 0 = none, or not known. */
Addr pc_declared_lock(UInt declared, const DeclaredCall *call);
/* After its return: whether it did what it is there for. */
Bool pc_declared_succeeded(UInt declared, const DeclaredCall *call);

/* At its entry: where the memory is that it may move; 0 = none. */
Addr pc_declared_old(UInt declared, const DeclaredCall *call);
/* After its return: where what it allocated begins, and how large it is; 0 = it allocated nothing. */
Addr pc_declared_allocated(UInt declared, const DeclaredCall *call, SizeT *size);

void pc_declared_entered(ULong set);
void pc_declared_took(UInt declared);

#endif
