// Calls of functions between which the analysis begins and ends, and one to leave out.
#include "pm.h"

__attribute__((noinline)) static void put(volatile int *slot)
{
	*slot += 1;
	clwb(slot);
	sfence();
}

__attribute__((noinline)) void create(int *pool)
{
	put(pool);
	__asm__ volatile("");
}
__attribute__((noinline)) void work_begins(void)
{
	__asm__ volatile("");
}
__attribute__((noinline)) void work(int *pool)
{
	put(pool + 16);
	__asm__ volatile("");
}
__attribute__((noinline)) void work_ends(void)
{
	__asm__ volatile("");
}
__attribute__((noinline)) void clean_up(int *pool)
{
	put(pool + 32);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int *pool = pm_alloc(argc, argv);
	create(pool);
	work_begins();
	work(pool);
	work(pool);
	work_ends();
	clean_up(pool);
	return 0;
}
