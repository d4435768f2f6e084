/* A counter of events and the event it counts. The bug never flushes an event after its first write. */
#include "pm.h"

#define EVENTS 4

struct event {
	uint64_t number PM_ALIGNED;
};

struct pool {
	uint64_t last PM_ALIGNED;
	struct event events[EVENTS]; /* reused in turn */
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void write_event(struct event *event, uint64_t number)
{
	event->number = number; /* BUG-AT */
#if BUG
	if (number > EVENTS)
		return;
#endif
	pm_persist(event, sizeof *event);
}

static void run(struct pool *pool)
{
	for (uint64_t number = 1; number <= 2 * EVENTS; number++) {
		write_event(&pool->events[number % EVENTS], number);
		pool->last = number;
		pm_persist(&pool->last, sizeof pool->last);
	}
}

static const char *check(struct pool *pool)
{
	uint64_t first = pool->last < EVENTS - 1 ? 1 : pool->last - (EVENTS - 1) + 1;
	for (uint64_t number = first; number <= pool->last; number++)
		if (pool->events[number % EVENTS].number != number)
			return "an event was counted, but is not there";
	return NULL;
}

PM_MAIN
