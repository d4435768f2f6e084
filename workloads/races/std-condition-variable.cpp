// The writer notifies before it persists.
//
// RACE region: store, persisted persist, load
#include <condition_variable>
#include <mutex>
#include <thread>

#include "race.h"

static std::mutex lock;
static std::condition_variable filled;
static bool is_filled;

static void writer()
{
	turn(1);
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	{
		std::lock_guard guard(lock);
		is_filled = true;
	}
	filled.notify_all();
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(2);
}

static void reader()
{
	{
		std::unique_lock guard(lock);
		pass(1);
		filled.wait(guard, [] { return is_filled; });
	}
	turn(2);
	sink = X; /* AT load */
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	std::thread one(writer);
	std::thread other(reader);
	one.join();
	other.join();
	return 0;
}
