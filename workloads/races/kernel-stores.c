/*
 * A system call stores for the thread that makes it: into the mapping, and into the file.
 *
 * RACE lockset: store, persisted persist, load
 * RACE region: write, persisted sync, load
 */
#include "race.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int zero;
static int file;

static void *writer(void *unused)
{
	uint64_t one = 1;
	pthread_mutex_lock(&lock);
	need(read(zero, (void *)&X, 8) == 8, "read"); /* AT store */
	if (racy)
		pthread_mutex_unlock(&lock);
	pm_persist(&X); /* AT persist */
	if (racy)
		pthread_mutex_lock(&lock);
	need(pwrite(file, &one, 8, sizeof(struct line)) == 8, "pwrite"); /* AT write */
	if (racy)
		pthread_mutex_unlock(&lock);
	fsync(file); /* AT sync */
	if (!racy)
		pthread_mutex_unlock(&lock);
	pass(1);
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	pthread_mutex_lock(&lock);
	for (int line = 0; line < 2; line++)
		sink = pm[line].word[0]; /* AT load */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(int count, char **arguments)
{
	race_begin(count, arguments);
	zero = open("/dev/zero", O_RDONLY);
	file = open(pool_path, O_RDWR);
	race_threads(writer, reader);
	return 0;
}
