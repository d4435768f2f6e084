/*
 * Main stores a slot before it starts a thread that persists it, and one that copies it. The copy may outlive a power cut
 * that takes the slot away: if the second thread is late.
 */
#include "slots.h"

static void *persist_slot(void *unused)
{
	(void)unused;
	if (pool->slot)
		persist(&pool->slot);
	return NULL;
}

static void *copy_slot(void *unused)
{
	(void)unused;
	usleep(10000);
	pool->copy = *(volatile long *)&pool->slot;
	persist(&pool->copy);
	return NULL;
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	open_pool(arguments[2]);
	if (strcmp(arguments[1], "check") == 0)
		return pool->copy > pool->slot;
	if (strcmp(arguments[1], "create") == 0)
		return 0;
	pool->slot = 1;
	run_both(persist_slot, copy_slot);
	return 0;
}
