/*
 * Messages are received from a pipe straight into persistent memory: the kernel stores, not the program. A message
 * counts once its length is there. The bug receives the length into the file before the text.
 */
#include "pm.h"

#define MESSAGES 4
#define TEXT 192

struct message {
	uint64_t length PM_ALIGNED;
	char text[TEXT] PM_ALIGNED;
};

struct pool {
	struct message messages[MESSAGES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void receive(int from, void *into, size_t size)
{
	if (read(from, into, size) != (ssize_t)size)
		pm_fail("read");
	pm_persist(into, size); /* AT persist */
}

static void send_bytes(int to, const void *bytes, size_t size)
{
	if (write(to, bytes, size) != (ssize_t)size)
		pm_fail("write");
}

static void run(struct pool *pool)
{
	int ends[2];
	if (pipe(ends) != 0)
		pm_fail("pipe");
	for (int i = 0; i < MESSAGES; i++) {
		struct message *message = &pool->messages[i];
		uint64_t length = TEXT;
		char text[TEXT];
		memset(text, 'a' + i, sizeof text);
#if BUG
		send_bytes(ends[1], &length, sizeof length);
		receive(ends[0], &message->length, sizeof length); /* BUG-AT */
		send_bytes(ends[1], text, sizeof text);
		receive(ends[0], message->text, sizeof text);
#else
		send_bytes(ends[1], text, sizeof text);
		receive(ends[0], message->text, sizeof text);
		send_bytes(ends[1], &length, sizeof length);
		receive(ends[0], &message->length, sizeof length);
#endif
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < MESSAGES; i++)
		for (uint64_t j = 0; j < pool->messages[i].length; j++)
			if (j >= TEXT || pool->messages[i].text[j] != 'a' + i)
				return "a message is there without its text";
	return NULL;
}

PM_MAIN
