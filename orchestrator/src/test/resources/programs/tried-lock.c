/*
 * A lock of the program's own, which nobody knows as one, protects a value. The writer waits for it, the reader tries
 * it a few times and yields. Where the writer persists the value once it has given the lock back, the reader's copy may
 * last without the value. A reader that meets only a writer who still has the lock never sees it.
 */
#include "program.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define ROUNDS 8

struct word {
	_Alignas(LINE) long value;
};

struct pool {
	struct word value, copy;
};

static struct pool *pool;
static atomic_flag taken = ATOMIC_FLAG_INIT;
static int is_late;

static void *write_values(void *unused)
{
	for (long i = 1; i <= ROUNDS; i++) {
		while (atomic_flag_test_and_set(&taken))
			sched_yield();
		pool->value.value = i;
		if (!is_late)
			persist(&pool->value);
		atomic_flag_clear(&taken);
		if (is_late)
			persist(&pool->value);
		sched_yield();
	}
	return unused;
}

static void *copy_values(void *unused)
{
	for (long i = 1; i <= ROUNDS; i++) {
		if (!atomic_flag_test_and_set(&taken)) {
			pool->copy.value = pool->value.value;
			persist(&pool->copy);
			atomic_flag_clear(&taken);
		}
		sched_yield();
	}
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t writer, reader;

	if (count < 4)
		return 2;
	pool = (struct pool *)map_lines(arguments[2], "pool", sizeof(struct pool) / LINE);
	if (strcmp(arguments[1], "check") == 0)
		return pool->copy.value > pool->value.value;
	is_late = strcmp(arguments[3], "bug") == 0;
	pthread_create(&writer, NULL, write_values, NULL);
	pthread_create(&reader, NULL, copy_values, NULL);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	return 0;
}
