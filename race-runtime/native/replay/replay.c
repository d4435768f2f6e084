/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The detectors on a trace of the recorder (--races=yes --accesses=all), for programs that cannot be compiled anew.
 *
 * A program's code does not say which plain loads and stores are atomic. Memory that a locked instruction was used on
 * is atomic from then on; other pairs of accesses are only suspected (main.c). The library of OpenMP is taken to be
 * correct, so all that it does with memory orders its threads.
 */
#include "replay.h"

#include "../detector.h"
#include "../kard.h"
#include "../locksets.h"
#include "../objects.h"
#include "../report.h"
#include "../shadow.h"
#include "../stacks.h"
#include "../syncs.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (1u << 20) /* memory used by locked instructions, by hash */
#define UNIT 4 /* bytes of such memory that are told apart */

static struct thread *threads[UINT16_MAX + 1];
static uintptr_t words[WORDS];
static uint32_t process; /* the one that is replayed */
static bool foreign[UINT16_MAX + 1]; /* threads of others */
static bool others;
static bool is_relaxed;

static struct thread *start(unsigned number, struct thread *parent)
{
	struct thread *thread = thread_new(parent, STACK_NONE);
	if (thread == NULL) {
		report_limit("too many threads at once: those beyond the limit are not watched");
		foreign[number] = true;
		return NULL;
	}
	threads[number] = thread;
	if (parent != NULL)
		thread_next_segment(parent);
	return thread;
}

static struct thread *thread_in_trace(unsigned number)
{
	if (foreign[number])
		return NULL;
	return threads[number] != NULL ? threads[number] : start(number, NULL);
}

static void on_thread(const struct thread_event *event)
{
	struct thread *me = thread_in_trace(event->record.thread);
	if (event->pid != process) {
		foreign[event->thread & UINT16_MAX] = true;
		if (!others)
			report_limit("several processes: only the first one is watched");
		others = true;
		return;
	}
	if (me == NULL)
		return;
	struct thread *other = threads[event->thread & UINT16_MAX];
	switch (event->record.kind) {
	case THREAD_START: start(event->thread & UINT16_MAX, me); break;
	case THREAD_EXIT: break;
	default:
		if (other != NULL && other != me) {
			thread_joined(me, other);
			threads[event->thread & UINT16_MAX] = NULL;
		}
	}
}

void replay_start(void)
{
	const char *relaxed = getenv("POWERCUT_RACE_RELAXED");
	is_relaxed = relaxed != NULL && strcmp(relaxed, "1") == 0;
}

static uintptr_t *word_at(uintptr_t unit)
{
	return &words[(unit * 0x9e3779b97f4a7c15u >> 40) % WORDS];
}

static bool is_word(uintptr_t address, size_t size)
{
	for (uintptr_t unit = address / UNIT; unit <= (address + size - 1) / UNIT; unit++)
		if (*word_at(unit) == unit)
			return true;
	return false;
}

/* What was done to it before was atomic, too. */
static void becomes_word(struct thread *me, uintptr_t address, size_t size)
{
	for (uintptr_t unit = address / UNIT; unit <= (address + size - 1) / UNIT; unit++)
		if (*word_at(unit) != unit) {
			*word_at(unit) = unit;
			hmtrace_forget(me, unit * UNIT, UNIT);
		}
}

static void order(struct thread *me, uintptr_t address, bool locked, bool stores)
{
	const void *object = (const void *)(address / 8 * 8);
	if (locked || !stores)
		sync_acquire(me, object);
	if (stores)
		sync_release(me, object);
}

static void on_access(struct thread *me, const struct memory_event *event)
{
	if (event->size == 0)
		return;
	bool locked = (event->record.flags & ACCESS_FLAG_LOCKED) != 0,
		 stores = (event->record.flags & ACCESS_FLAG_STORE) != 0;
	if (only_orders(event->site)) {
		order(me, event->address, locked, stores);
		return;
	}
	if (locked)
		becomes_word(me, event->address, event->size);
	bool atomic = locked || is_word(event->address, event->size);
	unsigned kind = (stores ? ACCESS_WRITE : ACCESS_READ) | (atomic ? ACCESS_ATOMIC : 0);
	detect_access(me, event->address, event->size, kind, (struct site){node_of(event->stack), 0});
	if (atomic && !is_relaxed)
		order(me, event->address, locked, stores);
}

static void on_lock(struct thread *me, const struct lock_event *event)
{
	const void *object = (const void *)(event->object | (event->what == LOCK_WORD ? 1 : 0));
	bool holds = event->what < LOCK_CONDITION || event->what > LOCK_ONCE;
	enum lock_mode mode = (event->record.flags & LOCK_FLAG_SHARED) != 0 ? LOCK_SHARED : LOCK_EXCLUSIVE;
	if (!holds && event->record.kind == ACQUIRE) {
		sync_acquire(me, object);
	} else if (!holds) {
		sync_release(me, object);
	} else if (event->record.kind == ACQUIRE) {
		lock_acquired(me, object, mode, node_of(event->stack));
		if (with_kard)
			kard_enter(me, node_of(event->stack));
		if (mode == LOCK_EXCLUSIVE)
			sync_acquire_exclusive(me, object);
		else
			sync_acquire(me, object);
	} else {
		if (with_kard)
			kard_exit(me);
		if (lock_released(me, object) == LOCK_SHARED)
			sync_release_shared(me, object);
		else
			sync_release_only(me, object);
	}
}

static void on_block(struct thread *me, const struct memory_event *event)
{
	shadow_clear(event->address, event->size);
	if ((event->record.flags & ALLOCATED_FLAG_STACK) != 0)
		return;
	struct object object = {event->address, event->size, node_of(event->stack), me->number};
	struct object old;
	object_freed(event->address, &old);
	object_allocated(&object);
	if (with_kard)
		kard_free(event->address, event->size);
}

void replay_record(const struct record *record)
{
	switch ((enum kind)record->kind) {
	case MODULE_DEF: define_module((const struct module_def *)record); return;
	case SITE_DEF: define_site((const struct site_def *)record); return;
	case STACK_DEF: define_stack((const struct stack_def *)record); return;
	case PROCESS_START: process = ((const struct process_event *)record)->pid; return;
	case THREAD_START:
	case THREAD_EXIT:
	case THREAD_JOIN: on_thread((const struct thread_event *)record); return;
	default: break;
	}
	bool is_event =
			record->kind == ALLOCATED || record->kind == ACCESS || record->kind == ACQUIRE || record->kind == RELEASE;
	struct thread *me = is_event ? thread_in_trace(record->thread) : NULL;
	if (me == NULL)
		return;
	me->inside++;
	if (record->kind == ALLOCATED)
		on_block(me, (const struct memory_event *)record);
	else if (record->kind == ACCESS)
		on_access(me, (const struct memory_event *)record);
	else
		on_lock(me, (const struct lock_event *)record);
	me->inside--;
}
