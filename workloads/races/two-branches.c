/*
 * Vardalith, figure 1: the first branch takes the wrong lock, the other gives the right one back before it persists.
 *
 * RACE region: first-store, persisted first-persist, load
 * RACE region: second-store, persisted second-persist, load
 */
#include "race.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void update(volatile uint64_t *x, int is_unlikely)
{
	if (is_unlikely) {
		pthread_mutex_lock(racy ? &b : &a);
		*x = 1; /* AT first-store */
		pm_persist(x); /* AT first-persist */
		pthread_mutex_unlock(racy ? &b : &a);
	} else {
		pthread_mutex_lock(&a);
		*x = 2; /* AT second-store */
		if (!racy)
			pm_persist(x);
		pthread_mutex_unlock(&a);
		if (racy)
			pm_persist(x); /* AT second-persist */
	}
}

static uint64_t get(volatile uint64_t *x)
{
	pthread_mutex_lock(&a);
	uint64_t value = *x; /* AT load */
	pthread_mutex_unlock(&a);
	return value;
}

static void *writer(void *unused)
{
	update(&X, 1);
	pass(1);
	turn(2);
	update(&Y, 0);
	pass(3);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	sink = get(&X);
	pass(2);
	turn(3);
	sink = get(&Y);
	return unused;
}

RACE_MAIN(writer, reader)
