/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random programs, one for each seed, in one process:
 *   random DIRECTORY FIRST STEP COUNT THREADS PROCESSES STACKS FORKS OPERATIONS EVERY
 * The seeds are FIRST, FIRST + STEP...; each has THREADS and, beside them, PROCESSES that do OPERATIONS each; STACKS 1:
 * stacks lie in PM, too, and signals come at any time; FORKS: how often each forks. Every EVERY operations all wait: it
 * writes a line to standard output and continues when a byte comes from standard input, so that the files can be looked
 * at. What was done is in ../log.
 */
#include "random.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>

typedef struct {
	const char *name;
	void (*run)(Actor *a);
	int weight;
} Operation;

static const Operation table[] = {
		{"plain store", op_plain, 12},
		{"store at an edge", op_edge, 5},
		{"vector", op_vector, 6},
		{"avx2", op_wide_vector, 5},
		{"mask", op_masked, 6},
		{"non-temporal", op_past_cache, 5},
		{"x87", op_x87, 4},
		{"save state", op_save_state, 2},
		{"locked", op_locked, 7},
		{"string", op_string, 7},
		{"library", op_library, 3},
		{"flush", op_flush, 8},
		{"fence", op_fence, 4},
		{"private", op_private, 2},
		{"stack", op_stack, 3},
		{"read", op_read, 5},
		{"receive", op_receive, 4},
		{"status", op_status, 6},
		{"wait", op_wait, 3},
		{"memory", op_memory, 3},
		{"offsets", op_offsets, 3},
		{"handed in", op_handed_in, 2},
		{"fails", op_fails, 3},
		{"write", op_write, 4},
		{"write own", op_write_own, 4},
		{"transfer", op_transfer, 3},
		{"resize", op_resize, 5},
		{"names", op_names, 5},
		{"directories", op_directories, 2},
		{"sync", op_sync, 5},
		{"map", op_map, 5},
		{"unmap", op_unmap, 3},
		{"remap", op_remap, 4},
		{"advise", op_advise, 2},
		{"fork", op_fork, 1},
		{"signal", op_signal, 2},
};
#define TABLE_SIZE ((long)(sizeof table / sizeof *table))

Log *logs;
volatile uint64_t *marker;
int stacks_in_pm;
int alone;

static uint64_t seed;
static int threads;
static int processes;
static int forks;
static Actor actors[ACTORS];
static volatile char *async; /* a page that only the timer's signal stores to */

/* --------------------------------------------------------------- chance */

uint64_t next(Actor *a)
{
	a->state ^= a->state << 13;
	a->state ^= a->state >> 7;
	a->state ^= a->state << 17;
	return a->state * 0x2545F4914F6CDD1DULL;
}

long below(Actor *a, long limit)
{
	return (long)((next(a) >> 11) % (uint64_t)limit);
}

long pick(Actor *a, long limit)
{
	long which = below(a, limit);
	expect(a, CHOICE, 0, ANY_FILE, 0, 0, which);
	return which;
}

int chance(Actor *a, int percent)
{
	return below(a, 100) < percent;
}

void fill(Actor *a, char *to, long size)
{
	for (long i = 0; i < size; i += 8) {
		uint64_t value = next(a);
		memcpy(to + i, &value, (size_t)(size - i < 8 ? size - i : 8));
	}
}

static char *aligned(char *p, long alignment)
{
	return (char *)((uintptr_t)p & ~(uintptr_t)(alignment - 1));
}

static int meets_others(Actor *a)
{
	return !alone && chance(a, 30);
}

long pool_offset(Actor *a, long limit)
{
	return meets_others(a) ? CROWD + below(a, CROWD_SIZE) : below(a, limit);
}

