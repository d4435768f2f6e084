/*
 * A random mix of all that changes persistent memory.
 *   mix DIR SEED OPERATIONS THREADS [no-calls]
 * DIR holds "pool" and "other", 256 KiB each. With THREADS 0 it is one thread and always does the same. With no-calls
 * no system call stores: one that has just stored for one thread is recorded only when that thread goes on.
 */
#define _GNU_SOURCE
#include <emmintrin.h>
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define POOL (256 << 10)
#define REGION (32 << 10)

static char directory[2048];
static char *pool;
static char *alias;
static int pool_fd;
static int operations;
static int calls_store;

static void must(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

static const char *path(char *buffer, const char *name)
{
	snprintf(buffer, 4096, "%s/%s", directory, name);
	return buffer;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545F4914F6CDD1DULL;
}

static void rep_movs(char *to, const char *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n)::"memory");
}

static void rep_stos(uint64_t *to, uint64_t value, size_t n)
{
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(value) : "memory");
}

__attribute__((target("avx"))) static void store_avx(char *to, uint64_t value)
{
	_mm256_storeu_si256((__m256i *)to, _mm256_set1_epi64x((long long)value));
	_mm256_zeroupper();
}

static void flush(int kind, char *p)
{
	if (kind == 0)
		__asm__ volatile("clwb %0" : "+m"(*p));
	else if (kind == 1)
		__asm__ volatile("clflushopt %0" : "+m"(*p));
	else
		__asm__ volatile("clflush %0" : "+m"(*p));
}

static void cmpxchg16b(char *p, uint64_t low, uint64_t high)
{
	char *at = (char *)((uintptr_t)p & ~15UL);
	uint64_t a = *(uint64_t *)at, d = *(uint64_t *)(at + 8);
	__asm__ volatile("lock cmpxchg16b %0"
					 : "+m"(*(__int128 *)at), "+a"(a), "+d"(d)
					 : "b"(low), "c"(high)
					 : "cc", "memory");
}

static void kernel_store(char *to, uint64_t value)
{
	int ends[2];
	char data[40];
	memset(data, (int)value, sizeof data);
	must(pipe(ends) == 0, "pipe");
	must(write(ends[1], data, sizeof data) == sizeof data, "write");
	struct iovec parts[2] = {{to, 17}, {to + 23, 23}};
	must(readv(ends[0], parts, 2) == 40, "readv");
	close(ends[0]);
	close(ends[1]);
}

/* One instruction (or two) that stores into this region. */
static void store(char *region, uint64_t *state)
{
	uint64_t r = next(state), v = next(state);
	char *p = region + r % (REGION - 512);
	char *aligned = (char *)((uintptr_t)p & ~15UL);
	switch ((r >> 32) % 22) {
	case 0: *(volatile uint8_t *)p = (uint8_t)v; break;
	case 1: *(volatile uint16_t *)p = (uint16_t)v; break;
	case 2: *(volatile uint32_t *)p = (uint32_t)v; break;
	case 3: *(volatile uint64_t *)p = v; break;
	case 4: _mm_storeu_si128((__m128i *)p, _mm_set1_epi64x((long long)v)); break;
	case 5: store_avx(p, v); break;
	case 6: memset(p, (int)v, v % 300 + 1); break;
	case 7: memcpy(p, region + v % (REGION - 512), (v >> 20) % 300 + 1); break;
	case 8: rep_movs(p, region + v % (REGION - 512), (v >> 20) % 200 + 1); break;
	case 9: rep_stos((uint64_t *)p, v, v % 20 + 1); break;
	case 10: atomic_exchange((_Atomic uint64_t *)aligned, v); break;
	case 11: atomic_fetch_add((_Atomic uint32_t *)aligned, (uint32_t)v); break;
	case 12: {
		uint64_t expected = v & 1 ? *(uint64_t *)aligned : v;
		atomic_compare_exchange_strong((_Atomic uint64_t *)aligned, &expected, v);
		break;
	}
	case 13: cmpxchg16b(p, v, ~v); break;
	case 14: _mm_stream_si64((long long *)aligned, (long long)v); break;
	case 15: _mm_stream_si128((__m128i *)aligned, _mm_set1_epi64x((long long)v)); break;
	case 16: _mm_maskmoveu_si128(_mm_set1_epi64x((long long)v), _mm_set1_epi64x((long long)(v << 3)), p); break;
	case 17: *(volatile double *)p = (double)v; break;
	case 18: {
		long double value = (long double)v;
		__asm__ volatile("fldt %1; fstpt %0" : "=m"(*(char(*)[10])p) : "m"(value));
		break;
	}
	case 19: *(volatile uint8_t *)(alias + (p - pool)) = (uint8_t)v; break;
	case 20:
		if (calls_store) {
			kernel_store(p, v);
			break;
		}
		/* fall through */
	default: atomic_fetch_or((_Atomic uint8_t *)p, (uint8_t)v); break;
	}
}

