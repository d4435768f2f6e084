/* Maps the file that the first argument names, and flushes it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Macros, so that their line is that of the caller. */
#define clwb(p) __asm__ volatile("clwb %0" : "+m"(*(volatile char *)(p)))
#define sfence() __asm__ volatile("sfence" ::: "memory")

static inline int *pm_alloc(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0644) : -1;
	if (fd < 0 || ftruncate(fd, 1 << 20) != 0) {
		perror("pool");
		exit(1);
	}
	int *pool = (int *)mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pool == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return pool;
}
