/*
 * A server of numbers that change together, with an undo log:
 *   server serve HABIT PMDIR PORT   puts old numbers back, then serves. HABIT: correct; hasty (forgets before it puts back); older (puts
 *                                   back numbers older than the old ones); unflushed (correct, but never flushes the last number)
 *   server ask PORT WORD...         sends each word and prints what is answered: advance, dump, or check, which fails if they differ
 *   server read PORT PMDIR          asks for a check, and reads the file itself
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define NUMBERS 3

struct cell {
	uint64_t value;
	uint8_t rest[64 - sizeof(uint64_t)];
};

struct pool {
	struct cell undo; /* how many numbers are to be put back */
	struct cell old;
	struct cell numbers[NUMBERS];
	struct cell unread; /* which nobody flushes either */
};

static const char *habit;

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

static struct pool *map(const char *directory)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/numbers", directory);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, sizeof(struct pool)) != 0)
		fail(path);
	void *start = mmap(NULL, sizeof(struct pool), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (start == MAP_FAILED)
		fail(path);
	close(descriptor);
	return start;
}

__attribute__((noinline)) static void set(struct cell *cell, uint64_t value)
{
	cell->value = value;
	__asm__ volatile("clwb (%0)\n\tsfence" : : "r"(cell) : "memory");
}

__attribute__((noinline)) static void advance(struct pool *pool)
{
	uint64_t next = pool->numbers[0].value + 1;
	set(&pool->old, next - 1);
	for (int i = 0; i < NUMBERS; i++) {
		set(&pool->undo, (uint64_t)i + 1);
		pool->unread.value = next;
		if (i == NUMBERS - 1 && strcmp(habit, "unflushed") == 0)
			pool->numbers[i].value = next;
		else
			set(&pool->numbers[i], next);
	}
	set(&pool->undo, 0);
}

__attribute__((noinline)) static void put_back(struct pool *pool, uint64_t count)
{
	uint64_t value = pool->old.value - (strcmp(habit, "older") == 0);
	for (uint64_t i = 0; i < (strcmp(habit, "older") == 0 ? NUMBERS : count); i++)
		set(&pool->numbers[i], value);
}

__attribute__((noinline)) static void forget(struct pool *pool)
{
	set(&pool->undo, 0);
}

__attribute__((noinline)) static void recover(struct pool *pool)
{
	uint64_t count = pool->undo.value;
	if (count == 0)
		return;
	if (strcmp(habit, "hasty") == 0)
		forget(pool);
	put_back(pool, count);
	forget(pool);
}

static int differ(const struct pool *pool)
{
	for (int i = 1; i < NUMBERS; i++)
		if (pool->numbers[i].value != pool->numbers[0].value)
			return 1;
	return 0;
}

static struct sockaddr_in address(const char *port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static void answer(int connection, struct pool *pool, const char *word)
{
	char text[256] = "done";
	if (strcmp(word, "advance") == 0)
		advance(pool);
	else if (strcmp(word, "check") == 0)
		strcpy(text, differ(pool) ? "the numbers differ" : "equal");
	else
		snprintf(text, sizeof text, "number %lu", (unsigned long)pool->numbers[0].value);
	if (send(connection, text, strlen(text) + 1, MSG_NOSIGNAL) < 0)
		fail("send");
}

static void serve(struct pool *pool, const char *port)
{
	struct sockaddr_in here = address(port);
	int on = 1;
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(listening, (struct sockaddr *)&here, sizeof here) != 0 || listen(listening, 8) != 0)
		fail("listen");
	for (;;) {
		char word[64];
		int connection = accept(listening, NULL, NULL);
		if (connection < 0)
			fail("accept");
		if (recv(connection, word, sizeof word, 0) > 0)
			answer(connection, pool, word);
		close(connection);
	}
}

static int ask(const char *port, const char *word)
{
	struct sockaddr_in there = address(port);
	char text[256] = "";
	int connection = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(connection, (struct sockaddr *)&there, sizeof there) != 0)
		fail("connect");
	if (send(connection, word, strlen(word) + 1, MSG_NOSIGNAL) < 0 ||
			recv(connection, text, sizeof text, MSG_WAITALL) <= 0)
		fail(word);
	printf("%s\n", text);
	close(connection);
	return strcmp(text, "the numbers differ") == 0;
}

int main(int argc, char **argv)
{
	int failed = 0;
	if (argc < 4)
		return 2;
	habit = argv[2];
	if (strcmp(argv[1], "serve") == 0) {
		struct pool *pool = map(argv[3]);
		recover(pool);
		serve(pool, argv[4]);
	}
	if (strcmp(argv[1], "read") == 0)
		return ask(argv[2], "check") | differ(map(argv[3]));
	for (int i = 3; i < argc; i++)
		failed |= ask(argv[2], argv[i]);
	return failed;
}
