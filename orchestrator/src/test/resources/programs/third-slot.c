/*
 * A writer fills four slots and persists each; a reader copies them. Recovery takes a copy of a slot that is lost for
 * granted, but for the third: only there does the race do harm.
 */
#include "program.h"

#include <pthread.h>
#include <string.h>

#define SLOTS 4

struct pool {
	struct {
		long value __attribute__((aligned(LINE)));
	} slots[SLOTS], copies[SLOTS];
};

static struct pool *pool;
static pthread_barrier_t both;

static void *write_slots(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&both);
	for (int i = 0; i < SLOTS; i++) {
		pool->slots[i].value = i + 1;
		persist(&pool->slots[i].value);
	}
	return NULL;
}

static void *copy_slots(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&both);
	for (int i = 0; i < SLOTS; i++) {
		pool->copies[i].value = *(volatile long *)&pool->slots[i].value;
		persist(&pool->copies[i].value);
	}
	return NULL;
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	pool = (struct pool *)map_lines(arguments[2], "pool", sizeof(struct pool) / LINE);
	if (strcmp(arguments[1], "check") == 0)
		return pool->copies[2].value > pool->slots[2].value;
	for (int i = 0; i < SLOTS; i++) {
		pool->slots[i].value = pool->copies[i].value = 0;
		persist(&pool->slots[i].value);
		persist(&pool->copies[i].value);
	}
	pthread_barrier_init(&both, NULL, 2);
	pthread_t writer, reader;
	pthread_create(&writer, NULL, write_slots, NULL);
	pthread_create(&reader, NULL, copy_slots, NULL);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	return 0;
}
