/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads PM in every way there is. The file "old" (64 KiB and some more) is there before.
 *   reads DIR              says, with "read FILE OFFSET SIZE" (and "all FILE"), what it read of what it did not store before
 *   reads DIR SEED COUNT   loads and stores in "old", mapped at 0x7100000000, at random
 */
#include "pm.h"

#include <immintrin.h>
#include <linux/aio_abi.h>
#include <linux/falloc.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define SIZE 65536
#define PLACE ((void *)0x7100000000)

static volatile char sink;
static long at; /* each way has lines of its own */

static long next(long lines)
{
	long begin = at;
	at += 64 * (lines + 1);
	return begin;
}

/* A load whose value nobody uses is left out by Valgrind: it goes here. */
__attribute__((used)) static char kept[64];

#define LOAD(p, instruction, clobber) __asm__ volatile(instruction ::"r"(p) : "memory", clobber)

static void loads(char *pm)
{
	long o = next(1);
	say("read old %ld 1", o + 63);
	sink = pm[o + 63];
	sink = pm[o + 62]; /* reported once */
	o = next(2);
	say("read old %ld 8", o + 60); /* over the border of two lines */
	LOAD(pm + o + 60, "movq (%0), %%rax; movq %%rax, kept(%%rip)", "rax");
	o = next(1);
	say("read old %ld 32", o + 32);
	LOAD(pm + o + 32, "vmovdqu (%0), %%ymm0; vmovdqu %%ymm0, kept(%%rip)", "xmm0");
	o = next(1);
	say("read old %ld 10", o);
	LOAD(pm + o, "fldt (%0); fstp %%st(0)", "st");
	o = next(1);
	say("read old %ld 28", o);
	LOAD(pm + o, "fldenv (%0)", "cc");
	__asm__ volatile("fninit");
	o = next(1);
	say("read old %ld 4", o);
	LOAD(pm + o, "lock cmpxchgl %%ecx, (%0)", "cc");
	o = next(1);
	say("read old %ld 16", o + 16);
	LOAD(pm + o + 16, "xorl %%eax, %%eax; xorl %%edx, %%edx; lock cmpxchg16b (%0)", "rax");
	o = next(1);
	say("read old %ld 8", o);
	LOAD(pm + o, "lock xaddq %%rax, (%0)", "rax");
	o = next(1);
	say("read old %ld 1", o);
	LOAD(pm + o, "incb (%0)", "cc");
	o = next(1);
	say("read old %ld 8", o);
	LOAD(pm + o, "lea (%0), %%rsi; lodsq; movq %%rax, kept(%%rip)", "rsi");
	o = next(3);
	say("read old %ld 130", o);
	LOAD(pm + o, "mov %0, %%rsi; lea -256(%%rsp), %%rdi; mov $130, %%ecx; rep movsb", "rsi");
	o = next(1);
	say("read old %ld 4", o + 8); /* only the element of the mask */
	LOAD(pm + o,
			"pcmpeqd %%xmm1, %%xmm1; pslldq $12, %%xmm1; psrldq $4, %%xmm1; vmaskmovps (%0), %%xmm1, %%xmm0; movdqu %%xmm0, kept(%%rip)",
			"xmm1");
}

