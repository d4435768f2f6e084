/*
 * A writer fills a slot 20 times; each time a reader copies it and persists the copy. The 17th time the writer
 * persists the slot only after the reader is done, so a crash before that leaves a copy of what is gone. Variant
 * "fixed" never does so; with "repaired", recovery accepts such a copy.
 */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TIMES 20
#define LATE 17

struct pool {
	long slot __attribute__((aligned(64)));
	long copy __attribute__((aligned(64)));
};

static struct pool *pool;
static int fixed;
static sem_t stored;
static sem_t copied;

__attribute__((target("clwb"))) static void persist(void *where)
{
	_mm_clwb(where);
	_mm_sfence();
}

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
		sem_post(&copied);
	}
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t threads[2];
	char path[4096];
	if (count < 4)
		return 2;
	snprintf(path, sizeof path, "%s/pool", arguments[2]);
	int file = open(path, O_RDWR | O_CREAT, 0644);
	if (file < 0 || ftruncate(file, sizeof(struct pool)) != 0)
		return 2;
	pool = mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pool == MAP_FAILED)
		return 2;
	if (strcmp(arguments[1], "check") == 0)
		return strcmp(arguments[3], "repaired") != 0 && pool->copy > pool->slot;
	fixed = strcmp(arguments[3], "fixed") == 0;
	sem_init(&stored, 0, 0);
	sem_init(&copied, 0, 0);
	pthread_create(&threads[0], NULL, write_slot, NULL);
	pthread_create(&threads[1], NULL, copy_slot, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
