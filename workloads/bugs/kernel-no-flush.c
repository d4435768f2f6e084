/*
 * Messages are received from a pipe straight into persistent memory. The bug leaves the flush out: that the kernel has
 * stored them does not make them durable.
 */
#include "pm.h"

#define MESSAGES 4

struct message {
	uint64_t text PM_ALIGNED;
};

struct pool {
	uint64_t received PM_ALIGNED;
	struct message messages[MESSAGES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* Writes and flushes every message once, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (int i = 0; i < MESSAGES; i++) {
		pool->messages[i].text = UINT64_MAX;
		pm_persist(&pool->messages[i], sizeof pool->messages[i]);
	}
}

static void receive(int from, struct message *message)
{
	if (read(from, &message->text, sizeof message->text) != sizeof message->text) /* AT read */
		pm_fail("read");
#if !BUG
	pm_persist(message, sizeof *message);
#endif
}

static void send_text(int to, uint64_t text)
{
	if (write(to, &text, sizeof text) != sizeof text)
		pm_fail("write");
}

static void run(struct pool *pool)
{
	int ends[2];
	if (pipe(ends) != 0)
		pm_fail("pipe");
	format(pool);
	for (int i = 0; i < MESSAGES; i++) {
		send_text(ends[1], 1000 + i);
		receive(ends[0], &pool->messages[i]);
		pool->received = i + 1;
		pm_persist(&pool->received, sizeof pool->received); /* BUG-AT */
	}
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->received; i++)
		if (i >= MESSAGES || pool->messages[i].text != 1000 + i)
			return "a message was received, but is not there";
	return NULL;
}

PM_MAIN
