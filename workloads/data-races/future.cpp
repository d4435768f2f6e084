/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a task, from its future or from a variable. */
#include "turns.h"

#include <future>

int result;

int main()
{
	std::future<int> future = std::async(std::launch::async, [] {
		result = 1; /* race 1 hmtrace */
		over();
		return 1;
	});
#ifdef CORRECT
	int seen = future.get() + result;
#else
	turn(1);
	int seen = result; /* race 1 hmtrace */
	future.wait();
#endif
	return seen < 0;
}
