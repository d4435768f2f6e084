/*
 * What does not fit is spilled into a mapped file, which is only read while the program runs. The twin cuts the file
 * off when it is done: what was never flushed is gone, and nobody has to ask whether it should have lasted. The bug
 * leaves it there.
 */
#include "pm.h"

#define WORDS 32

struct spill {
	struct {
		uint64_t word PM_ALIGNED;
	} lines[WORDS];
};

struct pool {
	uint64_t sum PM_ALIGNED;
};

static void spill(struct spill *spill)
{
	for (int i = 0; i < WORDS; i++)
		spill->lines[i].word = 3 * i; /* AT spill */
}

static void sum_up(struct pool *pool, const struct spill *spill)
{
	uint64_t sum = 0;
	for (int i = 0; i < WORDS; i++)
		sum += spill->lines[i].word;
	pool->sum = sum;
	pm_persist(&pool->sum, sizeof pool->sum);
}

static void run(const char *directory, struct pool *pool)
{
	int file = pm_open(directory, "spill", sizeof(struct spill), 0);
	struct spill *mapped = mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mapped == MAP_FAILED)
		pm_fail("spill");
	spill(mapped);
	sum_up(pool, mapped);
#if !BUG
	if (ftruncate(file, 0) != 0)
		pm_fail("spill");
#endif
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	int making = strcmp(argv[1], "create") == 0;
	struct pool *pool = pm_map(argv[2], "pool", sizeof *pool, making);
	if (making)
		pm_open(argv[2], "spill", sizeof(struct spill), 1);
	else if (strcmp(argv[1], "run") == 0)
		run(argv[2], pool);
	else if (strcmp(argv[1], "check") == 0)
		return pm_judge(pool->sum == 0 || pool->sum == 3 * WORDS * (WORDS - 1) / 2 ? NULL : "a wrong sum");
	else
		return pm_usage(argv[0]);
	return 0;
}
