/* SPDX-License-Identifier: Apache-2.0 */
/* More threads use a granule than it has tags. A thread that comes again, behind the crowd, is seen again. */
#include "turns.h"

#define NEIGHBOURS 3
#define BYTES 4 /* of each: as many as a granule has tags */
#ifdef CORRECT
#define LAST (1 + NEIGHBOURS * BYTES)
#else
#define LAST 0
#endif

static struct {
	char bytes[16];
} __attribute__((aligned(16))) crowd;

static void first_byte(char value)
{
	crowd.bytes[0] = value; /* race 1 hmtrace */
}

static void *owner(void *unused)
{
	first_byte(1);
	over();
	turn(1 + NEIGHBOURS);
	first_byte(2);
	over();
	return unused;
}

static void *neighbour(void *number)
{
	long me = (long)number;
	turn((int)me);
	for (long i = 0; i < BYTES; i++)
		crowd.bytes[me + i * NEIGHBOURS] = 1;
	over();
	return NULL;
}

static void *last(void *unused)
{
	turn(2 + NEIGHBOURS);
	crowd.bytes[LAST] = 3; /* race 1 hmtrace */
	return unused;
}

int main(void)
{
	pthread_t threads[NEIGHBOURS + 2];
	pthread_create(&threads[0], NULL, owner, NULL);
	for (long i = 1; i <= NEIGHBOURS; i++)
		pthread_create(&threads[i], NULL, neighbour, (void *)i);
	pthread_create(&threads[NEIGHBOURS + 1], NULL, last, NULL);
	for (int i = 0; i < NEIGHBOURS + 2; i++)
		pthread_join(threads[i], NULL);
	return crowd.bytes[LAST] == 3 ? 0 : 1;
}
