/* SPDX-License-Identifier: Apache-2.0 */
/* A variable inside a function is made once, also when two threads come at once. Its members are as usual. */
#include "turns.h"

struct counter {
	int made = 1, uses = 0;
};

static counter &get()
{
	static counter one;
	return one;
}

static void *use(void *unused)
{
	counter &one = get();
	if (one.made == 0)
		return unused;
#ifndef CORRECT
	one.uses++; /* race 1 hmtrace */
#endif
	return unused;
}

int main()
{
	two(use, use);
	return get().uses < 0;
}
