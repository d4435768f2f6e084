/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random mix of everything: random DIRECTORY SEED THREADS FORKS OPERATIONS. The same seed does the same with one thread.
 * Threads and processes race for the file `shared`; a file of its own (own-N) each of them also resizes and maps anew.
 */
#include "pm.h"

#include <immintrin.h>
#include <pthread.h>
#include <sys/uio.h>

#define SHARED 65536
#define OWN (8 * 4096)
#define LARGEST 700

typedef struct {
  uint64_t state;
  int number;
  int operations;
  char *base[2]; /* two mappings of the shared file */
  int shared;
  int source; /* an ordinary file to read from */
  int own;
  char *map; /* of the own file */
  long map_size;
} Actor;

static int forks_left;
static uint64_t seed;

static uint64_t next(Actor *a) {
  a->state ^= a->state << 13;
  a->state ^= a->state >> 7;
  a->state ^= a->state << 17;
  return a->state * 0x2545F4914F6CDD1DULL;
}

static long below(Actor *a, long limit) { return (long)((next(a) >> 11) % (uint64_t)limit); }

/* A place in the shared file or the own one with room for `size` bytes. */
static char *place(Actor *a, long size, long alignment) {
  char *base = a->base[below(a, 2)];
  long room = SHARED;
  if (a->map_size >= 4096 && below(a, 4) == 0) {
    base = a->map;
    room = a->map_size;
  }
  return base + below(a, (room - size) / alignment + 1) * alignment;
}

__attribute__((target("avx2"))) static void vector_store(Actor *a, int kind) {
  __m256i value = _mm256_set1_epi64x((long long)next(a));
  __m128i half = _mm256_castsi256_si128(value);
  switch (kind) {
  case 0: _mm256_storeu_si256((__m256i *)place(a, 32, 1), value); break;
  case 1: _mm256_stream_si256((__m256i *)place(a, 32, 32), value); break;
  case 2: _mm_storeu_si128((__m128i *)place(a, 16, 1), half); break;
  case 3: _mm_stream_si128((__m128i *)place(a, 16, 16), half); break;
  case 4: _mm256_maskstore_epi32((int *)place(a, 32, 1), _mm256_set1_epi64x((long long)next(a)), value); break;
  default: _mm_maskmoveu_si128(half, _mm_set1_epi64x((long long)next(a)), place(a, 16, 1)); break;
  }
}

static void plain_store(Actor *a, int kind) {
  uint64_t value = next(a);
  switch (kind) {
  case 0: *place(a, 1, 1) = (char)value; break;
  case 1: *(uint16_t *)place(a, 2, 1) = (uint16_t)value; break;
  case 2: *(uint32_t *)place(a, 4, 1) = (uint32_t)value; break;
  case 3: *(uint64_t *)place(a, 8, 1) = value; break;
  case 4: _mm_stream_si64((long long *)place(a, 8, 8), (long long)value); break;
  default: *(long double *)place(a, 16, 1) = (long double)value; break;
  }
}

static void locked_store(Actor *a, int kind) {
  uint64_t *p = (uint64_t *)place(a, 8, 8);
  uint64_t value = next(a);
  uint64_t old = *p;
  switch (kind) {
  case 0: __sync_fetch_and_add(p, value); break;
  case 1: __sync_bool_compare_and_swap(p, old, value); break;
  case 2: __sync_bool_compare_and_swap(p, old + 1, value); break; /* fails */
  case 3: __sync_lock_test_and_set(p, value); break;
  case 4: __sync_fetch_and_or((uint8_t *)p, (uint8_t)value); break;
  default: {
    char *wide = place(a, 16, 16);
    uint64_t low = ((uint64_t *)wide)[0], high = ((uint64_t *)wide)[1];
    __asm__ volatile("lock cmpxchg16b %0"
                     : "+m"(*(__int128 *)wide), "+a"(low), "+d"(high)
                     : "b"(value), "c"(~value)
                     : "memory", "cc");
  }
  }
}

