/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Race-free work for 1, 2 or 4 threads:   kernels NAME THREADS SIZE
 *   array   each thread adds up its part of an array, over and over
 *   table   a hash table with a lock for each bucket; blocks are allocated and freed
 *   queue   a queue with one lock and condition variables
 *   stencil steps over two arrays, with a barrier between them
 *
 * At its end it prints the line of /proc/self/status with the most memory that it had.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4
#define CELLS 65536
#define BUCKETS 256

static int threads;
static long size;
static pthread_barrier_t barrier;
static double cells[2][CELLS];

static void *array(void *which)
{
	long me = (long)which, part = CELLS / threads;
	double sum = 0;
	for (long round = 0; round < size; round++)
		for (long i = me * part; i < (me + 1) * part; i++)
			sum += cells[0][i] += 1;
	return sum < 0 ? which : NULL;
}

struct entry {
	struct entry *next;
	unsigned key;
	char text[24];
};

static struct {
	pthread_mutex_t lock;
	struct entry *first;
} buckets[BUCKETS];

static void *table(void *which)
{
	unsigned seed = (unsigned)(long)which + 1;
	for (long round = 0; round < size * 1000; round++) {
		unsigned key = (unsigned)rand_r(&seed) % (BUCKETS * 8), bucket = key % BUCKETS;
		pthread_mutex_lock(&buckets[bucket].lock);
		struct entry **place = &buckets[bucket].first;
		while (*place != NULL && (*place)->key != key)
			place = &(*place)->next;
		if (*place == NULL) {
			struct entry *added = malloc(sizeof *added);
			added->next = NULL;
			added->key = key;
			memset(added->text, 'x', sizeof added->text);
			*place = added;
		} else {
			struct entry *found = *place;
			*place = found->next;
			free(found);
		}
		pthread_mutex_unlock(&buckets[bucket].lock);
	}
	return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long items[64], in, out;

static void *queue(void *which)
{
	(void)which;
	for (long round = 0; round < size * 200; round++) {
		pthread_mutex_lock(&lock);
		if (in - out < 64)
			items[in++ % 64] = round;
		if (out < in && items[out++ % 64] < 0)
			abort();
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *stencil(void *which)
{
	long me = (long)which, part = CELLS / threads;
	for (long step = 0; step < size; step++) {
		double *from = cells[step % 2], *to = cells[(step + 1) % 2];
		for (long i = me * part; i < (me + 1) * part; i++)
			to[i] = (from[(i + CELLS - 1) % CELLS] + from[i] + from[(i + 1) % CELLS]) / 3;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void print_memory(void)
{
	char line[128];
	FILE *status = fopen("/proc/self/status", "r");
	while (status != NULL && fgets(line, sizeof line, status) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			fputs(line, stdout);
	if (status != NULL)
		fclose(status);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void *(*body)(void *);
	} all[] = {{"array", array}, {"table", table}, {"queue", queue}, {"stencil", stencil}};
	if (count < 4)
		return 2;
	threads = atoi(arguments[2]);
	size = atol(arguments[3]);
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&buckets[i].lock, NULL);
	for (unsigned kernel = 0; kernel < sizeof all / sizeof *all; kernel++) {
		if (strcmp(arguments[1], all[kernel].name) != 0)
			continue;
		pthread_t handles[MOST];
		for (long i = 0; i < threads && i < MOST; i++)
			pthread_create(&handles[i], NULL, all[kernel].body, (void *)i);
		for (int i = 0; i < threads && i < MOST; i++)
			pthread_join(handles[i], NULL);
		print_memory();
		return 0;
	}
	return 2;
}
