/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic pair of 16 bytes publishes what was made before, or only itself. */
#include "turns.h"

#include <atomic>
#include <cstdint>

struct pair {
	int *place;
	std::uintptr_t version;
};

static std::atomic<pair> head;
int item, seen;
#ifdef CORRECT
static const std::memory_order publish = std::memory_order_release;
#else
static const std::memory_order publish = std::memory_order_relaxed;
#endif

static void *maker(void *unused)
{
	item = 1; /* race 1 hmtrace */
	pair before = head.load(std::memory_order_relaxed);
	while (!head.compare_exchange_weak(before, pair{&item, 1}, publish, std::memory_order_relaxed)) {
	}
	return unused;
}

static void *user(void *unused)
{
	pair found;
	while ((found = head.load(std::memory_order_acquire)).version == 0)
		sched_yield();
	seen = *found.place; /* race 1 hmtrace */
	return unused;
}

int main()
{
	two(maker, user);
	return seen < 0;
}
