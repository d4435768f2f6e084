// The writer locks the way readers do.
//
// RACE region: store, persisted persist, load
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "race.h"

static std::shared_mutex lock;

static void store_word(uint64_t value)
{
	X = value; /* AT store */
	pm_persist(&X); /* AT persist */
}

static void writer()
{
	if (racy) {
		std::shared_lock guard(lock);
		store_word(1);
	} else {
		std::unique_lock guard(lock);
		store_word(1);
	}
	pass(1);
}

static void reader()
{
	turn(1);
	std::shared_lock guard(lock);
	sink = X; /* AT load */
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	std::jthread one(writer);
	std::jthread other(reader);
	return 0;
}
