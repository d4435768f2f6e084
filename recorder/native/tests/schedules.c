/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that wait for one another in every way. What they store depends on who runs when. */
#include "pm.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

#define MANY 16
#define LOG 8000

static long *log_of_turns; /* [0] = entries */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t items, room;
static atomic_int turn, done, flag;
static int shared;

/* Without a lock: the order of entries is the order in which the threads ran. */
static void note(long what)
{
	long at = __atomic_add_fetch(log_of_turns, 1, __ATOMIC_RELAXED);
	CHECK(at < LOG);
	log_of_turns[at] = what;
	__builtin_ia32_clflush(&log_of_turns[at]);
	__builtin_ia32_sfence();
}

static void work(int amount)
{
	for (volatile int i = 0; i < amount; i++)
		;
}

static void *by_mutex(void *number)
{
	for (int i = 0; i < 100; i++) {
		work(300);
		pthread_mutex_lock(&mutex);
		note((long)number);
		work(100);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

__attribute__((noipa)) static void own_lock(atomic_int *lock)
{
	while (atomic_exchange(lock, 1) != 0)
		sched_yield();
}

/* With blocks of code in front of the store that gives it back, and behind. */
__attribute__((noipa)) static void own_unlock(atomic_int *lock)
{
	work(1);
	atomic_store(lock, 0);
	work(1);
}

static void *by_own_lock(void *number)
{
	own_lock(&flag);
	note((long)number);
	own_unlock(&flag);
	note((long)number);
	return NULL;
}

static void *by_condition(void *number)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&mutex);
		while (shared % 4 != (long)number % 4)
			pthread_cond_wait(&changed, &mutex);
		shared++;
		note((long)number);
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *by_barrier(void *number)
{
	for (int i = 0; i < 50; i++) {
		work(100 * (int)(long)number);
		note((long)number);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void *by_queue(void *number)
{
	for (int i = 0; i < 100; i++) {
		int puts = (long)number % 2;
		sem_wait(puts ? &room : &items);
		note((long)number);
		sem_post(puts ? &items : &room);
	}
	return NULL;
}

/* No system call, and no pause instruction. */
static void *by_spinning(void *number)
{
	for (int i = 0; i < 10; i++) {
		while (atomic_load(&turn) % 4 != (long)number)
			;
		note((long)number);
		atomic_fetch_add(&turn, 1);
	}
	return NULL;
}

static void *by_pausing(void *number)
{
	for (int i = 0; i < 200; i++) {
		while (atomic_load(&turn) % 4 != (long)number)
			__builtin_ia32_pause();
		note((long)number);
		atomic_fetch_add(&turn, 1);
	}
	return NULL;
}

static void *by_syncing(void *number)
{
	for (int i = 0; i < 20; i++) {
		note((long)number);
		CHECK(msync(log_of_turns, sizeof *log_of_turns, MS_SYNC) == 0);
	}
	return NULL;
}

static void *by_yielding(void *number)
{
	for (int i = 0; i < 200; i++) {
		while (atomic_load(&turn) % 4 != (long)number)
			sched_yield();
		note((long)number);
		atomic_fetch_add(&turn, 1);
	}
	return NULL;
}

/* One sleeps, the others work, and one spins until the sleeper has slept. */
static void *by_sleeping(void *number)
{
	for (int i = 0; i < 20; i++) {
		if ((long)number == 0)
			usleep(2000);
		else if ((long)number == 1)
			nanosleep(&(struct timespec){0, 700000}, NULL);
		else
			work(20000);
		note((long)number);
	}
	if ((long)number == 0)
		atomic_store(&flag, 1);
	while ((long)number == 3 && !atomic_load(&flag))
		;
	note((long)number);
	return NULL;
}

static void *by_timed_wait(void *number)
{
	for (int i = 0; i < 30; i++) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_mutex_lock(&mutex);
		int result = (long)number < 2 ? pthread_cond_timedwait(&changed, &mutex, &until) : 0;
		pthread_mutex_unlock(&mutex);
		if ((long)number >= 2) {
			work(20000);
			pthread_cond_signal(&changed);
		}
		note((long)number * 1000 + result);
	}
	return NULL;
}

/*
 * The child runs at the same time as its parent: which of them has the next failure point would be chance if the
 * parent's threads stored meanwhile.
 */
static void *by_fork(void *number)
{
	for (int i = 0; i < 3; i++) {
		work(500 * (int)(long)number);
		note((long)number);
	}
	atomic_fetch_add(&done, 1);
	if ((long)number == 2) {
		while (atomic_load(&done) < 4)
			sched_yield();
		pid_t child = fork();
		CHECK(child >= 0);
		if (child == 0)
			_exit(3);
		int status;
		CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
		note((long)number);
	}
	work(20000);
	return NULL;
}

static void on_signal(int signal)
{
	(void)signal;
	note(77);
	atomic_fetch_add(&flag, 1);
}

static void *by_signal(void *number)
{
	if ((long)number == 0) {
		for (int i = 0; i < 10; i++) {
			work(3000);
			note(0);
		}
		raise(SIGUSR1);
	}
	while ((long)number != 0 && atomic_load(&flag) < 1)
		sched_yield();
	note((long)number);
	return NULL;
}

static void *by_leaving(void *number)
{
	pthread_detach(pthread_self());
	work(1000 * (int)(long)number);
	note((long)number);
	atomic_fetch_add(&done, 1);
	return NULL;
}

/* Threads that come and go. */
static void *by_joining(void *number)
{
	for (int i = 0; i < 5; i++) {
		pthread_t child;
		CHECK(pthread_create(&child, NULL, by_mutex, (void *)((long)number + 10)) == 0);
		pthread_join(child, NULL);
		note((long)number);
	}
	return NULL;
}

static int ends[4][2];

static void *by_pipe(void *number)
{
	char byte = 0;
	if ((long)number == 0)
		CHECK(write(ends[1][1], &byte, 1) == 1);
	for (int i = 0; i < 50; i++) {
		CHECK(read(ends[(long)number][0], &byte, 1) == 1);
		note((long)number);
		CHECK(write(ends[((long)number + 1) % 4][1], &byte, 1) == 1);
	}
	return NULL;
}

/* Never ends: two locks in different order. */
static void *by_deadlock(void *number)
{
	static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock((long)number ? &mutex : &other);
	note((long)number);
	usleep(1000);
	pthread_mutex_lock((long)number ? &other : &mutex);
	return NULL;
}

/* The second one loads what the first one stored, and persists what follows from it. */
static void *by_reading(void *number)
{
	if ((long)number == 0) {
		__atomic_store_n(&log_of_turns[8], 1, __ATOMIC_RELAXED);
		__builtin_ia32_clflush(&log_of_turns[8]);
		__builtin_ia32_sfence();
	} else if (__atomic_load_n(&log_of_turns[8], __ATOMIC_RELAXED) == 1) {
		note(2);
	}
	return NULL;
}

/* The same under locks, which the first one gives back before it persists, or behind that, or which spins. */
static void hand_over(long number, int persists_first, void (*lock)(void), void (*unlock)(void))
{
	long *slot = &log_of_turns[8];
	pthread_barrier_wait(&barrier);
	for (long i = 1; i <= (number == 0 ? 5 : 1); i++) {
		lock();
		if (number == 0)
			__atomic_store_n(slot, i, __ATOMIC_RELAXED);
		else
			note(__atomic_load_n(slot, __ATOMIC_RELAXED));
		if (number == 0 && persists_first)
			__builtin_ia32_clflush(slot);
		unlock();
		if (number == 0 && !persists_first)
			__builtin_ia32_clflush(slot);
	}
}

static void lock_mutex(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock_mutex(void)
{
	pthread_mutex_unlock(&mutex);
}

static void lock_by_spinning(void)
{
	while (atomic_exchange(&flag, 1))
		;
}

static void unlock_spinners(void)
{
	atomic_store(&flag, 0);
}

static void *by_handing_over(void *number)
{
	hand_over((long)number, 0, lock_mutex, unlock_mutex);
	return NULL;
}

static void *by_handing_over_late(void *number)
{
	hand_over((long)number, 1, lock_mutex, unlock_mutex);
	return NULL;
}

static void *by_handing_over_and_spinning(void *number)
{
	hand_over((long)number, 0, lock_by_spinning, unlock_spinners);
	return NULL;
}

static void *by_handing_over_late_and_spinning(void *number)
{
	hand_over((long)number, 1, lock_by_spinning, unlock_spinners);
	return NULL;
}

static int persists_what_is_found;

/* Loads what main stored before there was any other thread, see main; another one may persist it. */
static void *by_finding(void *number)
{
	for (int i = 0; i < 100; i++)
		sched_yield();
	if ((long)number == 0 && persists_what_is_found)
		__builtin_ia32_clflush(&log_of_turns[8]);
	for (int i = 0; i < 10; i++)
		sched_yield();
	if ((long)number == 1)
		note(__atomic_load_n(&log_of_turns[8], __ATOMIC_RELAXED));
	return NULL;
}

/* All wait for the first one to persist its store. */
static void *by_waiting_for_a_writer(void *number)
{
	pthread_barrier_wait(&barrier);
	if ((long)number == 0) {
		note(1);
		atomic_store(&done, 1);
	}
	while (atomic_load(&done) == 0)
		sched_yield();
	return NULL;
}

static void *by_exit(void *number)
{
	for (int i = 0; i < 100; i++) {
		work(2000);
		note((long)number);
		if ((long)number == 2 && i == 50)
			exit(0);
	}
	return NULL;
}

/* One of them sleeps longer than the program runs. */
static void *by_exit_beside_a_sleeper(void *number)
{
	while ((long)number == 1)
		usleep(10000000);
	return by_exit(number);
}

static void on_wake_up(int signal)
{
	(void)signal;
}

/* One would sleep for long, but another one wakes it by a signal, and spins until it is awake. */
static void *by_waking_up(void *number)
{
	static _Atomic pthread_t sleeper;
	if ((long)number == 0) {
		signal(SIGUSR2, on_wake_up);
		sleeper = pthread_self();
		usleep(100000000);
		note((long)number);
		atomic_store(&flag, 1);
	}
	while ((long)number == 1 && !atomic_load(&flag)) {
		if (sleeper != 0)
			pthread_kill(sleeper, SIGUSR2);
		work(2000);
	}
	for (int i = 0; i < 20; i++) {
		work(2000);
		note((long)number);
	}
	return NULL;
}

static const struct {
	const char *name;
	void *(*body)(void *);
	int threads;
} programs[] = {{"mutex", by_mutex, 4}, {"condition", by_condition, 4}, {"barrier", by_barrier, 4},
		{"queue", by_queue, 4}, {"spin", by_spinning, 4}, {"pause", by_pausing, 4}, {"yield", by_yielding, 4},
		{"sync", by_syncing, 3}, {"sleep", by_sleeping, 4}, {"timed", by_timed_wait, 4}, {"fork", by_fork, 4},
		{"signal", by_signal, 4}, {"detached", by_leaving, MANY}, {"many", by_mutex, MANY}, {"join", by_joining, 3},
		{"pipe", by_pipe, 4}, {"deadlock", by_deadlock, 2}, {"exit", by_exit, 4}, {"read", by_reading, 2},
		{"hand-over", by_handing_over, 2}, {"hand-over-late", by_handing_over_late, 2},
		{"hand-over-spinning", by_handing_over_and_spinning, 2},
		{"hand-over-late-spinning", by_handing_over_late_and_spinning, 2}, {"find", by_finding, 2},
		{"find-and-persist", by_finding, 2}, {"own", by_own_lock, 2}, {"wait", by_waiting_for_a_writer, 3},
		{"exit-beside-a-sleeper", by_exit_beside_a_sleeper, 4}, {"wake-up", by_waking_up, 4}};

int main(int argc, char **argv)
{
	CHECK(argc == 3 && chdir(argv[1]) == 0);
	log_of_turns = (long *)map_file("turns", LOG * sizeof(long));
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 4; i++)
		CHECK(pipe(ends[i]) == 0);
	sem_init(&items, 0, 0);
	sem_init(&room, 0, 3);
	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
		pthread_t threads[MANY];
		if (strcmp(programs[i].name, argv[2]) != 0)
			continue;
		pthread_barrier_init(&barrier, NULL, (unsigned)programs[i].threads);
		persists_what_is_found = strcmp(argv[2], "find-and-persist") == 0;
		if (programs[i].body == by_finding) {
			__atomic_store_n(&log_of_turns[8], 1, __ATOMIC_RELAXED);
			__builtin_ia32_sfence();
		}
		for (long j = 0; j < programs[i].threads; j++)
			CHECK(pthread_create(&threads[j], NULL, programs[i].body, (void *)j) == 0);
		if (programs[i].body == by_finding && !persists_what_is_found)
			__builtin_ia32_clflush(&log_of_turns[8]);
		if (programs[i].body == by_leaving) {
			while (atomic_load(&done) < MANY)
				sched_yield();
			return 0;
		}
		for (int j = 0; j < programs[i].threads; j++)
			pthread_join(threads[j], NULL);
		return 0;
	}
	return 2;
}