/* More often than not near the end of a line or a page. */
char *spot(Actor *a, long size, long alignment)
{
	if (size <= CROWD_SIZE && meets_others(a)) {
		const Map *map = &a->maps[below(a, 2)]; /* the pool's */
		return aligned(map->start + CROWD - map->offset + below(a, CROWD_SIZE - size + 1), alignment);
	}
	for (;;) {
		const Map *map = &a->maps[below(a, a->map_count)];
		long room = usable(a, map) - size;
		if (room < 0)
			continue;
		long offset = below(a, room + 1);
		if (chance(a, 30))
			offset = (offset & ~63L) + 64 - below(a, size + 2);
		else if (chance(a, 20))
			offset = (offset & -PAGE) + PAGE - below(a, size + 2);
		if (offset < 0 || offset > room)
			continue;
		return aligned(map->start + offset, alignment);
	}
}

char *spot_at_edge(Actor *a, long size)
{
	const Map *map = &a->maps[below(a, 2)]; /* the pool's */
	char *edge = chance(a, 50) ? map->start : map->start + map->size;
	return edge - 1 - below(a, size - 1);
}

/* ------------------------------------------------------------------ log */

void expect(Actor *a, int kind, int flags, int file, long offset, long size, long extra)
{
	Log *log = &logs[a->number];
	CHECK(log->count < LOG_ENTRIES);
	log->entries[log->count++] = (Entry){(uint8_t)kind, (uint8_t)flags, (int16_t)file, (uint32_t)extra, offset, size};
}

void expect_anything(Actor *a)
{
	expect(a, ANYTHING, 0, ANY_FILE, 0, 0, 0);
}

/* In the order of addresses; mappings do not overlap. */
void expect_at(Actor *a, int kind, int flags, const void *address, long size, long extra)
{
	const char *at = address, *end = at + size;
	while (at < end) {
		const Map *found = NULL;
		for (int i = 0; i < a->map_count; i++) {
			const Map *map = &a->maps[i];
			if (map->start + map->size > at && map->start < end && (found == NULL || map->start < found->start))
				found = map;
		}
		if (found == NULL)
			return;
		const char *from = at > found->start ? at : found->start;
		const char *to = end < found->start + found->size ? end : found->start + found->size;
		expect(a, kind, flags, found->file, found->offset + (from - found->start), to - from, extra);
		at = to;
	}
}

static void write_log(void)
{
	int fd = open("../../log", O_WRONLY | O_CREAT | O_APPEND, 0644);
	CHECK(fd >= 0);
	for (long slot = 0; slot < ACTORS; slot++) {
		int64_t header[3] = {(int64_t)seed, slot, logs[slot].count};
		size_t size = (size_t)logs[slot].count * sizeof(Entry);
		CHECK(write(fd, header, sizeof header) == sizeof header);
		CHECK(write(fd, logs[slot].entries, size) == (ssize_t)size);
		logs[slot].count = 0;
	}
	close(fd);
}

/* --------------------------------------------------------------- actors */

void own_name(int slot, char *name, size_t size)
{
	snprintf(name, size, "own-%d", slot);
}

void operate(Actor *a, int number_of_operations)
{
	static long total;
	if (total == 0) {
		for (long i = 0; i < TABLE_SIZE; i++)
			total += table[i].weight;
	}
	for (int i = 0; i < number_of_operations; i++) {
		long which = 0;
		for (long left = below(a, total); left >= table[which].weight; which++)
			left -= table[which].weight;
		expect(a, OPERATION, (int)which, ANY_FILE, 0, 0, ++a->operation);
		marker[a->number] = seed << 32 | (uint64_t)a->operation;
		table[which].run(a);
	}
	marker[a->number] = seed << 32;
}

/* Makes what belongs to the actor alone. */
static void prepare(Actor *a)
{
	char name[32];
	own_name(a->number, name, sizeof name);
	a->own = make_file(name, below(a, OWN / 2));
	a->children = forks;
}

static void *act(void *argument)
{
	Actor *a = argument;
	int32_t operations;
	prepare(a);
	for (;;) {
		CHECK(read(a->go[0], &operations, sizeof operations) == sizeof operations);
		if (operations == 0)
			return NULL;
		operate(a, operations);
		CHECK(write(a->done[1], &operations, sizeof operations) == sizeof operations);
	}
}

static void on_timer(int signal)
{
	(void)signal;
	async[8]++;
	flush((const char *)async);
	memcpy((char *)async + 100, (const char *)async, 50);
}

