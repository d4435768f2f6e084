/* A parent hands its work to a child process, which shares the mapping. The bug is in what the child alone does. */
#include "pm.h"

#include <sys/wait.h>

#define JOBS 4

struct job {
	uint64_t done PM_ALIGNED;
	uint64_t result PM_ALIGNED;
};

struct pool {
	uint64_t assigned PM_ALIGNED;
	struct job jobs[JOBS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void set(uint64_t *word, uint64_t value)
{
	*word = value;
	pm_persist(word, sizeof *word);
}

static void work(struct job *job, uint64_t number)
{
#if BUG
	set(&job->done, 1); /* BUG-AT */
	set(&job->result, number * number);
#else
	set(&job->result, number * number);
	set(&job->done, 1);
#endif
}

static void run(struct pool *pool)
{
	for (uint64_t number = 1; number <= JOBS; number++) {
		set(&pool->assigned, number);
		pid_t child = fork();
		if (child < 0)
			pm_fail("fork");
		if (child == 0) {
			work(&pool->jobs[number - 1], number);
			_exit(0);
		}
		if (waitpid(child, NULL, 0) != child)
			pm_fail("waitpid");
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t number = 1; number <= JOBS; number++) {
		struct job *job = &pool->jobs[number - 1];
		if (job->done && (number > pool->assigned || job->result != number * number))
			return "a job is done without its result";
	}
	return NULL;
}

PM_MAIN
