/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks made of atomic words, for --atomics=yes. What it says are the records of its first thread for the objects in
 * `all`, as locks.c does; for those on its stack, only how many there are.
 */
#include <atomic>
#include <pthread.h>

#include "pm.h"

static struct {
	std::atomic_flag flag;
	std::atomic<int> swapped;
	std::atomic<char> byte;
	std::atomic<long> exchanged;
	std::atomic<int> counted;
	std::atomic<int> futex;
	std::atomic<int> foreign;
	volatile short by_hand;
	alignas(16) volatile __int128 wide;
	pthread_mutex_t mutex;
	pthread_spinlock_t spin;
	char block[64];
} all;

template <typename Object> static size_t place_of(const Object &object)
{
	return (size_t)((const char *)&object - (const char *)&all);
}

#define ACQUIRED(object) say("ACQUIRE word %zu", place_of(object))
#define RELEASED(object) say("RELEASE word %zu", place_of(object))

static void spin_locks(void)
{
	CHECK(!all.flag.test_and_set());
	ACQUIRED(all.flag);
	CHECK(all.flag.test_and_set()); /* it was set: nothing is acquired, and nothing released */
	CHECK(all.flag.test_and_set());
	all.flag.clear(std::memory_order_release);
	RELEASED(all.flag);
	all.flag.clear(std::memory_order_release); /* not held */

	int free = 0;
	CHECK(all.swapped.compare_exchange_strong(free, 1));
	ACQUIRED(all.swapped);
	free = 0;
	CHECK(!all.swapped.compare_exchange_strong(free, 1));
	all.swapped.store(0);
	RELEASED(all.swapped);
	free = 0;
	CHECK(all.swapped.compare_exchange_strong(free, 2));
	ACQUIRED(all.swapped);
	free = 2;
	CHECK(all.swapped.compare_exchange_strong(free, 0));
	RELEASED(all.swapped);

	char clear = 0;
	CHECK(all.byte.compare_exchange_strong(clear, 7));
	ACQUIRED(all.byte);
	(&all.byte)[1].store(1, std::memory_order_relaxed); /* its neighbour */
	all.byte.fetch_sub(7);
	RELEASED(all.byte);
	CHECK(all.exchanged.exchange(5) == 0);
	ACQUIRED(all.exchanged);
	all.exchanged.store(0, std::memory_order_relaxed);
	RELEASED(all.exchanged);
}

static void others(void)
{
	/* Counting acquires nothing. */
	all.counted.fetch_add(1);
	all.counted++;
	all.counted = 0; /* an exchange, as it has to order; but it puts nothing there */
	all.counted.fetch_or(4);
	all.counted = 5; /* and this found something there */
	all.counted.store(0, std::memory_order_relaxed);

	short old = 0;
	short wanted = 1;
	__asm__ volatile("lock cmpxchgw %2, %1" : "+a"(old), "+m"(all.by_hand) : "r"(wanted) : "memory");
	ACQUIRED(all.by_hand);
	all.by_hand = 0;
	RELEASED(all.by_hand);

	unsigned char done;
	long low = 0;
	long high = 0;
	__asm__ volatile("lock cmpxchg16b %1; sete %0"
					 : "=q"(done), "+m"(all.wide), "+a"(low), "+d"(high)
					 : "b"(1L), "c"(2L)
					 : "memory");
	CHECK(done);
	ACQUIRED(all.wide);
	*(volatile char *)&all.wide = 0; /* a part of it */
	RELEASED(all.wide);
}

/* What the C library swaps inside its locks is not counted twice. */
static void known_locks(void)
{
	pthread_mutex_lock(&all.mutex);
	say("ACQUIRE mutex %zu", place_of(all.mutex));
	pthread_mutex_unlock(&all.mutex);
	say("RELEASE mutex %zu", place_of(all.mutex));
	pthread_spin_lock(&all.spin);
	say("ACQUIRE spin %zu", place_of(all.spin));
	pthread_spin_unlock(&all.spin);
	say("RELEASE spin %zu", place_of(all.spin));
}

/* As a mutex with three states, whose waiters mark it; and a lock that another thread gives back. */
static void *wait_for_it(void *)
{
	int held = 1;
	CHECK(all.futex.compare_exchange_strong(held, 2));
	all.foreign.store(0, std::memory_order_release);
	return nullptr;
}

static void several_threads(void)
{
	pthread_t thread;
	int free = 0;
	CHECK(all.futex.compare_exchange_strong(free, 1));
	ACQUIRED(all.futex);
	free = 0;
	CHECK(all.foreign.compare_exchange_strong(free, 1));
	ACQUIRED(all.foreign);
	CHECK(pthread_create(&thread, nullptr, wait_for_it, nullptr) == 0);
	pthread_join(thread, nullptr);
	CHECK(all.futex.exchange(0) == 2);
	RELEASED(all.futex);
	free = 0;
	CHECK(all.foreign.compare_exchange_strong(free, 1));
	RELEASED(all.foreign); /* another thread had given it back, it turns out */
	ACQUIRED(all.foreign);
	free = 0;
	CHECK(!all.foreign.compare_exchange_strong(free, 1));
	all.foreign.store(0, std::memory_order_relaxed);
	RELEASED(all.foreign);
}

static void at_once(void)
{
	std::atomic<long> *inside = (std::atomic<long> *)&all.block[16];
	CHECK(inside->exchange(1) == 0);
	ACQUIRED(all.block[16]);
	memset(all.block, 0, sizeof all.block);
	RELEASED(all.block[16]);
}

static __attribute__((noinline)) int on_the_stack(void)
{
	volatile int lock = 0;
	int old = 1;
	__asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(lock) : : "memory");
	lock = 0;
	return old;
}

int main(int count, char **arguments)
{
	CHECK(count >= 2);
	pthread_spin_init(&all.spin, 0);
	say("all %p %zu", (void *)&all, sizeof all);
	say("RELEASE spin %zu", place_of(all.spin));
	CHECK(chdir(arguments[1]) == 0);
	spin_locks();
	others();
	known_locks();
	several_threads();
	at_once();
	for (int i = 0; i < 5; i++)
		CHECK(on_the_stack() == 0);
	say_all();
	return 0;
}
