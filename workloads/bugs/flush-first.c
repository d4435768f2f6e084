/*
 * A setter that flushes, stores and fences, in the bug in this order. What it flushes is what the line held before; the
 * store stays in the cache.
 */
#include "pm.h"

#define JOBS 5

struct job {
	uint64_t result PM_ALIGNED;
	uint64_t done PM_ALIGNED;
};

struct pool {
	struct job jobs[JOBS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set_result(struct job *job, uint64_t result)
{
#if BUG
	pm_clwb(&job->result); /* AT flush */
	job->result = result; /* AT result */
#else
	job->result = result;
	pm_clwb(&job->result);
#endif
	pm_sfence();
}

static void set_done(struct job *job)
{
	job->done = 1;
	pm_persist(&job->done, sizeof job->done); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (int i = 0; i < JOBS; i++) {
		set_result(&pool->jobs[i], 7 * (i + 1));
		set_done(&pool->jobs[i]);
	}
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < JOBS; i++)
		if (pool->jobs[i].done && pool->jobs[i].result != (uint64_t)(7 * (i + 1)))
			return "a job that is done has no result";
	return NULL;
}

PM_MAIN
