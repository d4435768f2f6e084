// The guard's scope ends before the persist.
//
// RACE region: store, persisted persist, load
#include <mutex>
#include <thread>

#include "race.h"

static std::mutex lock;

static void writer()
{
	if (racy) {
		{
			std::lock_guard<std::mutex> guard(lock);
			X = 1; /* AT store */
		}
		pm_persist(&X); /* AT persist */
	} else {
		std::lock_guard<std::mutex> guard(lock);
		X = 1;
		pm_persist(&X);
	}
	pass(1);
}

static void reader()
{
	turn(1);
	std::unique_lock<std::mutex> guard(lock);
	sink = X; /* AT load */
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	std::thread one(writer);
	std::thread other(reader);
	one.join();
	other.join();
	sink = X;
	return 0;
}