static void large_store(Actor *a, int kind) {
  char text[LARGEST];
  long size = below(a, LARGEST) + 1;
  for (long i = 0; i < size; i++)
    text[i] = (char)next(a);
  char *to = place(a, size, 1);
  void *target = to;
  const void *from = text;
  unsigned long count = (unsigned long)size;
  switch (kind) {
  case 0: memcpy(to, text, (size_t)size); break;
  case 1: memset(to, text[0], (size_t)size); break;
  case 2: memmove(to, place(a, size, 1), (size_t)size); break;
  case 3: __asm__ volatile("rep movsb" : "+D"(target), "+S"(from), "+c"(count) : : "memory"); break;
  default: __asm__ volatile("rep stosb" : "+D"(target), "+c"(count) : "a"(text[1]) : "memory"); break;
  }
}

static void flush_or_fence(Actor *a, int kind) {
  char *p = place(a, 1, 1);
  switch (kind) {
  case 0: __asm__ volatile("clflush %0" ::"m"(*p) : "memory"); break;
  case 1: __asm__ volatile("clflushopt %0" ::"m"(*p) : "memory"); break;
  case 2: __asm__ volatile("clwb %0" ::"m"(*p) : "memory"); break;
  case 3: __asm__ volatile("mfence" ::: "memory"); break;
  default: __asm__ volatile("sfence" ::: "memory"); break;
  }
}

static void kernel_store(Actor *a, int kind) {
  long size = below(a, LARGEST) + 1;
  struct iovec parts[2] = {{place(a, size, 1), (size_t)size}, {place(a, 20, 1), 20}};
  switch (kind) {
  case 0: CHECK(pread(a->source, parts[0].iov_base, (size_t)size, below(a, 3000)) >= 0); break;
  case 1: CHECK(preadv(a->source, parts, 2, below(a, 3000)) >= 0); break;
  default: CHECK(pread(a->source, parts[0].iov_base, (size_t)size, 1 << 20) == 0); break; /* behind its end */
  }
}

static void file_write(Actor *a, int kind) {
  char text[LARGEST];
  long size = below(a, LARGEST) + 1;
  memset(text, (int)next(a), sizeof text);
  struct iovec parts[2] = {{text, (size_t)size}, {text, 3}};
  switch (kind) {
  case 0: CHECK(pwrite(a->shared, text, (size_t)size, below(a, SHARED - size)) == size); break;
  case 1: CHECK(pwritev(a->shared, parts, 2, below(a, SHARED - size - 3)) == size + 3); break;
  case 2: CHECK(pwrite(a->own, text, (size_t)size, below(a, OWN)) == size); break;
  case 3: CHECK(write(a->own, text, (size_t)size) == size); break;
  default: CHECK(lseek(a->own, below(a, OWN), SEEK_SET) >= 0); break;
  }
}

/* The own file may shrink only where it is not mapped. */
static void resize(Actor *a, int kind) {
  switch (kind) {
  case 0: CHECK(ftruncate(a->own, a->map_size + below(a, OWN)) == 0); break;
  case 1: CHECK(fallocate(a->own, 0, below(a, OWN), below(a, 9000) + 1) == 0); break;
  case 2:
    CHECK(fallocate(a->own, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, below(a, OWN), below(a, 9000) + 1) == 0);
    break;
  default: CHECK(fallocate(a->shared, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, below(a, SHARED), below(a, 300) + 1) == 0);
  }
}

static long own_pages(Actor *a) {
  struct stat status;
  CHECK(fstat(a->own, &status) == 0);
  return status.st_size / 4096 * 4096;
}

static void map_anew(Actor *a, int kind) {
  long size = own_pages(a);
  if (size > 4 * OWN || size == 0)
    return;
  if (a->map == NULL) {
    a->map = map_fd(a->own, (size_t)size, 0);
    a->map_size = size;
  } else if (kind == 0) {
    CHECK(munmap(a->map, (size_t)a->map_size) == 0);
    a->map = NULL;
    a->map_size = 0;
  } else if (kind == 1) {
    char *moved = mremap(a->map, (size_t)a->map_size, (size_t)size, MREMAP_MAYMOVE);
    CHECK(moved != MAP_FAILED);
    a->map = moved;
    a->map_size = size;
  } else if (a->map_size > 8192) {
    CHECK(munmap(a->map + a->map_size - 4096, 4096) == 0);
    a->map_size -= 4096;
  }
}

