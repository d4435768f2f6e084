/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow.h"

#include "pages.h"
#include "tags.h"
#include "threads.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define LARGE (1 << 14) /* bytes whose shadow is cheaper to give back */
#define NOBODY 0 /* else an owner is a thread's slot + 1 */
#define TRIES 64 /* before others may run */
#define TRIES_OF_CHILD 1000 /* then the thread that has it is taken for one of the parent process */
#define BEING_SHARED (SHADOW_SHARED - 1)
#define SHADOW_SIZE \
	(SHADOW_CHUNK + SHADOW_CHUNK / GRANULE * sizeof(struct granule) + SHADOW_CHUNK / SHADOW_PAGE * sizeof(uint16_t))

_Atomic uintptr_t shadow_words[SHADOW_CHUNKS];
bool shadow_owned;
static bool is_child;

static bool barrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

void shadow_start(void)
{
	/* A huge page would take 2 MiB for each entry. */
	madvise((void *)(((uintptr_t)shadow_words + PAGE - 1) & ~(uintptr_t)(PAGE - 1)), sizeof shadow_words - PAGE,
			MADV_NOHUGEPAGE);
	shadow_owned = !with_tags && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

uintptr_t shadow_new_chunk(size_t index)
{
	uintptr_t memory = (uintptr_t)pages_reserve(SHADOW_SIZE), there = 0;
	uintptr_t base = memory - (index << SHADOW_CHUNK_BITS);
	if (atomic_compare_exchange_strong(&shadow_words[index], &there, base))
		return base;
	pages_return((void *)memory, SHADOW_SIZE);
	return there;
}

static void wait_until_shared(_Atomic uint16_t *owner)
{
	for (unsigned tries = 0; atomic_load_explicit(owner, memory_order_acquire) == BEING_SHARED; tries++) {
		sched_yield();
		if (is_child && tries > TRIES_OF_CHILD)
			atomic_store_explicit(owner, SHADOW_SHARED, memory_order_release);
	}
}

static bool is_busy_in(const struct thread *thread, uintptr_t address)
{
	uintptr_t busy = atomic_load_explicit(&thread->busy, memory_order_acquire);
	return busy != 0 && busy / SHADOW_PAGE == address / SHADOW_PAGE;
}

/*
 * The owner says which page it is about to change, and looks once more whether it owns it, without a barrier between the
 * two. So all processors get one here (membarrier(2)): then the owner has seen this, or is seen to be busy.
 */
static void share(_Atomic uint16_t *owner, uint16_t before, uintptr_t address)
{
	if (!atomic_compare_exchange_strong(owner, &before, BEING_SHARED)) {
		wait_until_shared(owner);
		return;
	}
	barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	const struct thread *thread = thread_in(before - 1u);
	while (is_busy_in(thread, address))
		sched_yield();
	atomic_store_explicit(owner, SHADOW_SHARED, memory_order_release);
}

bool shadow_becomes_mine(struct thread *me, _Atomic uint16_t *owner, uintptr_t address)
{
	uint16_t now = atomic_load_explicit(owner, memory_order_acquire), mine = me->owns;
	if (now == SHADOW_SHARED)
		return false;
	if (now == NOBODY && atomic_compare_exchange_strong(owner, &now, mine))
		return true;
	if (now == BEING_SHARED) {
		wait_until_shared(owner);
	} else if (now != mine && now != SHADOW_SHARED) {
		me->sharing = owner;
		share(owner, now, address);
	}
	return now == mine;
}

void shadow_wait(_Atomic uint64_t *word)
{
	for (unsigned tries = 0; (atomic_fetch_or(word, SHADOW_LOCKED) & SHADOW_LOCKED) != 0; tries++) {
		if (tries > TRIES)
			sched_yield();
		if (is_child && tries > TRIES_OF_CHILD)
			return;
	}
}

static void clear(uintptr_t from, uintptr_t to)
{
	uintptr_t inner = (from + PAGE - 1) & ~(uintptr_t)(PAGE - 1), end = to & ~(uintptr_t)(PAGE - 1);
	memset((void *)from, 0, inner - from);
	madvise((void *)inner, end - inner, MADV_DONTNEED);
	memset((void *)end, 0, to - end);
}

/* Within a chunk, at bounds of granules. */
static void clear_part(uintptr_t base, uintptr_t from, uintptr_t to)
{
	struct shadow first = shadow_in(base, from);
	size_t count = (to - from) / GRANULE;
	if (to - from < LARGE) {
		for (size_t i = 0; i < count; i++) {
			atomic_store_explicit(&first.words[i * 2], 0, memory_order_relaxed);
			atomic_store_explicit(&first.words[i * 2 + 1], 0, memory_order_relaxed);
			first.granule[i].uses = (cells){0};
		}
		return;
	}
	clear((uintptr_t)first.words, (uintptr_t)(first.words + count * (GRANULE / WORD)));
	clear((uintptr_t)first.granule, (uintptr_t)(first.granule + count));
}

static void give_up_pages(uintptr_t base, uintptr_t from, uintptr_t to)
{
	for (uintptr_t page = (from + SHADOW_PAGE - 1) & ~(uintptr_t)(SHADOW_PAGE - 1); page + SHADOW_PAGE <= to;
			page += SHADOW_PAGE)
		atomic_store_explicit(shadow_in(base, page).owner, NOBODY, memory_order_relaxed);
}

static void each_part(uintptr_t address, size_t size, void (*action)(uintptr_t base, uintptr_t from, uintptr_t to))
{
	uintptr_t from = address & ~(uintptr_t)(GRANULE - 1);
	uintptr_t to = (address + size + GRANULE - 1) & ~(uintptr_t)(GRANULE - 1);
	while (from < to && from >> SHADOW_CHUNK_BITS < SHADOW_CHUNKS) {
		uintptr_t end = (from & ~(SHADOW_CHUNK - 1)) + SHADOW_CHUNK;
		if (end > to)
			end = to;
		uintptr_t base = atomic_load_explicit(&shadow_words[from >> SHADOW_CHUNK_BITS], memory_order_acquire);
		if (base != 0)
			action(base, from, end);
		from = end;
	}
}

void shadow_clear(uintptr_t address, size_t size)
{
	each_part(address, size, clear_part);
}

void shadow_clear_stack(uintptr_t low, uintptr_t high)
{
	shadow_clear(low, high - low);
	each_part(low, high - low, give_up_pages);
}

void shadow_after_fork(void)
{
	is_child = true;
	shadow_owned = shadow_owned && barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

/*
 * What it wanted may have been another thread's, which does not exist here either. A fork copies memory page by page while
 * others run, so a lock may be here that they took meanwhile: the few of those are waited for in vain (TRIES_OF_CHILD).
 */
void shadow_end_of(const struct thread *thread, const struct thread *me)
{
	_Atomic uint64_t *word = thread->wanted;
	if (word != NULL && (me == NULL || word != me->taken))
		atomic_fetch_and(word, ~SHADOW_LOCKED);
	uint16_t being_shared = BEING_SHARED;
	if (thread->sharing != NULL && (me == NULL || thread->sharing != me->sharing))
		atomic_compare_exchange_strong(thread->sharing, &being_shared, SHADOW_SHARED);
}
