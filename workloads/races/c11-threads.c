/*
 * The locks and threads of C11.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"
#include <threads.h>

static mtx_t lock;

static int writer(void *unused)
{
	mtx_lock(&lock);
	X = 1; /* AT store */
	if (racy)
		mtx_unlock(&lock);
	pm_persist(&X); /* AT persist */
	if (!racy)
		mtx_unlock(&lock);
	pass(1);
	return unused != NULL;
}

static int reader(void *unused)
{
	turn(1);
	mtx_lock(&lock);
	sink = X; /* AT load */
	mtx_unlock(&lock);
	return unused != NULL;
}

int main(int count, char **arguments)
{
	thrd_t threads[2];
	race_begin(count, arguments);
	mtx_init(&lock, mtx_plain);
	thrd_create(&threads[0], writer, NULL);
	thrd_create(&threads[1], reader, NULL);
	thrd_join(threads[0], NULL);
	thrd_join(threads[1], NULL);
	sink = X; /* ordered by the joins */
	return 0;
}
