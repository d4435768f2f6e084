/* SPDX-License-Identifier: Apache-2.0 */
#include "atomics.h"
#include "keys.h"

#include <stdatomic.h>

static bool acquires(int order)
{
	return order == memory_order_acquire || order == memory_order_consume || order == memory_order_acq_rel ||
			order == memory_order_seq_cst;
}

static bool releases(int order)
{
	return order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst;
}

struct atomic_step atomic_begin(const volatile void *address, size_t size, enum atomic_kind kind, int order,
		struct site site)
{
	keys_open();
	struct thread *me = watched();
	struct atomic_step step = {.me = me, .address = (uintptr_t)address, .order = order};
	if (me == NULL)
		return step;
	me->inside++;
	if (atomic_load_explicit(&several, memory_order_relaxed))
		detect_access(me, step.address, size, ACCESS_ATOMIC | (kind == ATOMIC_LOAD ? ACCESS_READ : ACCESS_WRITE), site);
	step.is_store = kind == ATOMIC_STORE;
	step.is_change = kind == ATOMIC_CHANGE;
	bool publishes = kind != ATOMIC_LOAD && (releases(order) || me->has_released);
	if (is_pure)
		return step;
	step.sync = sync_open(step.address, publishes);
	return step;
}

void atomic_end(struct atomic_step *step, int order, bool stored)
{
	struct thread *me = step->me;
	if (me == NULL) {
		keys_close();
		return;
	}
	/* Another thread may have published what was read here for the first time since the step began. */
	if (step->sync == NULL && !step->is_store)
		step->sync = sync_open(step->address, false);
	if (step->sync != NULL) {
		struct sync *sync = step->sync;
		if (!step->is_store && acquires(order)) {
			clock_join(&me->clock, &sync->clock);
		} else if (!step->is_store) {
			clock_join(&me->acquired, &sync->clock);
			me->has_acquired = true;
		}
		bool publishes = stored && releases(order);
		if (publishes && step->is_store)
			clock_copy(&sync->clock, &me->clock);
		else if (publishes)
			clock_join(&sync->clock, &me->clock);
		else if (stored && me->has_released)
			clock_join(&sync->clock, &me->released);
		sync_close(step->address);
		if (publishes)
			thread_next_segment(me);
	}
	me->inside--;
	keys_close();
}

void atomic_fence(int order)
{
	struct thread *me = is_pure ? NULL : watched();
	if (me == NULL)
		return;
	me->inside++;
	if (acquires(order) && me->has_acquired)
		clock_join(&me->clock, &me->acquired);
	if (releases(order)) {
		clock_copy(&me->released, &me->clock);
		me->has_released = true;
		thread_next_segment(me);
	}
	me->inside--;
}
