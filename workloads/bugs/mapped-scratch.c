/* Counts per slot that are summed up at the end. The bug keeps them in a mapped file of their own beside the pool. */
#include "pm.h"

#define SLOTS 24

struct scratch {
	struct {
		uint64_t hits PM_ALIGNED;
	} slots[SLOTS];
};

struct pool {
	uint64_t sum PM_ALIGNED;
};

static void count(struct scratch *scratch)
{
	for (int i = 0; i < SLOTS; i++)
		scratch->slots[i].hits = i; /* AT hits */
}

static void sum_up(struct pool *pool, const struct scratch *scratch)
{
	uint64_t sum = 0;
	for (int i = 0; i < SLOTS; i++)
		sum += scratch->slots[i].hits;
	pool->sum = sum;
	pm_persist(&pool->sum, sizeof pool->sum);
}

int main(int argc, char **argv)
{
	static struct scratch own;
	if (argc != 3)
		return pm_usage(argv[0]);
	int making = strcmp(argv[1], "create") == 0;
	struct pool *pool = pm_map(argv[2], "pool", sizeof *pool, making);
	struct scratch *mapped = pm_map(argv[2], "scratch", sizeof *mapped, making);
	if (making)
		return 0;
	if (strcmp(argv[1], "run") == 0) {
		struct scratch *scratch = BUG ? mapped : &own;
		count(scratch);
		sum_up(pool, scratch);
		return 0;
	}
	if (strcmp(argv[1], "check") == 0)
		return pm_judge(pool->sum == 0 || pool->sum == SLOTS * (SLOTS - 1) / 2 ? NULL : "a wrong sum");
	return pm_usage(argv[0]);
}
