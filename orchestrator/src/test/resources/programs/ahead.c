/*
 * A writer fills a slot 20 times; each time a reader copies it and persists the copy. The 17th time the writer
 * persists the slot only after the reader is done, so a crash before that leaves a copy of what is gone. Variant
 * "fixed" never does so; with "repaired", recovery accepts such a copy. So it does with "counted", but for what the
 * reader counts when the copy is persisted.
 */
#include "slots.h"

#include <semaphore.h>

#define TIMES 20
#define LATE 17

static int fixed;
static int counted;
static sem_t stored;
static sem_t copied;

static void *write_slot(void *unused)
{
	for (long i = 1; i <= TIMES; i++) {
		int late = !fixed && i == LATE;
		pool->slot = i;
		if (!late)
			persist(&pool->slot);
		sem_post(&stored);
		sem_wait(&copied);
		if (late)
			persist(&pool->slot);
	}
	return unused;
}

static void *copy_slot(void *unused)
{
	for (int i = 0; i < TIMES; i++) {
		sem_wait(&stored);
		pool->copy = pool->slot;
		persist(&pool->copy);
		if (counted) {
			pool->count++;
			persist(&pool->count);
		}
		sem_post(&copied);
	}
	return unused;
}

int main(int count, char **arguments)
{
	if (count < 4)
		return 2;
	open_pool(arguments[2]);
	counted = strcmp(arguments[3], "counted") == 0;
	if (strcmp(arguments[1], "check") == 0 && counted)
		return pool->count > pool->slot;
	if (strcmp(arguments[1], "check") == 0)
		return strcmp(arguments[3], "repaired") != 0 && pool->copy > pool->slot;
	fixed = strcmp(arguments[3], "fixed") == 0;
	sem_init(&stored, 0, 0);
	sem_init(&copied, 0, 0);
	run_both(write_slot, copy_slot);
	return 0;
}
