/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KARD on protection keys of x86 processors (sections 5.2 to 5.5). An object has pages of its own, its pages have a key,
 * and a thread may use the pages whose keys it has. What it may not do is a fault, which tells the algorithm of the
 * access. An access that still is not allowed then is made alone, as a single step.
 */
#ifndef RACE_KEYS_H
#define RACE_KEYS_H

#include "threads.h"

/* 1 to 13 are those of objects; 0 is that of everything else. */
#define KEYS_OF_OBJECTS 13
#define KEY_READ_ONLY 14
#define KEY_NOT_ACCESSED 15

#ifdef __x86_64__

extern bool with_keys;

/* Returns why there are none; NULL = they are on. */
const char *keys_start(void);
/* All memory, for what the runtime, the kernel and the C library do; these nest. */
void keys_open(void);
void keys_close(void);
void keys_thread_begin(struct thread *me);
void keys_thread_end(struct thread *me);
void keys_before_fork(void);
void keys_after_fork_in_parent(void);
void keys_after_fork_in_child(struct thread *me);
/* It entered or left a critical section: what it was allowed before is looked at again. */
void keys_section(struct thread *me);
/* Pages of an object. */
void keys_protect(uintptr_t address, size_t size, unsigned key);

/* Blocks on pages of their own; NULL = there is no room for more of them. */
void *keys_allocate(size_t size, size_t alignment);
/* Whether a block is one of them. */
bool keys_has(const void *block);
/* The size that was asked for. */
size_t keys_size(const void *block);
void keys_free(void *block);
/* Variables of a file of code that have pages of their own. */
void keys_module(int module);

#else

#define with_keys false

static inline const char *keys_start(void)
{
	return "protection keys are a feature of x86";
}

#define keys_open() ((void)0)
#define keys_close() ((void)0)
#define keys_thread_begin(me) ((void)0)
#define keys_thread_end(me) ((void)0)
#define keys_before_fork() ((void)0)
#define keys_after_fork_in_parent() ((void)0)
#define keys_after_fork_in_child(me) ((void)0)
#define keys_section(me) ((void)0)
#define keys_protect(address, size, key) ((void)0)
#define keys_allocate(size, alignment) NULL
#define keys_has(block) false
#define keys_size(block) 0
#define keys_free(block) ((void)0)
#define keys_module(module) ((void)0)

#endif

/* A call of a library whose accesses are not the program's. */
#define KEYS_OPEN(call) \
	({ \
		keys_open(); \
		typeof(call) keys_result = (call); \
		keys_close(); \
		keys_result; \
	})

#endif