/* What the program stored itself reveals nothing. */
static void stored_before(char *pm)
{
	long o = next(1);
	*(volatile long *)(pm + o + 8) = 1;
	LOAD(pm + o + 8, "movq (%0), %%rax; movq %%rax, kept(%%rip)", "rax");
	LOAD(pm + o + 12, "movb (%0), %%al; movb %%al, kept(%%rip)", "rax");
	o = next(1);
	*(volatile long *)(pm + o + 8) = 1;
	say("read old %ld 8", o + 9);
	LOAD(pm + o + 9, "movq (%0), %%rax; movq %%rax, kept(%%rip)", "rax");
	o = next(1);
	*(volatile long *)(pm + o + 56) = 1;
	say("read old %ld 8", o + 64); /* the second line only */
	LOAD(pm + o + 60, "movq (%0), %%rax; movq %%rax, kept(%%rip)", "rax");
	o = next(1);
	LOAD(pm + o, "mov %0, %%rdi; xorl %%eax, %%eax; mov $8, %%ecx; rep stosq", "rdi");
	LOAD(pm + o + 32, "vmovdqu (%0), %%ymm0; vmovdqu %%ymm0, kept(%%rip)", "xmm0");
	o = next(1); /* a store that did not happen */
	say("read old %ld 8", o);
	LOAD(pm + o, "movq (%0), %%rax; notq %%rax; lock cmpxchgq %%rcx, (%0)", "rax");
	o = next(1);
	int fd = open("old", O_RDWR);
	char text[64];
	CHECK(pwrite(fd, "0123456789", 10, o) == 10);
	sink = pm[o + 9];
	CHECK(pread(fd, text, 5, o + 3) == 5);
	o = next(1);
	CHECK(pwrite(fd, "0123456789", 10, o) == 10);
	say("read old %ld 1", o + 10);
	sink = pm[o + 10];
	/* stored by the child: the parent may know, and need not */
	o = next(1);
	*(volatile char *)(pm + o) = 1;
	if (fork() == 0) {
		sink = pm[o];
		say("read old %ld 1", o + 1);
		sink = pm[o + 1];
		_exit(0);
	}
	say("read old %ld 1", o + 1);
	CHECK(wait(NULL) > 0);
	close(fd);
}

static void by_the_kernel(char *pm)
{
	int ends[2], fd = open("old", O_RDWR);
	char text[4096];
	CHECK(fd >= 0 && pipe(ends) == 0);
	long o = next(2);
	say("read old %ld 100", o);
	CHECK(write(ends[1], pm + o, 100) == 100);
	o = next(2);
	say("read old %ld 10", o);
	say("read old %ld 10", o + 64);
	struct iovec parts[2] = {{pm + o, 10}, {pm + o + 64, 10}};
	CHECK(writev(ends[1], parts, 2) == 20);
	o = next(2);
	say("read old %ld 70", o);
	CHECK(pread(fd, text, 70, o) == 70);
	o = next(2);
	say("read old %ld 70", o);
	CHECK(lseek(fd, o, SEEK_SET) == o && read(fd, text, 70) == 70);
	o = next(2);
	say("read old %ld 20", o + 60);
	parts[0].iov_base = text;
	parts[1].iov_base = text + 100;
	CHECK(preadv(fd, parts, 2, o + 60) == 20);
	o = next(2);
	say("read old %ld 20", o);
	CHECK(lseek(fd, o, SEEK_SET) == o && readv(fd, parts, 2) == 20);
	say("read old %ld 36", SIZE + 64L); /* at its end, what is there and no more */
	CHECK(pread(fd, text, 4096, SIZE + 64) == 36);
	CHECK(pread(fd, text, 4096, SIZE + 100) == 0);
	/* into PM: what the kernel stores there may be read, and counts as what was there */
	o = next(2);
	CHECK(write(ends[1], text, 64) == 64);
	CHECK(read(ends[0], pm + o, 64) == 64);
	say("read old %ld 1", o);
	sink = pm[o];
	int sockets[2];
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	o = next(1);
	say("read old %ld 30", o);
	CHECK(send(sockets[0], pm + o, 30, 0) == 30);
	close(fd);
}

static int copy_of_old(const char *name)
{
	char text[4096];
	int fd = open(name, O_RDWR);
	CHECK(fd >= 0);
	CHECK(pread(fd, text, 0, 0) == 0);
	return fd;
}

static void run(const char *program)
{
	if (fork() == 0) {
		execl(program, program, ".", "exit", NULL);
		_exit(98);
	}
	int status;
	CHECK(wait(&status) > 0 && status == 0);
}

