/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the shadow registers of a thread hold. Valgrind keeps a second register file for tools; inlined code uses it for
 * the shadow stack (stacks.c) and for the range that holds all PM (mappings.c).
 */
#ifndef RECORDER_SHADOW_H
#define RECORDER_SHADOW_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

/* One call that has not returned. */
typedef struct {
	Addr sp; /* where the return address lies */
	Addr return_address;
	ULong hash; /* over this and all outer entries */
} ShadowEntry;

typedef struct {
	ShadowEntry *top;
	ShadowEntry *limit; /* a push at or above it takes the slow path */
} ShadowStack;

/* Around all PM mappings; length 0 = there is none. */
typedef struct {
	Addr start;
	ULong length;
} Hull;

#define SHADOW_OFFSET_TOP (sizeof(VexGuestAMD64State))
#define SHADOW_OFFSET_LIMIT (SHADOW_OFFSET_TOP + sizeof(ShadowEntry *))
#define SHADOW_OFFSET_HULL (SHADOW_OFFSET_TOP + sizeof(ShadowStack))

#endif
