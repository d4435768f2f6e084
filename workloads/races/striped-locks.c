/*
 * One lock for each word. The racy reader takes that of its neighbour.
 *
 * RACE region: store, persisted persist, load
 */
#include "race.h"

#define STRIPES 4
static pthread_mutex_t locks[STRIPES];

static void *writer(void *unused)
{
	for (int key = 0; key < STRIPES; key++) {
		pthread_mutex_lock(&locks[key]);
		pm[key].word[0] = 1; /* AT store */
		pm_persist(&pm[key]); /* AT persist */
		pthread_mutex_unlock(&locks[key]);
	}
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	for (int key = STRIPES - 1; key >= 0; key--) {
		int stripe = racy && key == STRIPES - 1 ? 0 : key;
		pthread_mutex_lock(&locks[stripe]);
		sink = pm[key].word[0]; /* AT load */
		pthread_mutex_unlock(&locks[stripe]);
	}
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	for (int key = 0; key < STRIPES; key++)
		pthread_mutex_init(&locks[key], NULL);
	race_threads(writer, reader);
	return 0;
}
