/* SPDX-License-Identifier: Apache-2.0 */
/* HMTRace, figure 4, case e: no synchronisation, and the accesses do not overlap in time. */
#include "turns.h"

long object, copy;

static void *writer(void *unused)
{
	object = 1; /* race 1 hmtrace */
	over();
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	copy = object; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
#ifdef CORRECT
	pthread_t thread;
	pthread_create(&thread, NULL, writer, NULL);
	pthread_join(thread, NULL);
	reader(NULL);
#else
	two(writer, reader);
#endif
	return copy == 1 ? 0 : 1;
}