static void persist(char *region, uint64_t *state)
{
	uint64_t r = next(state);
	flush((int)(r % 3), region + (r >> 8) % REGION);
	switch ((r >> 4) % 6) {
	case 0: _mm_mfence(); break;
	case 1: must(msync(pool, POOL, MS_SYNC) == 0, "msync"); break;
	case 2: must(fdatasync(pool_fd) == 0, "fdatasync"); break;
	default: _mm_sfence(); break;
	}
}

/* What is done to whole files, by system calls. */
static void file_operation(uint64_t *state)
{
	char one[4096], two[4096], data[700];
	uint64_t r = next(state);
	memset(data, (int)(r >> 40), sizeof data);
	int fd = open(path(one, "other"), O_RDWR);
	must(fd >= 0, "other");
	switch ((r >> 16) % 9) {
	case 0: must(pwrite(fd, data, r % 700 + 1, (off_t)(r >> 30) % POOL) > 0, "pwrite"); break;
	case 1: must(ftruncate(fd, (off_t)(r >> 30) % (2 * POOL)) == 0, "ftruncate"); break;
	case 2:
		must(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(r >> 30) % POOL, 5000) == 0, "punch");
		break;
	case 3: must(posix_fallocate(fd, 0, (off_t)(r >> 30) % POOL + 1) == 0, "fallocate"); break;
	case 4: must(lseek(fd, 0, SEEK_END) >= 0 && write(fd, data, 300) == 300, "append"); break;
	case 5: {
		int fresh = open(path(two, "fresh"), O_RDWR | O_CREAT | O_TRUNC, 0600);
		must(fresh >= 0 && write(fresh, data, 99) == 99, "fresh");
		close(fresh);
		must(rename(two, path(one, (r >> 50) & 1 ? "renamed" : "renamed too")) == 0, "rename");
		break;
	}
	case 6:
		mkdir(path(one, "sub"), 0700);
		unlink(path(two, "renamed"));
		break;
	case 7: {
		int fresh = open(path(two, "mapped"), O_RDWR | O_CREAT, 0600);
		must(fresh >= 0 && ftruncate(fresh, 8192) == 0, "mapped");
		char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fresh, 0);
		must(map != MAP_FAILED, "mmap");
		close(fresh);
		memset(map + r % 4000, (int)(r >> 20), 4000);
		must(munmap(map, 4096) == 0, "munmap");
		map[4096 + r % 4096] = 1;
		munmap(map + 4096, 4096);
		break;
	}
	default: {
		struct iovec parts[2] = {{data, 10}, {data + 20, 30}};
		must(pwritev(fd, parts, 2, (off_t)(r >> 30) % POOL) == 40, "pwritev");
		break;
	}
	}
	close(fd);
}

static void work(char *region, uint64_t *state, int count)
{
	for (int i = 0; i < count; i++) {
		store(region, state);
		if (next(state) % 4 == 0)
			persist(region, state);
	}
}

static void *thread_main(void *argument)
{
	uint64_t state = 77 + (uintptr_t)argument;
	work(pool + REGION * (1 + (uintptr_t)argument), &state, operations);
	return NULL;
}

static void in_child(uint64_t *state)
{
	pid_t child = fork();
	must(child >= 0, "fork");
	if (child == 0) {
		work(pool, state, 20);
		_exit(0);
	}
	int status;
	must(waitpid(child, &status, 0) == child && status == 0, "child");
}

int main(int argc, char **argv)
{
	char buffer[4096];
	must(argc == 5 || argc == 6, "usage");
	calls_store = argc == 5;
	snprintf(directory, sizeof directory, "%s", argv[1]);
	uint64_t state = strtoull(argv[2], NULL, 10) * 2654435761U + 1;
	operations = atoi(argv[3]);
	int threads = atoi(argv[4]);
	pool_fd = open(path(buffer, "pool"), O_RDWR);
	pool = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_SHARED, pool_fd, 0);
	alias = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_SHARED, pool_fd, 0);
	must(pool != MAP_FAILED && alias != MAP_FAILED, "pool");

	pthread_t running[4];
	for (int i = 0; i < threads; i++)
		must(pthread_create(&running[i], NULL, thread_main, (void *)(uintptr_t)i) == 0, "thread");
	for (int i = 0; i < operations; i++) {
		work(pool, &state, 4);
		if (i % 10 == 3 && calls_store)
			file_operation(&state);
		if (i % 100 == 57 && threads == 0)
			in_child(&state);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(running[i], NULL);
	return 0;
}
