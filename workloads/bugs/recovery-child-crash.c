/*
 * Recovery gives each shard to a child process. The bug leaves a shard that kills its child; the parent answers with
 * exit code 139, as a shell would: no signal ended the recovery itself, but one did end a process of it.
 */
#include "pm.h"

#include <sys/wait.h>

#define SHARDS 3
#define RECORDS 4
#define UNSET 0x4000000000000000u /* makes an address that no process can have */

struct shard {
	uint64_t used PM_ALIGNED;
	uint64_t offsets[RECORDS] PM_ALIGNED; /* of a value, from the shard's start */
	uint64_t values[RECORDS] PM_ALIGNED;
};

struct pool {
	struct shard shards[SHARDS];
};

static void create(struct pool *pool)
{
	for (int i = 0; i < SHARDS; i++)
		for (int j = 0; j < RECORDS; j++) {
			pool->shards[i].offsets[j] = UNSET;
			pool->shards[i].values[j] = j + 1;
		}
}

static void set_used(struct shard *shard, uint64_t used)
{
	shard->used = used;
	pm_persist(&shard->used, sizeof shard->used);
}

static void set_offset(struct shard *shard, uint64_t index)
{
	shard->offsets[index] = (char *)&shard->values[index] - (char *)shard;
	pm_persist(&shard->offsets[index], sizeof shard->offsets[index]);
}

static void add(struct shard *shard)
{
	uint64_t index = shard->used;
#if BUG
	set_used(shard, index + 1); /* BUG-AT */
	set_offset(shard, index);
#else
	set_offset(shard, index);
	set_used(shard, index + 1);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < SHARDS * RECORDS; i++)
		add(&pool->shards[i % SHARDS]);
}

static int recover_shard(struct shard *shard)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < shard->used; i++)
		sum += *(uint64_t *)((char *)shard + shard->offsets[i]); /* CRASH-AT */
	return sum == shard->used * (shard->used + 1) / 2 ? 0 : 1;
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < SHARDS; i++) {
		pid_t child = fork();
		if (child < 0)
			pm_fail("fork");
		if (child == 0)
			_exit(recover_shard(&pool->shards[i]));
		int status;
		if (waitpid(child, &status, 0) != child)
			pm_fail("waitpid");
		if (WIFSIGNALED(status)) {
			printf("shard %d: the child died of signal %d\n", i, WTERMSIG(status));
			exit(128 + WTERMSIG(status));
		}
		if (WEXITSTATUS(status) != 0)
			return "a shard does not add up";
	}
	return NULL;
}

PM_MAIN
