/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads log visits in a persistent file, and a third one reads who came last. The racy variant takes slots from a
 * volatile counter without a lock, so that one visit may overwrite another. The third thread then reads what is not
 * persisted.
 *
 *   visits create DIRECTORY | visits run DIRECTORY racy|fixed | visits check DIRECTORY
 */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS 2
#define EACH 8
#define SLOTS (THREADS * EACH)
#define LINE 64

struct log {
	uint64_t last; /* visitor of the last visit */
	char unused[LINE - sizeof(uint64_t)];
	struct {
		uint64_t visitor; /* 0 = free */
		char unused[LINE - sizeof(uint64_t)];
	} slots[SLOTS];
};

static struct log *visits;
static bool fixed;
static long next_slot;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start;
static uint64_t seen;

static void persist(void *address)
{
	_mm_clflush(address);
	_mm_sfence();
}

static void visit(uint64_t visitor)
{
	long slot = next_slot++;
	if (slot >= SLOTS)
		return;
	visits->slots[slot].visitor = visitor;
	persist(&visits->slots[slot]);
	visits->last = visitor;
	persist(&visits->last);
}

static uint64_t last_visitor(void)
{
	return visits->last;
}

static void *work(void *which)
{
	uint64_t thread = (uint64_t)(uintptr_t)which;
	pthread_barrier_wait(&start);
	for (uint64_t i = 1; i <= EACH; i++) {
		if (fixed)
			pthread_mutex_lock(&lock);
		visit(thread * EACH + i);
		if (fixed)
			pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *watch(void *unused)
{
	pthread_barrier_wait(&start);
	for (int i = 0; i < EACH; i++) {
		if (fixed)
			pthread_mutex_lock(&lock);
		seen += last_visitor();
		if (fixed)
			pthread_mutex_unlock(&lock);
	}
	return unused;
}

static int check(void)
{
	for (int i = 0; i < SLOTS; i++)
		if (visits->slots[i].visitor > SLOTS)
			return 1;
	return visits->last > SLOTS;
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	char path[4096];
	snprintf(path, sizeof path, "%s/visits", arguments[2]);
	int file = open(path, O_RDWR | O_CREAT, 0666);
	if (file < 0 || ftruncate(file, sizeof *visits) != 0)
		return 2;
	visits = mmap(NULL, sizeof *visits, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (visits == MAP_FAILED)
		return 2;
	if (strcmp(arguments[1], "check") == 0)
		return check();
	if (strcmp(arguments[1], "run") != 0)
		return 0;
	fixed = count > 3 && strcmp(arguments[3], "fixed") == 0;
	pthread_t threads[THREADS + 1];
	pthread_barrier_init(&start, NULL, THREADS + 1);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	pthread_create(&threads[THREADS], NULL, watch, NULL);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
