/* SPDX-License-Identifier: Apache-2.0 */
/* Two members of a union are the same bytes; those of a structure are not. */
#include "turns.h"

#ifdef CORRECT
struct {
#else
union {
#endif
	int number;
	char letters[4];
} both;

static void *one(void *unused)
{
	both.number = 1; /* race 1 hmtrace */
	return unused;
}

static void *other(void *unused)
{
	both.letters[2] = 'x'; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	two(one, other);
	return 0;
}
