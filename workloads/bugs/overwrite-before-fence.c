/*
 * A state is stored and flushed, and overwritten by the next one. The bug does so before the fence: whether the first
 * was ever durable is open. The twin fences in between.
 */
#include "pm.h"

#define JOBS 4

enum state { NEW, BUSY, DONE };

struct job {
	uint64_t state PM_ALIGNED;
};

struct pool {
	struct job jobs[JOBS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void begin(struct job *job)
{
	job->state = BUSY; /* AT busy */
	pm_clwb(job);
#if !BUG
	pm_sfence();
#endif
}

static void end(struct job *job)
{
	job->state = DONE; /* AT done */
	pm_clwb(job);
	pm_sfence();
}

static void run(struct pool *pool)
{
	for (int i = 0; i < JOBS; i++) {
		begin(&pool->jobs[i]);
		end(&pool->jobs[i]);
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < JOBS; i++)
		if (pool->jobs[i].state > DONE)
			return "no such state";
	return NULL;
}

PM_MAIN
