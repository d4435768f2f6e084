/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways to map PM files: aliases, pieces, moved and replaced mappings, paths of all kinds. */
#include "pm.h"

/* Stores that begin before the only mapping there is. */
static void across_the_beginning(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = make_file("beginning", 4096);
	CHECK(mmap(p + 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == p + 4096);
	__asm__ volatile("pcmpeqd %%xmm0, %%xmm0; movups %%xmm0, (%0)" : : "r"(p + 4096 - 1) : "memory", "xmm0");
	*(uint64_t *)(p + 4096 - 3) = 0x0102030405060708;
	fsync(fd);
}

static void aliases(void)
{
	int fd = make_file("alias", 65536);
	char *a = map_fd(fd, 65536, 0);
	char *b = map_fd(fd, 8192, 4096);
	char *c = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE, fd, 0);
	CHECK(c != MAP_FAILED);
	char *private = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	a[4096] = 1;
	b[1] = 2;
	c[4098] = 3;
	private[4099] = 4; /* no PM */
	*(long *)(b + 8184) = -1;
	a[12287] = 5;
	int again = open("./alias", O_RDWR);
	char *d = map_fd(again, 4096, 4096);
	d[100] = 6;
	munmap(a, 65536);
	b[200] = 7;
	c[60000] = 8;
}

static void pieces(void)
{
	int fd = make_file("pieces", 65536);
	char *p = map_fd(fd, 65536, 0);
	memset(p, 1, 65536);
	CHECK(munmap(p + 8192, 8192) == 0);
	p[8191] = 2;
	p[16384] = 3;
	CHECK(munmap(p, 4096) == 0);
	CHECK(munmap(p + 61440, 100) == 0);
	char *anonymous = mmap(p + 20480, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	CHECK(anonymous == p + 20480);
	anonymous[7] = 4; /* no PM */
	*(uint64_t *)(p + 20480 - 4) = ~0UL; /* half of it is PM */
	*(uint64_t *)(p + 20480 + 4092) = ~0UL;
	int other = make_file("other", 8192);
	CHECK(mmap(p + 32768, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, other, 0) == p + 32768);
	*(uint64_t *)(p + 32764) = 0x0506070801020304; /* half in each file */
	memset(p + 40000, 9, 3000);
	CHECK(mprotect(p + 4096, 4096, PROT_READ) == 0);
	CHECK(mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE) == 0);
	p[5000] = 10;
}

static void moves(void)
{
	int fd = make_file("moved", 1 << 20);
	char *p = map_fd(fd, 16384, 0);
	p[16383] = 1;
	p = mremap(p, 16384, 65536, MREMAP_MAYMOVE);
	CHECK(p != MAP_FAILED);
	p[65535] = 2;
	char *place = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *moved = mremap(p, 65536, 131072, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	CHECK(moved == place);
	moved[100000] = 3;
	p = mmap(p, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	p[5] = 4; /* no PM any more */
	moved = mremap(moved, 131072, 8192, 0);
	CHECK(moved == place);
	moved[8191] = 5;
	char *part = mremap(moved + 4096, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, place + 65536);
	if (part != MAP_FAILED)
		part[1] = 6;
	moved[1] = 7;
}

/* A mapping is moved to where another PM file was mapped, and to where the same one was. */
static void moves_onto_others(void)
{
	int fd = make_file("underneath", 16384);
	char *under = map_fd(fd, 16384, 0);
	char *p = map_fd(make_file("onto", 8192), 8192, 0);
	CHECK(mremap(p, 8192, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, under + 4096) == under + 4096);
	under[1] = 1;
	under[4097] = 2; /* of the other file */
	under[12287] = 3;
	under[12288] = 4;
	p = map_fd(fd, 4096, 12288);
	CHECK(mremap(p, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, under) == under);
	under[2] = 5; /* at the end of the file */
}

static void paths(void)
{
	CHECK(mkdir("below", 0755) == 0 && mkdir("below/deep", 0755) == 0);
	CHECK(symlink("below/deep", "shortcut") == 0);
	CHECK(symlink("below/file", "link") == 0);
	map_file("below/deep/a", 4096)[0] = 1;
	map_file("shortcut/b", 4096)[0] = 2;
	map_file("below/../below/./deep//c", 4096)[0] = 3;
	map_file("link", 4096)[0] = 4; /* makes below/file */
	char absolute[4096];
	CHECK(getcwd(absolute, 3000) != NULL);
	strcat(absolute, "/absolute");
	map_file(absolute, 4096)[0] = 5;
	int directory = open("below", O_RDONLY | O_DIRECTORY);
	int fd = openat(directory, "deep/d", O_CREAT | O_RDWR, 0600);
	CHECK(fd >= 0 && ftruncate(fd, 4096) == 0);
	map_fd(fd, 4096, 0)[9] = 6;
	char proc[64];
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	int reopened = open(proc, O_RDWR);
	map_fd(reopened, 4096, 0)[10] = 7;
	CHECK(chdir("below/deep") == 0);
	map_file("e", 4096)[0] = 8;
	map_file("../f", 4096)[0] = 9;
	CHECK(chdir("../..") == 0);
	CHECK(fchdir(directory) == 0);
	map_file("g", 4096)[0] = 10;
	CHECK(chdir("..") == 0);
}

static void not_pm(void)
{
	int memory = memfd_create("memory", 0);
	CHECK(ftruncate(memory, 4096) == 0);
	map_fd(memory, 4096, 0)[0] = 1;
	char *anonymous = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	anonymous[0] = 1;
	char outside[] = "../outside-XXXXXX";
	int fd = mkstemp(outside);
	CHECK(fd >= 0 && ftruncate(fd, 4096) == 0);
	map_fd(fd, 4096, 0)[0] = 1;
	unlink(outside);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	across_the_beginning();
	char *old = map_file("old", 8192); /* there before the run, with content */
	old[4000] = 'o';
	aliases();
	pieces();
	moves();
	moves_onto_others();
	paths();
	not_pm();
	persist(old);
	return 0;
}
