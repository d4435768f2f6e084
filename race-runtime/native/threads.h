/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime knows of a thread of the program. */
#ifndef RACE_THREADS_H
#define RACE_THREADS_H

#include "clocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS 4096 /* threads that are alive or not yet joined */
#define MOST_FRAMES 4096 /* deeper ones are not shown */
#define MOST_LOCKS 64 /* held at once; more are not known */
#define STACK_CACHE 1024
#define LONE_LOCKS 256 /* whose sets a thread remembers */

enum lock_mode { LOCK_EXCLUSIVE = 1, LOCK_SHARED = 2 };

struct held {
	uintptr_t lock;
	enum lock_mode mode;
	uint32_t times; /* a recursive lock */
	uint32_t where; /* stack of the acquisition */
};

/* The set of one lock alone. */
struct lone_lock {
	uintptr_t lock;
	enum lock_mode mode;
	uint32_t set;
};

struct frame {
	uintptr_t sp;
	uintptr_t pc;
	uint32_t node; /* 0 = not yet known */
};

struct known_node {
	uintptr_t pc;
	uint32_t parent;
	uint32_t node;
};

struct kard_thread;
struct own_bytes;

struct thread {
	/* What each access needs is in the first two cache lines. */
	unsigned slot;
	union {
		volatile uint32_t closed; /* 0: hooks of accesses may take their short way (owned.h) */
		struct {
			volatile uint16_t inside; /* > 0: the runtime works for it; what it does now is not the program's doing */
			volatile bool unowned; /* no page has an owner now */
			bool lockset_stale;
		};
	};
	uint32_t segment; /* the one it is in: clock.segments[slot] */
	uint16_t owns; /* slot + 1: pages with this number are its own (shadow.h) */
	uint32_t lockset; /* valid unless stale */
	uint32_t use; /* the slot, as cells have it */
	uint32_t beyond; /* frames above MOST_FRAMES */
	uint64_t known; /* the tag of what it uses and writes now (known.h) */
	_Atomic uintptr_t busy; /* in the page that it owns and is about to change the shadow of; 0 = none (shadow.h) */
	volatile uintptr_t hook; /* the frame address of the hook of an access that it is in; 0 = none */
	_Atomic uint64_t *volatile taken; /* the granule that it has locked there; NULL = none */
	_Atomic uint64_t *volatile wanted; /* the one that it sets out to lock, until it is given back */
	_Atomic uint16_t *volatile sharing; /* the last page that it set out to share */
	struct frame *top; /* of its stack; frames when it has none */
	struct frame *frames; /* the first one is none: it has no place */
	struct known_node *cache;
	uintptr_t stack_low, stack_high;
	uint32_t number; /* in order of creation, the main thread is 0 */
	uint32_t parent;
	uint32_t created; /* stack */
	struct clock clock;
	struct clock acquired; /* what an acquire fence would acquire */
	struct clock released; /* what a release fence released */
	bool has_acquired, has_released;
	unsigned held_count;
	struct held held[MOST_LOCKS];
	struct lone_lock lone_locks[LONE_LOCKS];
	uint32_t turn; /* which cell is given up next */
	uint64_t noise; /* state of its random numbers */
	unsigned pauses;
	struct kard_thread *kard;
	unsigned sections; /* of KARD, that it is in */
	uint64_t tag; /* in the place that pointers have for it; 0 = none */
	struct own_bytes *own; /* what it is known to do to granules that have the tag */
	uintptr_t *granted; /* those granules */
	unsigned granted_count;
	uint16_t keys_read, keys_written; /* that its critical section has used, a bit for each */
	volatile unsigned gates; /* > 0: all memory is open to it */
	volatile char calls_wait; /* system calls come to the runtime first */
	void *(*body)(void *);
	void *argument;
	pthread_t handle;
	bool detached, finished;
	unsigned endings;
	struct thread *next; /* all that exist */
};

extern __thread struct thread *self __attribute__((tls_model("initial-exec")));

/* Whether two threads may run, or one has run that nothing ordered before this moment. */
extern atomic_bool several;

/* The calling thread when its doings are to be watched, else NULL. */
static inline struct thread *watched(void)
{
	struct thread *me = self;
	return me != NULL && (me->inside | me->hook) == 0 ? me : NULL;
}

/* The hook of an access with this frame address, and its end. What jumps out of it (thread_jumps) ends it, too. */
static inline void hook_begin(struct thread *me, uintptr_t sp)
{
	me->hook = sp;
	me->inside = 1;
}

static inline void hook_end(struct thread *me)
{
	me->inside = 0;
	me->hook = 0;
}

/* A handler that the thread is in jumps to this place of the stack, perhaps out of a hook that it interrupted. */
void thread_jumps(struct thread *me, uintptr_t sp);

/* Of the function that this is in: where its caller's frame ends. Unlike a frame pointer it costs nothing. */
static inline __attribute__((always_inline)) uintptr_t frame_address(void)
{
	return (uintptr_t)__builtin_dwarf_cfa();
}

void threads_start(void);
/* For a thread that is about to be created; NULL when there are too many. */
struct thread *thread_new(struct thread *parent, uint32_t created);
/* It could not be created. */
void thread_never(struct thread *thread);
/* In the new thread. */
void thread_begin(struct thread *thread);
/* The latest thread of a slot. */
struct thread *thread_in(unsigned slot);
/* In the thread, when its last destructor has run. */
void thread_end(struct thread *thread);
void thread_created(struct thread *thread, pthread_t handle, bool detached);
struct thread *thread_of(pthread_t handle);
void thread_detached(struct thread *thread);
void thread_joined(struct thread *me, struct thread *thread);
/* The thread of a slot that was in this segment. */
void thread_facts(unsigned slot, uint32_t segment, uint32_t *number, uint32_t *parent, uint32_t *created);
/* The thread whose stack holds an address: -1 = none. */
long thread_with_stack(uintptr_t address);
void threads_after_fork(struct thread *me);

/* Ends a segment: what the thread did happened before whoever acquires what it now releases. */
void thread_next_segment(struct thread *me);

#endif
