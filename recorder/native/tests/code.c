/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that changes although it comes from a file: written through a second mapping, in a private one, by write, or
 * between two changes of protection. Each version stores its own number to PM. And code that is in no file, as JIT
 * compilers make it: a handler of its faults finds in the registers what the code put there.
 */
#include "pm.h"

#include <signal.h>
#include <ucontext.h>

static char *pm;

/* mov $value, (%rdi); ret */
static void assemble(char *code, int value)
{
	memcpy(code, "\xc7\x07", 2);
	memcpy(code + 2, &value, 4);
	code[6] = '\xc3';
}

static void run_versions(char *writable, const char *executable, int at)
{
	for (int version = 1; version <= 3; version++) {
		assemble(writable, version);
		((void (*)(void *))executable)(pm + at + 4 * version);
		CHECK(*(int *)(pm + at + 4 * version) == version);
	}
}

#define LOAD_SIZE 2

static volatile long long seen;

static void on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	(void)number;
	(void)info;
	seen = registers[REG_RAX];
	registers[REG_RIP] += LOAD_SIZE;
}

/* mov $value, %eax; mov (%rdi), %ecx; mov $-1, %eax; ret */
static void fault_with(int value)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(code != MAP_FAILED);
	memcpy(code, "\xb8....\x8b\x0f\xb8\xff\xff\xff\xff\xc3", 13);
	memcpy(code + 1, &value, 4);
	CHECK(((int (*)(void *))code)(NULL) == -1);
	CHECK(seen == value);
	signal(SIGSEGV, SIG_DFL);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	pm = map_file("pm", 4096);
	int fd = memfd_create("code", 0);
	CHECK(ftruncate(fd, 16384) == 0);
	char *writable = map_fd(fd, 4096, 0);
	char *executable = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	CHECK(executable != MAP_FAILED);
	run_versions(writable, executable, 0); /* two mappings */
	char *private = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, fd, 4096);
	CHECK(private != MAP_FAILED);
	run_versions(private, private, 64);
	char *toggled = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 8192);
	CHECK(toggled != MAP_FAILED);
	for (int version = 1; version <= 3; version++) {
		CHECK(mprotect(toggled, 4096, PROT_READ | PROT_WRITE) == 0);
		assemble(toggled, version);
		CHECK(mprotect(toggled, 4096, PROT_READ | PROT_EXEC) == 0);
		((void (*)(void *))toggled)(pm + 128 + 4 * version);
	}
	char text[7];
	char *written = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 12288);
	CHECK(written != MAP_FAILED);
	for (int version = 1; version <= 3; version++) {
		assemble(text, version);
		CHECK(pwrite(fd, text, 7, 12288) == 7);
		((void (*)(void *))written)(pm + 192 + 4 * version);
	}
	for (int at = 0; at < 256; at += 64) {
		for (int version = 1; version <= 3; version++)
			CHECK(*(int *)(pm + at + 4 * version) == version);
	}
	fault_with(0x1234);
	persist(pm);
	return 0;
}