static void persist_file(Actor *a, int kind) {
  switch (kind) {
  case 0: CHECK(msync(a->base[0], SHARED, MS_SYNC) == 0); break;
  case 1: CHECK(fsync(a->own) == 0); break;
  default: CHECK(fdatasync(a->shared) == 0); break;
  }
}

static void files(Actor *a, int kind) {
  char name[64], other[64];
  snprintf(name, sizeof name, "file-%d-%ld", a->number, below(a, 5));
  snprintf(other, sizeof other, "file-%d-%ld", a->number, below(a, 5));
  int fd;
  switch (kind) {
  case 0:
    fd = open(name, O_CREAT | O_WRONLY | (below(a, 2) ? O_TRUNC : O_APPEND), 0644);
    CHECK(fd >= 0 && write(fd, name, strlen(name)) > 0);
    close(fd);
    break;
  case 1: (void)!unlink(name); break;
  case 2: (void)!rename(name, other); break;
  default: (void)!link(name, other); break;
  }
}

static void *act(void *argument);

static void start_actor(Actor *a, int number, const Actor *parent) {
  memset(a, 0, sizeof *a);
  a->number = number;
  a->state = (seed + 1) * 0x9E3779B97F4A7C15ULL + (uint64_t)number * 0xD1B54A32D192ED03ULL;
  a->operations = parent->operations;
  a->shared = parent->shared;
  a->source = parent->source;
  a->base[0] = parent->base[0];
  a->base[1] = parent->base[1];
  char name[64];
  snprintf(name, sizeof name, "own-%d", number);
  a->own = make_file(name, below(a, OWN));
}

static void fork_child(Actor *a) {
  if (forks_left == 0 || a->number % 100 != 0)
    return;
  forks_left--;
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    Actor child;
    start_actor(&child, a->number + 100 * (forks_left + 1), a);
    child.operations = a->operations / 2;
    forks_left = 0;
    act(&child);
    _exit(0);
  }
}

static void *act(void *argument) {
  Actor *a = argument;
  for (int i = 0; i < a->operations; i++) {
    int kind = (int)below(a, 6);
    switch (below(a, 16)) {
    case 0:
    case 1:
    case 2:
    case 3: plain_store(a, kind); break;
    case 4:
    case 5: vector_store(a, kind); break;
    case 6:
    case 7: locked_store(a, kind); break;
    case 8: large_store(a, kind); break;
    case 9:
    case 10: flush_or_fence(a, kind); break;
    case 11: kernel_store(a, kind); break;
    case 12: file_write(a, kind); break;
    case 13: resize(a, kind); break;
    case 14: kind < 3 ? map_anew(a, kind) : persist_file(a, kind - 3); break;
    default: kind < 4 ? files(a, kind) : fork_child(a); break;
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  CHECK(argc == 6 && chdir(argv[1]) == 0);
  seed = strtoull(argv[2], NULL, 10);
  int threads = atoi(argv[3]);
  forks_left = atoi(argv[4]);
  Actor first = {.operations = atoi(argv[5])};
  Actor actors[16];
  pthread_t ids[16];
  first.shared = make_file("shared", SHARED);
  first.base[0] = map_fd(first.shared, SHARED, 0);
  first.base[1] = map_fd(first.shared, SHARED, 0);
  first.source = make_file("../source", 0); /* no PM file */
  for (int i = 0; i < 700; i++)
    CHECK(dprintf(first.source, "%d,", i * i) > 0);
  for (int i = 0; i < threads; i++)
    start_actor(&actors[i], i, &first);
  for (int i = 1; i < threads; i++)
    CHECK(pthread_create(&ids[i], NULL, act, &actors[i]) == 0);
  act(&actors[0]);
  for (int i = 1; i < threads; i++)
    CHECK(pthread_join(ids[i], NULL) == 0);
  while (wait(NULL) > 0)
    ;
  return 0;
}
