/*
 * A C++20 coroutine that begins in one thread and goes on in another one: what it stored itself is another thread's
 * store there, and not persisted if it was suspended in between.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

#include <coroutine>
#include <exception>
#include <semaphore.h>

namespace {
struct task {
	struct promise_type {
		task get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			std::terminate();
		}
	};
	std::coroutine_handle<promise_type> handle;
};

sem_t suspended;
std::coroutine_handle<> work;

task order()
{
	X = 1; /* AT store */
	if (!racy)
		pm_persist(&X);
	co_await std::suspend_always();
	sink = X; /* AT load */
	pm_persist(&X); /* AT persist */
}

void *first(void *unused)
{
	work.resume();
	sem_post(&suspended);
	return unused;
}

void *second(void *unused)
{
	sem_wait(&suspended);
	work.resume();
	return unused;
}
} // namespace

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	sem_init(&suspended, 0, 0);
	work = order().handle;
	race_threads(first, second);
	work.destroy();
	return 0;
}
