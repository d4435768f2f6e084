/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that acquire and release locks of the program's own making, as check.py declares them. What it says are the
 * records of its first thread for the objects in `all`, as locks.c does.
 */
#include <pthread.h>
#include <stdexcept>

#include "pm.h"

#define LOCK_FUNCTION __attribute__((noipa))

struct Lock {
	volatile int word;
	pthread_mutex_t mutex;
};

/* Its lock is no argument, but a field of one. */
struct Node {
	long key;
	Lock lock;
};

/* As in P-ART: a flag that is passed by reference says that nothing was locked. */
struct VersionLock {
	volatile long version;
	LOCK_FUNCTION void writeLockOrRestart(bool &needRestart);
	LOCK_FUNCTION void lockVersionOrRestart(long &seen, bool &needRestart);
	LOCK_FUNCTION long readLockOrRestart(int &needRestart) const;
	LOCK_FUNCTION bool readUnlockOrRestart(long seen) const;
	LOCK_FUNCTION void writeUnlock();
};

static struct {
	Lock locks[4];
	Node node;
	VersionLock versions;
	volatile unsigned bits;
	pthread_mutex_t mutex;
} all;

static const char *mode = "";

static size_t place_of(volatile void *object)
{
	return (size_t)((char *)object - (char *)&all);
}

static void acquired(volatile void *object)
{
	say("ACQUIRE declared %zu%s", place_of(object), mode);
}

static void released(volatile void *object)
{
	say("RELEASE declared %zu", place_of(object));
}

void VersionLock::writeLockOrRestart(bool &needRestart)
{
	if (version & 2)
		needRestart = true;
	else
		version = version + 2;
}

void VersionLock::lockVersionOrRestart(long &seen, bool &needRestart)
{
	if (version != seen)
		needRestart = true;
	else
		version = seen = seen + 2;
}

long VersionLock::readLockOrRestart(int &needRestart) const
{
	needRestart = (version & 2) != 0;
	return version;
}

bool VersionLock::readUnlockOrRestart(long seen) const
{
	return version == seen;
}

void VersionLock::writeUnlock()
{
	version = version + 2;
}

extern "C" {
LOCK_FUNCTION void my_lock(Lock *lock)
{
	lock->word = 1;
}

LOCK_FUNCTION void my_unlock(Lock *lock)
{
	lock->word = 0;
}

void same_as_my_unlock(Lock *) noexcept __attribute__((alias("my_unlock"), nothrow));

/* A bool is in the lowest byte; what is above it means nothing. */
LOCK_FUNCTION int my_trylock(Lock *lock)
{
	if (lock->word)
		return 0x7700;
	lock->word = 1;
	return 0x7701;
}

LOCK_FUNCTION int my_timedlock(int, int, int, int, int, Lock *lock)
{
	if (lock->word)
		return -1;
	lock->word = 1;
	return 0;
}

LOCK_FUNCTION Lock *lock_of(int index)
{
	if (index > 3)
		return nullptr;
	all.locks[index].word = 1;
	return &all.locks[index];
}

LOCK_FUNCTION void lock_for(int index, Lock **handle)
{
	*handle = lock_of(index);
}

LOCK_FUNCTION void unlock_by(Lock **handle)
{
	my_unlock(*handle);
	*handle = nullptr;
}

LOCK_FUNCTION void lock_node(Node *node)
{
	my_lock(&node->lock);
}

LOCK_FUNCTION void unlock_node(Node *node)
{
	my_unlock(&node->lock);
}

LOCK_FUNCTION void lock_slot(Lock *table, int index)
{
	my_lock(&table[index]);
}

LOCK_FUNCTION void unlock_slot(Lock *table, int index)
{
	my_unlock(&table[index]);
}

/* As in TurboHash: many locks in one word. */
LOCK_FUNCTION bool bit_try_lock(volatile unsigned *word, int bit)
{
	return (__atomic_fetch_or(word, 1U << bit, __ATOMIC_SEQ_CST) & 1U << bit) == 0;
}

LOCK_FUNCTION void bit_unlock(volatile unsigned *word, int bit)
{
	*word = *word & ~(1U << bit);
}

LOCK_FUNCTION void lock_everything(void)
{
	my_lock(&all.locks[0]);
}

LOCK_FUNCTION void unlock_everything(void)
{
	my_unlock(&all.locks[0]);
}

/* They jump to another function, which counts no more than one that is called. */
__attribute__((noipa, optimize("O2"))) int jumping_lock(Lock *lock)
{
	return pthread_mutex_lock(&lock->mutex);
}

__attribute__((noipa, optimize("O2"))) int jumping_unlock(Lock *lock)
{
	return pthread_mutex_unlock(&lock->mutex);
}

LOCK_FUNCTION void throwing_lock(Lock *lock, int throws)
{
	if (throws)
		throw std::runtime_error("no lock");
	my_lock(lock);
}

LOCK_FUNCTION void never_called(Lock *lock)
{
	lock->word = 2;
}
}

