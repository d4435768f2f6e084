/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash index in persistent memory: writers lock a bucket, readers take no lock. It has the known mistakes of such
 * indexes (HawkSet, section 5.1): an insert and an update that a get sees before they are persisted, and a counter that
 * several threads add to. Variant `fixed` persists what it has seen before it acts on it, as flush-on-read does.
 *
 *   index create|run|check DIRECTORY [racy|fixed [THREADS OPERATIONS]]
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "threads.h"

#define BUCKETS 1024
#define SLOTS 3

struct bucket {
	struct {
		uint64_t key; /* 0 = empty; written last */
		uint64_t value;
	} slots[SLOTS];
	uint64_t inserted;
} __attribute__((aligned(64)));

static struct bucket *buckets;
static pthread_mutex_t locks[BUCKETS];
static int fixed;
static volatile uint64_t sink;

static void pm_persist(const void *where)
{
	__asm__ volatile("clwb (%0); sfence" ::"r"(where) : "memory");
}

static void put(uint64_t key, uint64_t value)
{
	struct bucket *bucket = &buckets[key % BUCKETS];
	pthread_mutex_t *lock = &locks[key % BUCKETS];
	pthread_mutex_lock(lock);
	for (int i = 0; i < SLOTS; i++) {
		uint64_t found = __atomic_load_n(&bucket->slots[i].key, __ATOMIC_RELAXED);
		if (found == key) {
			__atomic_store_n(&bucket->slots[i].value, value, __ATOMIC_RELEASE);
			pm_persist(bucket);
			break;
		}
		if (found == 0) {
			__atomic_store_n(&bucket->slots[i].value, value, __ATOMIC_RELEASE);
			pm_persist(bucket);
			__atomic_store_n(&bucket->slots[i].key, key, __ATOMIC_RELEASE);
			bucket->inserted++;
			pm_persist(bucket);
			break;
		}
	}
	pthread_mutex_unlock(lock);
}

static uint64_t get(uint64_t key)
{
	struct bucket *bucket = &buckets[key % BUCKETS];
	pthread_mutex_t *lock = &locks[key % BUCKETS];
	uint64_t value = 0;
	if (fixed)
		pthread_mutex_lock(lock);
	for (int i = 0; i < SLOTS; i++) {
		if (__atomic_load_n(&bucket->slots[i].key, __ATOMIC_ACQUIRE) == key)
			value = __atomic_load_n(&bucket->slots[i].value, __ATOMIC_ACQUIRE);
	}
	if (fixed)
		pthread_mutex_unlock(lock);
	return value;
}

static void *work(void *argument)
{
	struct worker *worker = (struct worker *)argument;
	for (long i = 0; i < worker->operations; i++) {
		uint64_t key = 1 + next_random(worker) % KEYS;
		if (next_random(worker) % 2)
			put(key, next_random(worker));
		else
			sink = get(key);
	}
	return NULL;
}

/* A bucket counts its keys. */
static int check(void)
{
	for (int i = 0; i < BUCKETS; i++) {
		uint64_t keys = 0;
		for (int slot = 0; slot < SLOTS; slot++)
			keys += buckets[i].slots[slot].key != 0;
		if (keys < buckets[i].inserted)
			return 1;
	}
	return 0;
}

int main(int count, char **arguments)
{
	char path[4096];
	need(count >= 3, "usage: index create|run|check DIRECTORY [racy|fixed [THREADS OPERATIONS]]");
	fixed = count > 3 && strcmp(arguments[3], "fixed") == 0;
	snprintf(path, sizeof path, "%s/index", arguments[2]);
	int file = open(path, O_RDWR | O_CREAT, 0644);
	need(file >= 0 && ftruncate(file, BUCKETS * sizeof(struct bucket)) == 0, path);
	buckets = (struct bucket *)mmap(NULL, BUCKETS * sizeof(struct bucket), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	need(buckets != MAP_FAILED, "mmap");
	if (strcmp(arguments[1], "check") == 0)
		return check();
	if (strcmp(arguments[1], "create") == 0)
		return 0;
	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&locks[i], NULL);
	run_threads(work, count > 4 ? atoi(arguments[4]) : 4, count > 5 ? atol(arguments[5]) : 2000);
	return 0;
}
