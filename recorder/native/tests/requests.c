/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a program says by powercut.h. The second argument is what it does: "parts" begins and ends the tested part
 * several times, "ranges" declares some, "child" runs itself in the tested part, "threads" acknowledges from several threads, "never" never
 * begins, "wrong" says what it should not.
 */
#include "pm.h"

#include <pthread.h>
#include "../../../include/powercut.h"

#define LINE 64

static char *pool;
static const char *directory;

/* One failure point in the tested part, none outside. */
static void store(int line)
{
	pool[line * LINE] = (char)(line + 1);
	persist(pool + line * LINE);
}

static void parts(void)
{
	store(0);
	powercut_end();
	store(1);
	powercut_begin();
	store(2);
	powercut_begin();
	store(3);
	powercut_end();
	store(4);
	powercut_begin();
	store(5);
}

/* It has a powercut_begin of its own, and is asked to do nothing. */
static void child(const char *self)
{
	powercut_begin();
	store(0);
	pid_t pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		execl(self, self, directory, "nothing", (char *)NULL);
		_exit(9);
	}
	int status;
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	store(1);
}

static void *acknowledge(void *argument)
{
	char text[32];
	for (int i = 0; i < 100; i++) {
		int size = snprintf(text, sizeof text, "%d of %d", i, (int)(intptr_t)argument);
		powercut_acknowledge_bytes(text, (size_t)size);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t ids[4];
	for (intptr_t i = 0; i < 4; i++)
		CHECK(pthread_create(&ids[i], NULL, acknowledge, (void *)i) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_join(ids[i], NULL) == 0);
}

static void ranges(void)
{
	powercut_ignore(pool + 10, 20);
	powercut_transient(pool + 100, 1);
	powercut_persistent(pool - 100, 200);
	powercut_ignore(pool, SIZE_MAX);
	powercut_ignore(pool, 0);
	powercut_ignore(&directory, sizeof directory);
}

static void wrong(void)
{
	static char large[70000];
	memset(large, 'x', sizeof large);
	powercut_acknowledge("");
	powercut_acknowledge_bytes(large, sizeof large);
	powercut_acknowledge_bytes((const char *)16, 10);
	powercut_acknowledge_bytes((const char *)(UINTPTR_MAX - 16), SIZE_MAX);
	powercut_request_(900, large, 1);
	pool[0] = 1;
	flush(pool);
	powercut_acknowledge("before the fence");
	fence();
}

int main(int argc, char **argv)
{
	CHECK(argc == 3);
	directory = argv[1];
	if (strcmp(argv[2], "nothing") == 0)
		return 0;
	char path[4096];
	snprintf(path, sizeof path, "%s/pool", directory);
	pool = map_file(path, 4096);
	if (strcmp(argv[2], "parts") == 0)
		parts();
	else if (strcmp(argv[2], "child") == 0)
		child(argv[0]);
	else if (strcmp(argv[2], "threads") == 0)
		threads();
	else if (strcmp(argv[2], "ranges") == 0)
		ranges();
	else if (strcmp(argv[2], "wrong") == 0)
		wrong();
	else
		store(0);
	return 0;
}