static void *volatile nothing;

static void tries(void)
{
	Lock *lock = &all.locks[1];
	CHECK((my_trylock(lock) & 0xff) == 1);
	acquired(lock);
	CHECK((my_trylock(lock) & 0xff) == 0);
	CHECK(my_timedlock(1, 2, 3, 4, 5, lock) == -1);
	same_as_my_unlock(lock);
	released(lock);
	CHECK(my_timedlock(1, 2, 3, 4, 5, lock) == 0);
	acquired(lock);
	my_unlock(lock);
	released(lock);
	my_lock(lock);
	acquired(lock);
	my_unlock(lock);
	released(lock);
}

static void places(void)
{
	Lock *handle;
	CHECK(lock_of(2) == &all.locks[2]);
	acquired(&all.locks[2]);
	CHECK(lock_of(4) == nullptr);
	my_unlock(&all.locks[2]);
	released(&all.locks[2]);
	lock_for(3, &handle);
	acquired(handle);
	released(handle);
	unlock_by(&handle);
	lock_node(&all.node);
	acquired(&all.node.lock);
	unlock_node(&all.node);
	released(&all.node.lock);
	lock_slot(all.locks, 3);
	acquired(&all.locks[3]);
	unlock_slot(all.locks, 3);
	released(&all.locks[3]);
	lock_everything();
	unlock_everything();
}

static void versions(void)
{
	VersionLock *lock = &all.versions;
	bool needRestart = false;
	int needs = 0;
	lock->writeLockOrRestart(needRestart);
	CHECK(!needRestart);
	acquired(lock);
	lock->writeLockOrRestart(needRestart);
	CHECK(needRestart);
	lock->readLockOrRestart(needs);
	CHECK(needs);
	lock->writeUnlock();
	released(lock);
	long seen = lock->readLockOrRestart(needs);
	mode = " shared";
	acquired(lock);
	mode = "";
	lock->readUnlockOrRestart(seen);
	released(lock);
	needRestart = false;
	lock->lockVersionOrRestart(seen, needRestart);
	CHECK(!needRestart);
	acquired(lock);
	lock->writeUnlock();
	released(lock);
	lock->lockVersionOrRestart(seen, needRestart);
	CHECK(needRestart);
}

static void bits(void)
{
	for (int bit = 0; bit < 3; bit++) {
		CHECK(bit_try_lock(&all.bits, bit));
		acquired((volatile char *)&all.bits + bit);
		CHECK(!bit_try_lock(&all.bits, bit));
	}
	bit_unlock(&all.bits, 1);
	released((volatile char *)&all.bits + 1);
}

static void jumps(void)
{
	Lock *lock = &all.locks[0];
	jumping_lock(lock);
	acquired(lock);
	jumping_unlock(lock);
	released(lock);
	for (int throws = 1; throws >= 0; throws--) {
		try {
			throwing_lock(lock, throws);
			acquired(lock);
		} catch (const std::exception &) {
			my_unlock(lock);
			released(lock);
		}
	}
	my_unlock(lock);
	released(lock);
}

int main(int count, char **arguments)
{
	CHECK(count >= 2);
	for (Lock &lock : all.locks)
		pthread_mutex_init(&lock.mutex, nullptr);
	say("all %p %zu", (void *)&all, sizeof all);
	CHECK(chdir(arguments[1]) == 0);
	tries();
	places();
	versions();
	bits();
	jumps();
	if (nothing != nullptr)
		never_called(&all.locks[0]);
	/* Its own functions are unknown to what only looks like them. */
	pthread_mutex_lock(&all.mutex);
	say("ACQUIRE mutex %zu", place_of(&all.mutex));
	pthread_mutex_unlock(&all.mutex);
	say("RELEASE mutex %zu", place_of(&all.mutex));
	say_all();
	return 0;
}
