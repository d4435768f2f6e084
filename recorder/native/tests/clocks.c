/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints everything that differs between executions of one program, and ends only when time advances. */
#include "pm.h"

#include <cpuid.h>
#include <poll.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <x86intrin.h>

static void hex(const char *name, const void *bytes, size_t size)
{
	printf("%s ", name);
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const unsigned char *)bytes)[i]);
	printf("\n");
}

static double now(clockid_t clock)
{
	struct timespec time;
	CHECK(clock_gettime(clock, &time) == 0);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void random_numbers(void)
{
	char bytes[24];
	CHECK(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
	hex("getrandom", bytes, sizeof bytes);
	CHECK(read(open("/dev/urandom", O_RDONLY), bytes, 16) == 16);
	hex("urandom", bytes, 16);
	CHECK(read(open("/dev/random", O_RDONLY), bytes, 8) == 8);
	hex("random", bytes, 8);
	char uuid[40] = "";
	CHECK(read(open("/proc/sys/kernel/random/uuid", O_RDONLY), uuid, 37) == 37);
	printf("uuid %s", uuid);
	hex("AT_RANDOM", (void *)getauxval(AT_RANDOM), 16);
	unsigned cpu, node;
	CHECK(syscall(SYS_getcpu, &cpu, &node, NULL) == 0);
	printf("cpu %u\n", cpu);
	unsigned number;
	if (__builtin_cpu_supports("rdrnd")) {
		__asm__ volatile("rdrand %0" : "=r"(number));
		printf("rdrand %u\n", number);
	}
}

// Some virtual machines lack it.
static int has_rdtscp(void)
{
	unsigned a, b, c, d;
	return __get_cpuid(0x80000001, &a, &b, &c, &d) && (d & 1u << 27);
}

static void times(void)
{
	struct timeval value;
	gettimeofday(&value, NULL);
	printf("gettimeofday %ld %ld\n", value.tv_sec, value.tv_usec);
	printf("time %ld %ld\n", time(NULL), syscall(SYS_time, NULL));
	for (int clock = 0; clock < 8; clock++)
		printf("clock %d %.6f\n", clock, now(clock));
	unsigned aux;
	unsigned long long ticks = __rdtsc();
	printf("rdtsc %llu %llu\n", ticks, (unsigned long long)(has_rdtscp() ? __rdtscp(&aux) : __rdtsc()));
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int flag;

static void *waker(void *argument)
{
	(void)argument;
	usleep(20000);
	pthread_mutex_lock(&mutex);
	flag = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static struct timespec in(clockid_t clock, long ms)
{
	struct timespec time;
	clock_gettime(clock, &time);
	time.tv_nsec += ms * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

/* How much the clock says a wait took, in milliseconds. */
#define TOOK(name, call) \
	do { \
		double begin = now(CLOCK_MONOTONIC); \
		call; \
		printf("%s %.0f\n", name, (now(CLOCK_MONOTONIC) - begin) * 1000); \
	} while (0)

static void waits(void)
{
	struct timespec thirty = {0, 30000000}, until;
	struct timeval value = {0, 30000};
	TOOK("nanosleep", nanosleep(&thirty, NULL));
	TOOK("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &thirty, NULL));
	until = in(CLOCK_MONOTONIC, 30);
	TOOK("clock_nanosleep until", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	until = in(CLOCK_REALTIME, 30);
	TOOK("clock_nanosleep until date", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL));
	TOOK("poll", poll(NULL, 0, 30));
	TOOK("ppoll", ppoll(NULL, 0, &thirty, NULL));
	TOOK("select", select(0, NULL, NULL, NULL, &value));
	TOOK("pselect", pselect(0, NULL, NULL, NULL, &thirty, NULL));
	struct epoll_event event;
	int epoll = epoll_create1(0);
	TOOK("epoll", epoll_wait(epoll, &event, 1, 30));
	pthread_mutex_lock(&mutex);
	until = in(CLOCK_REALTIME, 30);
	TOOK("cond", CHECK(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT));
	pthread_t thread;
	until = in(CLOCK_REALTIME, 20000);
	CHECK(pthread_create(&thread, NULL, waker, NULL) == 0);
	while (!flag) /* must not time out: the thread comes first */
		CHECK(pthread_cond_timedwait(&condition, &mutex, &until) == 0);
	pthread_mutex_unlock(&mutex);
	CHECK(pthread_join(thread, NULL) == 0);
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct itimerspec spec = {{0, 0}, in(CLOCK_MONOTONIC, 30)};
	CHECK(timerfd_settime(timer, TFD_TIMER_ABSTIME, &spec, NULL) == 0);
	uint64_t count;
	CHECK(read(timer, &count, 8) == 8);
}

static void loop_until_time_is_over(void)
{
	double end = now(CLOCK_MONOTONIC) + 0.05;
	while (now(CLOCK_MONOTONIC) < end)
		;
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	char *pm = map_file("clocks", 4096);
	random_numbers();
	times();
	waits();
	loop_until_time_is_over();
	CHECK(getrandom(pm, 100, 0) == 100);
	CHECK(clock_gettime(CLOCK_REALTIME, (struct timespec *)(pm + 200)) == 0);
	*(time_t *)(pm + 300) = time((time_t *)(pm + 400));
	persist(pm);
	fflush(stdout);
	if (fork() == 0) {
		random_numbers();
		times();
		fflush(stdout);
		_exit(0);
	}
	CHECK(wait(NULL) > 0);
	return 0;
}
