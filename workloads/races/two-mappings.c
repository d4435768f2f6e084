/*
 * Both threads have the same file, each by a mapping of its own.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static struct line *other;

static void *writer(void *unused)
{
	X = 1; /* AT store */
	pass(1);
	turn(2);
	pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	sink = other[racy ? 0 : 1].word[0]; /* AT load */
	pass(2);
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	int file = open(pool_path, O_RDWR);
	other = (struct line *)mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
	need(other != MAP_FAILED, "mmap");
	race_threads(writer, reader);
	return 0;
}
