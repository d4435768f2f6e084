// What std::call_once calls is done before anybody goes on.
//
// RACE region: store, persisted persist, load
#include <mutex>
#include <thread>

#include "race.h"

static std::once_flag once;

static void set_up()
{
	std::call_once(once, [] {
		X = 1; /* AT store */
		if (!racy)
			pm_persist(&X);
	});
}

static void first()
{
	set_up();
	if (racy)
		pm_persist(&X); /* AT persist */
	pass(1);
}

static void second()
{
	turn(1);
	set_up();
	sink = X; /* AT load */
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	std::thread one(first);
	std::thread other(second);
	one.join();
	other.join();
	return 0;
}