static void timer(long microseconds)
{
	struct itimerval every = {{0, microseconds}, {0, microseconds}};
	CHECK(setitimer(ITIMER_PROF, &every, NULL) == 0);
}

static void hold_timer(int how)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGPROF);
	CHECK(sigprocmask(how, &signals, NULL) == 0);
}

static void start_timer(void)
{
	struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART | SA_ONSTACK};
	static stack_t alternate = {.ss_size = 8 * PAGE};
	async = map_file("async", PAGE);
	alternate.ss_sp = map_file("signal-stack", 8 * PAGE);
	CHECK(sigaltstack(&alternate, NULL) == 0);
	CHECK(sigaction(SIGPROF, &action, NULL) == 0);
	timer(2000);
}

static void stop_timer(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};
	stack_t was;
	timer(0);
	hold_timer(SIG_BLOCK); /* it may be on its way */
	CHECK(signal(SIGPROF, SIG_IGN) != SIG_ERR);
	hold_timer(SIG_UNBLOCK);
	CHECK(sigaltstack(&none, &was) == 0);
	CHECK(munmap(was.ss_sp, was.ss_size) == 0);
	CHECK(munmap((void *)async, PAGE) == 0);
}

/* ----------------------------------------------------------------- seeds */

static void checkpoint(void)
{
	static uint64_t number;
	char line[64], byte;
	marker[CHECKPOINT_SLOT] = ++number;
	int length = snprintf(line, sizeof line, "checkpoint %lu %lu\n", (unsigned long)number, (unsigned long)seed);
	CHECK(write(1, line, (size_t)length) == length);
	CHECK(read(0, &byte, 1) == 1);
}

/* Two views of the pool lie next to one another, between pages that are no PM. */
static void map_pool(Actor *a)
{
	char *arena = mmap(NULL, (size_t)(POOL + 5 * PAGE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(arena != MAP_FAILED);
	int flags = MAP_SHARED | MAP_FIXED;
	a->pool = make_file("pool", POOL);
	CHECK(mmap(arena + PAGE, POOL, PROT_READ | PROT_WRITE, flags, a->pool, 0) != MAP_FAILED);
	CHECK(mmap(arena + PAGE + POOL, 3 * PAGE, PROT_READ | PROT_WRITE, flags, a->pool, 2 * PAGE) != MAP_FAILED);
	add_map(a, arena + PAGE, POOL, THE_POOL, 0, -1);
	add_map(a, arena + PAGE + POOL, 3 * PAGE, THE_POOL, 2 * PAGE, -1);
	a->private_map = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE, a->pool, 0);
	CHECK(a->private_map != MAP_FAILED);
	a->pool_durable = open("pool", O_RDWR | O_DSYNC);
	a->pool_append = open("pool", O_WRONLY | O_APPEND);
	CHECK(a->pool_durable >= 0 && a->pool_append >= 0);
}

static void unmap_all(Actor *a)
{
	while (a->map_count > 0) {
		CHECK(munmap(a->maps[0].start, (size_t)a->maps[0].size) == 0);
		cut_maps(a, a->maps[0].start, a->maps[0].size);
	}
}

static void remove_all(const char *directory)
{
	char name[600];
	DIR *stream = opendir(directory);
	CHECK(stream != NULL);
	for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(name, sizeof name, "%s/%s", directory, entry->d_name);
		if (entry->d_type == DT_DIR) {
			remove_all(name);
			CHECK(rmdir(name) == 0);
		} else {
			CHECK(unlink(name) == 0);
		}
	}
	closedir(stream);
}

/* What operations moved out of the directory of PM files. */
static void remove_others(void)
{
	char name[64];
	for (int actor = 0; actor < ACTORS; actor++) {
		for (int i = 0; i < 4; i++) {
			snprintf(name, sizeof name, "../../file-%d-%d", actor, i);
			unlink(name);
		}
	}
}

static void start_actor(Actor *a, int number, const Actor *first)
{
	*a = *first;
	a->number = number;
	a->own_file = FIRST_OWN + number;
	a->state = (seed + 1) * 0x9E3779B97F4A7C15ULL + (uint64_t)number * 0xD1B54A32D192ED03ULL;
	for (int i = 0; i < 8; i++)
		next(a);
	CHECK(pipe(a->go) == 0 && pipe(a->done) == 0);
}

