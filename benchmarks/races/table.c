/*
 * A table in persistent memory that threads fill and search: table FILE THREADS OPERATIONS. Of ten operations, five
 * insert or update, four search and one deletes. Each takes the lock of its bucket; a search walks what it loads.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BUCKETS 1024
#define SLOTS 16
#define KEYS 8192

struct slot {
	uint64_t key;
	uint64_t value;
};

struct bucket {
	_Alignas(64) struct slot slots[SLOTS];
};

static struct bucket *table;
static pthread_mutex_t locks[BUCKETS];
static long operations;

__attribute__((target("clwb"))) static void persist(const void *where)
{
	_mm_clwb((void *)(uintptr_t)where);
	_mm_sfence();
}

static struct slot *find(struct bucket *bucket, uint64_t key)
{
	for (int i = 0; i < SLOTS; i++) {
		if (bucket->slots[i].key == key)
			return &bucket->slots[i];
	}
	return NULL;
}

static void put(struct bucket *bucket, uint64_t key, uint64_t value)
{
	struct slot *slot = find(bucket, key);
	if (slot == NULL)
		slot = find(bucket, 0);
	if (slot == NULL)
		slot = &bucket->slots[key % SLOTS];
	slot->value = value;
	persist(&slot->value);
	slot->key = key;
	persist(&slot->key);
}

static void *work(void *number)
{
	uint64_t state = (uint64_t)(uintptr_t)number * 0x9E3779B97F4A7C15ULL + 1;
	uint64_t sum = 0;
	for (long i = 0; i < operations; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		uint64_t key = 1 + (state >> 33) % KEYS;
		uint64_t at = key * 2654435761U % BUCKETS;
		struct bucket *bucket = &table[at];
		pthread_mutex_lock(&locks[at]);
		struct slot *slot = (state >> 20) % 10 < 5 ? NULL : find(bucket, key);
		if ((state >> 20) % 10 < 5) {
			put(bucket, key, state);
		} else if (slot != NULL && (state >> 20) % 10 == 9) {
			slot->key = 0;
			persist(&slot->key);
		} else if (slot != NULL) {
			sum += slot->value;
		}
		pthread_mutex_unlock(&locks[at]);
	}
	return (void *)(uintptr_t)sum;
}

int main(int count, char **arguments)
{
	pthread_t threads[64];
	if (count != 4)
		return 2;
	long wanted = atol(arguments[2]);
	operations = atol(arguments[3]) / wanted;
	int file = open(arguments[1], O_RDWR | O_CREAT, 0644);
	if (file < 0 || wanted < 1 || wanted > 64 || ftruncate(file, sizeof(struct bucket) * BUCKETS) != 0)
		return 2;
	table = mmap(NULL, sizeof(struct bucket) * BUCKETS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (table == MAP_FAILED)
		return 2;
	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&locks[i], NULL);
	for (long i = 0; i < wanted; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	for (long i = 0; i < wanted; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
