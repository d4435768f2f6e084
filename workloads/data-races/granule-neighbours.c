/* SPDX-License-Identifier: Apache-2.0 */
/* Two variables in one granule of 16 bytes, one for each thread: pure tag matching takes it for a race. */
#include "turns.h"

struct {
	int left;
	char middle[3];
	char right;
} __attribute__((aligned(16))) pair;

static void *left(void *unused)
{
	for (int i = 0; i < 100; i++)
		pair.left++;
	return unused;
}

static void *right(void *unused)
{
	for (int i = 0; i < 100; i++)
		pair.right++;
#ifndef CORRECT
	pair.middle[0] = 1; /* race 1 hmtrace */
#endif
	return unused;
}

static void *left_and_middle(void *unused)
{
#ifndef CORRECT
	pair.middle[0] = 2; /* race 1 hmtrace */
#endif
	return left(unused);
}

int main(void)
{
	two(left_and_middle, right);
	return pair.left == 100 ? 0 : 1;
}
