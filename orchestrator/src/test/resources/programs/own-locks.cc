/*
 * A writer fills a slot under a lock of the program's own making, and persists it after it has given the lock back; a
 * reader takes what it sees and writes it down. Variant "fixed" persists before it unlocks. The kind of lock is chosen
 * by name; those of HawkSet's evaluation (section 5) are among them.
 */
#include <atomic>
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <shared_mutex>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OWN __attribute__((noipa))
#define LOAD(where) (*(volatile long *)&(where))

/* P-ART: a version whose second bit says that it is locked. Who finds it locked has to begin again. */
class Node {
public:
	OWN void writeLockOrRestart(bool &needRestart)
	{
		unsigned long seen = version.load();
		if (seen & 2 || !version.compare_exchange_strong(seen, seen + 2))
			needRestart = true;
	}
	OWN void writeUnlock()
	{
		version.fetch_add(2);
	}
	OWN unsigned long readLockOrRestart(bool &needRestart) const
	{
		unsigned long seen = version.load();
		if (seen & 2)
			needRestart = true;
		return seen;
	}
	OWN void readUnlockOrRestart(unsigned long seen, bool &needRestart) const
	{
		needRestart = seen != version.load();
	}

private:
	std::atomic<unsigned long> version;
};

struct Bucket {
	unsigned char lock; /* P-CLHT: beside what it protects, in persistent memory */
	unsigned char used;
};

struct Pool {
	alignas(64) long slot;
	alignas(64) long copy;
	alignas(64) Bucket bucket;
	unsigned bits; /* TurboHash: many locks in one word */
	Node node;
	int word;
	std::atomic_flag flag;
};

struct Table {
	int entries;
	int *lock; /* APEX: elsewhere */
};

static Pool *pool;
static bool fixed;
static pthread_barrier_t both;
static int elsewhere;
static Table table = {1, &elsewhere};
static std::shared_mutex shared;
static int everything;

__attribute__((target("clwb"))) static void persist(void *where)
{
	_mm_clwb(where);
	_mm_sfence();
}

extern "C" {
OWN bool bucket_try_lock(Bucket *bucket)
{
	return __sync_val_compare_and_swap(&bucket->lock, 0, 1) == 0;
}

OWN void bucket_unlock(Bucket *bucket)
{
	__atomic_store_n(&bucket->lock, 0, __ATOMIC_RELEASE);
}

OWN void bit_lock(unsigned *word, int bit)
{
	while (__atomic_fetch_or(word, 1U << bit, __ATOMIC_SEQ_CST) & 1U << bit)
		sched_yield();
}

OWN void bit_unlock(unsigned *word, int bit)
{
	__atomic_fetch_and(word, ~(1U << bit), __ATOMIC_SEQ_CST);
}

OWN int *table_lock(Table *of)
{
	while (__sync_lock_test_and_set(of->lock, 1))
		sched_yield();
	return of->lock;
}

OWN void table_unlock(Table *of)
{
	__sync_lock_release(of->lock);
}

OWN void lock_everything(void)
{
	while (__sync_lock_test_and_set(&everything, 1))
		sched_yield();
}

OWN void unlock_everything(void)
{
	__sync_lock_release(&everything);
}
}

static void version_lock()
{
	for (bool needRestart = true; needRestart;) {
		needRestart = false;
		pool->node.writeLockOrRestart(needRestart);
		if (needRestart)
			sched_yield();
	}
}

static void version_unlock()
{
	pool->node.writeUnlock();
}

static void clht_lock()
{
	while (!bucket_try_lock(&pool->bucket))
		sched_yield();
}

static void clht_unlock()
{
	bucket_unlock(&pool->bucket);
}

static void turbo_lock()
{
	bit_lock(&pool->bits, 3);
}

static void turbo_unlock()
{
	bit_unlock(&pool->bits, 3);
}

static void apex_lock()
{
	table_lock(&table);
}

static void apex_unlock()
{
	table_unlock(&table);
}

static void std_lock()
{
	shared.lock();
}

static void std_unlock()
{
	shared.unlock();
}

static void flag_lock()
{
	while (pool->flag.test_and_set())
		sched_yield();
}

static void flag_unlock()
{
	pool->flag.clear();
}

/* It looks before it swaps. */
static void cas_lock()
{
	for (;;) {
		int free = 0;
		if (__atomic_load_n(&pool->word, __ATOMIC_RELAXED) == 0 &&
				__atomic_compare_exchange_n(&pool->word, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
		sched_yield();
	}
}

static void cas_unlock()
{
	__atomic_store_n(&pool->word, 0, __ATOMIC_RELEASE);
}

struct Kind {
	const char *name;
	void (*lock)();
	void (*unlock)();
};

static const Kind kinds[] = {
		{"version", version_lock, version_unlock},
		{"bucket", clht_lock, clht_unlock},
		{"bit", turbo_lock, turbo_unlock},
		{"pointed-to", apex_lock, apex_unlock},
		{"everything", lock_everything, unlock_everything},
		{"shared-mutex", std_lock, std_unlock},
		{"flag", flag_lock, flag_unlock},
		{"swapped", cas_lock, cas_unlock},
};
static const Kind *kind = &kinds[0];

static void *write_slots(void *)
{
	pthread_barrier_wait(&both);
	for (long i = 1; i <= 20; i++) {
		kind->lock();
		pool->slot = i;
		if (fixed)
			persist(&pool->slot);
		kind->unlock();
		if (!fixed)
			persist(&pool->slot);
		sched_yield();
	}
	return nullptr;
}

static void *copy_slots(void *)
{
	pthread_barrier_wait(&both);
	for (int i = 0; i < 20; i++) {
		kind->lock();
		pool->copy = LOAD(pool->slot);
		persist(&pool->copy);
		kind->unlock();
		sched_yield();
	}
	return nullptr;
}

int main(int count, char **arguments)
{
	pthread_t threads[2];
	char path[4096];
	if (count < 3)
		return 2;
	snprintf(path, sizeof path, "%s/pool", arguments[2]);
	int file = open(path, O_RDWR | O_CREAT, 0644);
	if (file < 0 || ftruncate(file, sizeof(Pool)) != 0)
		return 2;
	pool = (Pool *)mmap(nullptr, sizeof(Pool), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pool == MAP_FAILED)
		return 2;
	if (strcmp(arguments[1], "check") == 0)
		return pool->copy > pool->slot;
	if (strcmp(arguments[1], "create") == 0)
		return 0;
	for (const Kind &one : kinds) {
		if (count > 3 && strcmp(arguments[3], one.name) == 0)
			kind = &one;
	}
	fixed = count > 4 && strcmp(arguments[4], "fixed") == 0;
	pool->slot = pool->copy = 0;
	persist(&pool->slot);
	persist(&pool->copy);
	pthread_barrier_init(&both, nullptr, 2);
	pthread_create(&threads[0], nullptr, write_slots, nullptr);
	pthread_create(&threads[1], nullptr, copy_slots, nullptr);
	pthread_join(threads[0], nullptr);
	pthread_join(threads[1], nullptr);
	return 0;
}
