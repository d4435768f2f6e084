/* Two threads on a PM file: what is done is the second argument. Nothing but locks orders them for an analysis. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int turn;
static const char *what;
static volatile long *pm;

#define X (pm[8])
#define COPY (pm[64])

static void wait_for(int value)
{
	while (turn != value)
		sched_yield();
}

static NOINLINE void flush(volatile void *at)
{
	__asm__ volatile("clwb %0" : "+m"(*(volatile char *)at));
}

static NOINLINE void persist(volatile void *at)
{
	flush(at);
	__asm__ volatile("sfence" ::: "memory");
}

static NOINLINE void use(void)
{
	(void)X;
}

static NOINLINE void store(void)
{
	X = 1;
}

static NOINLINE long load(void)
{
	return X;
}

static NOINLINE void locked_store(void)
{
	pthread_mutex_lock(&mutex);
	store();
	if (strcmp(what, "held") == 0)
		persist(&X);
	else if (strcmp(what, "unlock-fences") == 0)
		flush(&X);
	pthread_mutex_unlock(&mutex);
	if (strcmp(what, "early-unlock") == 0)
		persist(&X);
}

static void *write_it(void *unused)
{
	use();
	turn = 1;
	wait_for(2);
	if (strcmp(what, "publish") == 0) {
		store();
		turn = 3;
		wait_for(4);
		persist(&X);
	} else {
		locked_store();
		turn = 3;
	}
	return unused;
}

static void *read_it(void *unused)
{
	wait_for(1);
	use();
	turn = 2;
	wait_for(3);
	if (strcmp(what, "publish") == 0) {
		COPY = load();
		persist(&COPY);
		turn = 4;
	} else {
		pthread_mutex_lock(&mutex);
		load();
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t writer, reader;
	int file = open(arguments[1], O_RDWR);
	if (count != 3 || file < 0)
		return 1;
	what = arguments[2];
	pm = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pm == MAP_FAILED)
		return 1;
	pthread_create(&writer, NULL, write_it, NULL);
	pthread_create(&reader, NULL, read_it, NULL);
	pthread_join(writer, NULL);
	pthread_join(reader, NULL);
	return 0;
}
