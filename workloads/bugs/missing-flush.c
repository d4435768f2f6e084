/*
 * A counter of events and the events it counts. The bug never flushes an event: in program order it is always there,
 * but its cache line may be lost while the counter's arrives.
 */
#include "pm.h"

#define EVENTS 8

struct event {
	uint64_t number PM_ALIGNED;
};

struct pool {
	uint64_t last PM_ALIGNED;
	struct event events[EVENTS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* Flushes every event once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (int i = 0; i < EVENTS; i++)
		pool->events[i].number = UINT64_MAX;
	pm_persist(pool->events, sizeof pool->events); /* AT format */
}

static void write_event(struct event *event, uint64_t number)
{
	event->number = number; /* AT number */
#if !BUG
	pm_persist(event, sizeof *event);
#endif
}

static void count_event(struct pool *pool, uint64_t number)
{
	pool->last = number;
	pm_persist(&pool->last, sizeof pool->last); /* BUG-AT */
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t number = 1; number <= EVENTS; number++) {
		write_event(&pool->events[number - 1], number);
		count_event(pool, number);
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t number = 1; number <= pool->last; number++)
		if (number > EVENTS || pool->events[number - 1].number != number)
			return "an event was counted, but is not there";
	return NULL;
}

PM_MAIN
