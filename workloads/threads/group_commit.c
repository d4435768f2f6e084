/*
 * A log with group commit. Threads append records under a lock; then one of them synchronises the log for all that are
 * there, while the others go on appending. A commit is acknowledged on standard output once its record is synchronised.
 *
 *   group_commit create|run|check DIRECTORY VARIANT|ACKNOWLEDGED
 *
 * Variants of run: `correct`; `late`, where records count as synchronised that were appended during the call; `switch`,
 * where those of a segment do when the next one begins. If each thread runs without a break, neither shows.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 4
#define COMMITS 6 /* of each thread */
#define SEGMENT 7 /* records */

struct record {
	uint64_t number; /* from 1, in the whole log */
	uint32_t thread;
	uint32_t commit; /* from 1, of the thread */
	uint64_t checksum;
};

static const char *directory, *variant;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t synchronised = PTHREAD_COND_INITIALIZER;
static int log_file = -1, segment, in_segment, synchronising;
static uint64_t last, last_synchronised;

static int is_variant(const char *name)
{
	return strcmp(variant, name) == 0;
}

static void give_up(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t checksum(const struct record *record)
{
	return (record->number * 31 + record->thread) * 31 + record->commit + 99;
}

static const char *segment_name(int number)
{
	static char name[4096];
	snprintf(name, sizeof name, "%s/log.%03d", directory, number);
	return name;
}

static void synchronise(int file)
{
	if (fdatasync(file) != 0)
		give_up("fdatasync");
}

static void next_segment(void)
{
	if (log_file >= 0) {
		if (!is_variant("switch"))
			synchronise(log_file);
		close(log_file);
		last_synchronised = last;
	}
	log_file = open(segment_name(++segment), O_CREAT | O_WRONLY | O_APPEND, 0600);
	int folder = open(directory, O_RDONLY | O_DIRECTORY);
	if (log_file < 0 || folder < 0 || fsync(folder) != 0)
		give_up(segment_name(segment));
	close(folder);
	in_segment = 0;
}

/* Called with the lock held. */
static void append(uint32_t thread, uint32_t commit)
{
	struct record record = {++last, thread, commit, 0};
	record.checksum = checksum(&record);
	if (write(log_file, &record, sizeof record) != sizeof record)
		give_up("write");
	in_segment++;
}

/* Called with the lock held, which it gives back meanwhile. */
static void synchronise_for_all(void)
{
	uint64_t there = last;
	synchronising = 1;
	pthread_mutex_unlock(&lock);
	synchronise(log_file);
	pthread_mutex_lock(&lock);
	last_synchronised = is_variant("late") ? last : there;
	synchronising = 0;
	pthread_cond_broadcast(&synchronised);
}

static void commit(uint32_t thread, uint32_t number)
{
	char line[32];
	pthread_mutex_lock(&lock);
	while (in_segment >= SEGMENT && synchronising)
		pthread_cond_wait(&synchronised, &lock);
	if (in_segment >= SEGMENT)
		next_segment();
	append(thread, number);
	for (uint64_t mine = last; last_synchronised < mine;) {
		if (synchronising)
			pthread_cond_wait(&synchronised, &lock);
		else
			synchronise_for_all();
	}
	pthread_mutex_unlock(&lock);
	int length = snprintf(line, sizeof line, "%u %u\n", thread, number);
	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		give_up("standard output");
}

static void *commit_all(void *thread)
{
	for (uint32_t number = 1; number <= COMMITS; number++)
		commit((uint32_t)(uintptr_t)thread, number);
	return NULL;
}

static void run(void)
{
	pthread_t threads[THREADS];
	next_segment();
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, commit_all, (void *)i) != 0)
			give_up("pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Reads the records up to the first that is not whole, and counts the commits of each thread. */
static void recover(uint32_t commits[THREADS])
{
	struct record record;
	uint64_t number = 0;
	FILE *file;
	for (int i = 1; (file = fopen(segment_name(i), "r")) != NULL; i++) {
		while (fread(&record, sizeof record, 1, file) == 1 && record.number == number + 1 &&
				record.checksum == checksum(&record) && record.thread < THREADS) {
			number++;
			commits[record.thread] = record.commit;
		}
		fclose(file);
	}
}

static int check(const char *acknowledged)
{
	uint32_t commits[THREADS] = {0}, wanted[THREADS] = {0};
	uint32_t thread, number;
	FILE *file = fopen(acknowledged, "r");
	if (file == NULL)
		give_up(acknowledged);
	while (fscanf(file, "%u %u", &thread, &number) == 2)
		wanted[thread] = number;
	fclose(file);
	recover(commits);
	for (thread = 0; thread < THREADS; thread++) {
		if (commits[thread] < wanted[thread] || commits[thread] > wanted[thread] + 1) {
			fprintf(stderr, "inconsistent: commits were acknowledged, but are not there\n");
			return 1;
		}
	}
	return 0;
}

int main(int count, char **arguments)
{
	if (count < 3 || (count < 4 && strcmp(arguments[1], "create") != 0)) {
		fprintf(stderr, "usage: group_commit create|run|check DIRECTORY [VARIANT|ACKNOWLEDGED]\n");
		return 2;
	}
	directory = arguments[2];
	variant = arguments[3];
	if (strcmp(arguments[1], "check") == 0)
		return check(arguments[3]);
	if (strcmp(arguments[1], "run") == 0)
		run();
	return 0;
}
