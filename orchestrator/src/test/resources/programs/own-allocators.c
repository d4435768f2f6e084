/*
 * A program with an allocator of its own. The reader reads an object without a lock; the writer frees it, allocates
 * again and gets the same memory, fills it and publishes it under a lock. Variant "bug" publishes it before it is
 * persisted. The kind says which function allocates the second time.
 */
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OWN __attribute__((noipa))
#define BLOCK 256

static char *pool;
static char *free_block;
static size_t used = 4096;
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int turns;
static volatile long *published;
static volatile long sink;
static const char *kind;
static int is_bug;

static void persist(const volatile void *where)
{
	_mm_clflush((const void *)where);
	_mm_sfence();
}

static char *take(void)
{
	pthread_mutex_lock(&heap);
	char *block = free_block;
	free_block = NULL;
	if (block == NULL) {
		block = pool + used;
		used += BLOCK;
	}
	pthread_mutex_unlock(&heap);
	return block;
}

OWN void give_back(void *block)
{
	pthread_mutex_lock(&heap);
	free_block = block;
	pthread_mutex_unlock(&heap);
}

OWN void *allocate(size_t size)
{
	return size > BLOCK ? NULL : take();
}

/* What it stores itself belongs to the new owner. */
OWN void *allocate_zeros(size_t count, size_t size)
{
	long *block = allocate(count * size);
	for (size_t i = 0; i < count * size / sizeof *block; i++)
		((volatile long *)block)[i] = 0;
	for (size_t i = 0; i < count * size; i += 64)
		persist((char *)block + i);
	return block;
}

OWN int allocate_to(size_t size, void **block)
{
	*block = allocate(size);
	return *block == NULL ? -1 : 0;
}

OWN size_t allocate_offset(char *start, size_t size)
{
	return (size_t)((char *)allocate(size) - start);
}

OWN void *new_node(void)
{
	return take();
}

/* All objects have the same room. */
OWN void *resize(void *block, size_t size)
{
	return size <= BLOCK ? block : NULL;
}

static long *again(long *object)
{
	void *block = object;
	if (strcmp(kind, "resized") == 0)
		return resize(block, 2 * sizeof *object);
	give_back(block);
	if (strcmp(kind, "result") == 0)
		return allocate(sizeof *object);
	if (strcmp(kind, "zeros") == 0)
		return allocate_zeros(2, sizeof *object);
	if (strcmp(kind, "offset") == 0)
		return (long *)(pool + allocate_offset(pool, sizeof *object));
	if (strcmp(kind, "node") == 0)
		return new_node();
	if (strcmp(kind, "failed") == 0 && allocate_to(2 * BLOCK, &block) != 0)
		block = allocate(sizeof *object);
	else
		allocate_to(sizeof *object, &block);
	return block;
}

static void pass(int number)
{
	turns = number;
}

static void turn(int number)
{
	while (turns < number)
		sched_yield();
}

static void publish(long *object)
{
	pthread_mutex_lock(&lock);
	published = object;
	pthread_mutex_unlock(&lock);
	pass(turns + 1);
	turn(turns + 1);
}

static void fill(long *object)
{
	*(volatile long *)object = 2;
	if (is_bug)
		publish(object);
	persist(object);
	if (!is_bug)
		publish(object);
}

static void *writer(void *unused)
{
	long *object = allocate(sizeof *object);
	*object = 1;
	persist(object);
	publish(object);
	fill(again(object));
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	sink = *published;
	pass(2);
	turn(3);
	pthread_mutex_lock(&lock);
	sink = *published;
	pthread_mutex_unlock(&lock);
	pass(4);
	return unused;
}

int main(int count, char **arguments)
{
	pthread_t threads[2];
	if (count != 4)
		return 2;
	kind = arguments[2];
	is_bug = strcmp(arguments[3], "bug") == 0;
	int file = open(arguments[1], O_RDWR | O_CREAT, 0644);
	if (file < 0 || ftruncate(file, 1 << 16) != 0)
		return 2;
	pool = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