static void send(const Actor *a, int32_t operations)
{
	CHECK(write(a->go[1], &operations, sizeof operations) == sizeof operations);
}

static void run_seed(int operations, int every)
{
	char directory[64];
	pthread_t ids[ACTORS];
	pid_t children[ACTORS];
	int all = threads + processes;
	int32_t answer;
	snprintf(directory, sizeof directory, "seed-%lu", (unsigned long)seed);
	CHECK(mkdir(directory, 0755) == 0 && chdir(directory) == 0);
	Actor first = {.source = open("../../source", O_RDONLY)};
	map_pool(&first);
	for (int i = 0; i < all; i++)
		start_actor(&actors[i], i, &first);
	for (int i = threads; i < all; i++) {
		children[i] = fork();
		CHECK(children[i] >= 0);
		if (children[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			act(&actors[i]);
			if (chance(&actors[i], 20))
				raise(SIGKILL);
			_exit(0);
		}
	}
	for (int i = 1; i < threads; i++)
		CHECK(pthread_create(&ids[i], NULL, act, &actors[i]) == 0);
	if (stacks_in_pm)
		start_timer();
	prepare(&actors[0]);
	for (int done = 0; done < operations; done += every) {
		for (int i = 1; i < all; i++)
			send(&actors[i], every);
		operate(&actors[0], every);
		for (int i = 1; i < all; i++)
			CHECK(read(actors[i].done[0], &answer, sizeof answer) == sizeof answer);
		hold_timer(SIG_BLOCK);
		checkpoint();
		hold_timer(SIG_UNBLOCK);
	}
	if (stacks_in_pm)
		stop_timer();
	for (int i = 1; i < all; i++)
		send(&actors[i], 0);
	for (int i = 1; i < threads; i++)
		CHECK(pthread_join(ids[i], NULL) == 0);
	for (int i = threads; i < all; i++)
		CHECK(waitpid(children[i], NULL, 0) == children[i]);
	for (int i = 0; i < all; i++) {
		if (i < threads)
			unmap_all(&actors[i]), close(actors[i].own);
		close(actors[i].go[0]), close(actors[i].go[1]), close(actors[i].done[0]), close(actors[i].done[1]);
	}
	CHECK(munmap(first.private_map, POOL) == 0);
	close(first.pool), close(first.pool_durable), close(first.pool_append), close(first.source);
	remove_all(".");
	remove_others();
	write_log();
	CHECK(chdir("..") == 0 && rmdir(directory) == 0);
}

/* Valgrind does not extend the stack for the frames of nested signals. */
static __attribute__((noinline)) void extend_stack(void)
{
	volatile char room[1 << 18];
	for (size_t i = 0; i < sizeof room; i += 4096)
		room[i] = 1;
}

int main(int argc, char **argv)
{
	extend_stack();
	CHECK(argc == 11 && chdir(argv[1]) == 0);
	uint64_t step = strtoull(argv[3], NULL, 10);
	int count = atoi(argv[4]);
	threads = atoi(argv[5]);
	processes = atoi(argv[6]);
	stacks_in_pm = atoi(argv[7]);
	forks = atoi(argv[8]);
	alone = threads + processes == 1;
	seed = strtoull(argv[2], NULL, 10);
	CHECK(threads + processes <= ACTORS / 2);
	logs = mmap(NULL, sizeof(Log) * ACTORS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(logs != MAP_FAILED);
	marker = (volatile uint64_t *)map_file("marker", PAGE);
	int source = make_file("../source", 0); /* no PM file */
	for (int i = 0; i < 900; i++)
		CHECK(dprintf(source, "%d,", i * i) > 0);
	close(source);
	for (long i = 0; i < TABLE_SIZE; i++)
		dprintf(1, "operation %s\n", table[i].name);
	for (int i = 0; i < count; i++, seed += step)
		run_seed(atoi(argv[9]), atoi(argv[10]));
	return 0;
}
