/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMTRace on Arm's memory tagging. A granule carries the tag of the thread that had it last, and a hook loads from it
 * through an alias of the address that has the calling thread's tag (algorithm 2's dummy load). The processor compares
 * the two. If they match, nobody else came since, and what this thread did before in this segment needs no second look.
 */
#ifndef RACE_TAGS_H
#define RACE_TAGS_H

#include "detector.h"

#ifdef __aarch64__

extern bool with_tags;

/* Returns why there is no memory tagging; NULL = it is on. */
const char *tags_start(void);
/* Makes memory taggable: of anonymous mappings; of a file of code, whose variables move to such a mapping. */
void tags_enable(uintptr_t address, size_t size);
void tags_enable_module(uintptr_t low, uintptr_t high);
/* Memory that cannot be tagged: its accesses all go to the algorithm. */
void tags_never(uintptr_t address, size_t size);
void tags_thread_begin(struct thread *me);
void tags_thread_end(struct thread *me);
/* A handler that the kernel began jumps: what it jumps to goes on without tags that are compared. */
void tags_jump(void);

/* These bytes of a granule, for this kind of access, need no look until the segment ends or another thread comes. */
void tags_grant(struct thread *me, uintptr_t address, unsigned bytes, unsigned kind);
void tags_revoke(uintptr_t address);
void tags_revoke_all(struct thread *me);
void tags_revoke_range(struct thread *me, uintptr_t address, size_t size);

/* Whether the processor knows that this access needs no look. */
bool tags_fit(const struct thread *me, uintptr_t address, size_t size, unsigned kind);

#else

#define with_tags false

static inline const char *tags_start(void)
{
	return "memory tagging is a feature of AArch64; remedy: compile with POWERCUT_CC=aarch64-linux-gnu-gcc in the "
		   "environment (apt-get install gcc-aarch64-linux-gnu qemu-user)";
}

#define tags_enable(address, size) ((void)0)
#define tags_enable_module(low, high) ((void)0)
#define tags_never(address, size) ((void)0)
#define tags_thread_begin(me) ((void)0)
#define tags_thread_end(me) ((void)0)
#define tags_jump() ((void)0)
#define tags_grant(me, address, bytes, kind) ((void)0)
#define tags_revoke(address) ((void)0)
#define tags_revoke_all(me) ((void)0)
#define tags_revoke_range(me, address, size) ((void)0)
#define tags_fit(me, address, size, kind) false

#endif

#endif
