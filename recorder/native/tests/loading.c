/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the dynamic loader does while stores are pending: it binds functions, and opens a library whose constructor and
 * destructor store. Also linked with all functions bound at the start.
 */
#include "pm.h"

#include <dlfcn.h>
#include <pthread.h>

static char *pm;
static long count;
static int gate[2], begun[2];

/* The name is the loader's, the function is not. */
__attribute__((noinline)) static void _dl_fixup(void)
{
	__sync_fetch_and_add(&count, 1);
	__asm__ volatile("");
}

__attribute__((noinline)) static void binds(void)
{
	pm[0] = 1;
	CHECK(getppid() != 0); /* called here for the first time */
	persist(pm);
}

__attribute__((noinline)) static void opens(const char *library)
{
	pm[64] = 1;
	void *opened = dlopen(library, RTLD_NOW);
	CHECK(opened != NULL);
	persist(pm + 64);
	CHECK(dlclose(opened) == 0);
}

/*
 * Only a program of more than one thread makes the loader take locks. The C library locks where a thread begins, too.
 */
static void *waits(void *unused)
{
	char byte = 0;
	CHECK(write(begun[1], &byte, 1) == 1);
	CHECK(read(gate[0], &byte, 1) == 0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	CHECK(argc == 3 && chdir(argv[1]) == 0 && pipe(gate) == 0 && pipe(begun) == 0);
	pm = map_file("loading", 4096);
	CHECK(pthread_create(&thread, NULL, waits, NULL) == 0);
	char byte;
	CHECK(read(begun[0], &byte, 1) == 1);
	binds();
	opens(argv[2]);
	pm[128] = 1;
	_dl_fixup();
	persist(pm + 128);
	close(gate[1]);
	CHECK(pthread_join(thread, NULL) == 0);
	return 0;
}