static void whole_files(void)
{
	int sockets[2], pipes[2], to = make_file("new", 0);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && pipe(pipes) == 0);
	CHECK(sendfile(sockets[0], copy_of_old("sent"), NULL, 100) == 100);
	say("all sent");
	CHECK(copy_file_range(copy_of_old("copied"), NULL, to, NULL, 100, 0) == 100);
	say("all copied");
	CHECK(splice(copy_of_old("spliced"), NULL, pipes[1], NULL, 100, 0) == 100);
	say("all spliced");
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, copy_of_old("private"), 0) != MAP_FAILED);
	say("all private");
	CHECK(mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, copy_of_old("code"), 0) != MAP_FAILED);
	say("all code");
	CHECK(rename("left", "../left") == 0 && rename("../left", "back") == 0);
	say("all left");
	aio_context_t context = 0;
	char text[100];
	struct iocb read = {.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_fildes = (uint32_t)copy_of_old("aio"),
			.aio_buf = (uintptr_t)text,
			.aio_nbytes = 100};
	struct iocb *requests[] = {&read};
	struct io_event event;
	if (syscall(SYS_io_setup, 8, &context) == 0) {
		CHECK(syscall(SYS_io_submit, context, 1, requests) == 1);
		CHECK(syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1);
		say("all aio");
	}
	run("./program");
	say("all program");
	run("./script");
	say("all script");
	CHECK(execl("./no program", "no program", NULL) == -1);
	say("all no program");
	/* What was not read: opened, mapped, stored to, stat */
	int fd = copy_of_old("untouched");
	char *pm = map_fd(fd, 4096, 0);
	*(volatile char *)(pm + 5) = 1;
	struct stat status_of_file;
	CHECK(fstat(fd, &status_of_file) == 0);
}

static unsigned long state;
static unsigned long chance(unsigned long below)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (state >> 33) % below;
}

/* Nothing here uses the C library on PM: which instructions that takes depends on the processor it sees. */
__attribute__((noinline)) static void one(char *p)
{
	switch (chance(16)) {
	case 0: LOAD(p, "movb (%0), %%al", "rax"); break;
	case 1: LOAD(p, "movw (%0), %%ax", "rax"); break;
	case 2: LOAD(p, "movl (%0), %%eax", "rax"); break;
	case 3: LOAD(p, "movq (%0), %%rax", "rax"); break;
	case 4: LOAD(p, "movdqu (%0), %%xmm0", "xmm0"); break;
	case 5: LOAD(p, "fldt (%0); fstp %%st(0)", "st"); break;
	case 6: LOAD(p, "movb $1, (%0)", "cc"); break;
	case 7: LOAD(p, "movq $1, (%0)", "cc"); break;
	case 8: LOAD(p, "pxor %%xmm0, %%xmm0; movdqu %%xmm0, (%0)", "xmm0"); break;
	case 9: LOAD(p, "addl $5, (%0)", "cc"); break;
	case 10: LOAD(p, "movntiq %%rax, (%0)", "cc"); break;
	case 11: LOAD(p, "mov %0, %%rdi; mov $20, %%ecx; rep stosb", "rdi"); break;
	case 12: LOAD(p, "movq %%rax, 3(%0); movq 5(%0), %%rax", "rax"); break;
	case 13: LOAD(p, "movl $1, (%0); movq (%0), %%rax", "rax"); break;
	case 14: LOAD(p, "pushq (%0); popq %%rax", "rax"); break;
	default: LOAD(p, "cmpb $3, (%0)", "cc"); break;
	}
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	if (argc == 3)
		return 0;
	int fd = open("old", O_RDWR);
	if (argc == 4) {
		char *pm = mmap(PLACE, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
		CHECK(pm == PLACE);
		state = strtoul(argv[2], NULL, 10);
		for (long i = strtol(argv[3], NULL, 10); i > 0; i--)
			one(pm + chance(SIZE - 64));
		return 0;
	}
	char *pm = map_fd(fd, SIZE, 0);
	close(fd);
	loads(pm);
	stored_before(pm);
	by_the_kernel(pm);
	CHECK(at < SIZE);
	whole_files();
	say_all();
	return 0;
}
