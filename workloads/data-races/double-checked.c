/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer that is set under a lock and looked at without one, atomically or not. */
#include "turns.h"

struct setting {
	int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct setting one;
#ifdef CORRECT
static struct setting *_Atomic setting;
#else
static struct setting *setting;
#endif
int seen;

static struct setting *get(void)
{
	if (setting == NULL) { /* race 1 hmtrace */
		pthread_mutex_lock(&lock);
		one.value = 1;
		setting = &one; /* race 1 hmtrace */
		pthread_mutex_unlock(&lock);
	}
	return &one;
}

static void *first(void *unused)
{
	get();
	over();
	return unused;
}

static void *second(void *unused)
{
	turn(1);
	seen = get() != NULL;
	return unused;
}

int main(void)
{
	two(first, second);
	return seen < 0;
}
