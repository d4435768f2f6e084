/* One line of a buffer changes. The bug flushes the whole buffer, the twin the line. */
#include "pm.h"

#define BUFFERS 3
#define LINES 16

struct line {
	uint64_t word PM_ALIGNED;
};

struct pool {
	struct line buffers[BUFFERS][LINES];
};

static void create(struct pool *pool)
{
	(void)pool;
}

/* clflush: no order among the lines is left open. Old manuals ask for an mfence after it. */
static void flush(struct line *first, int lines)
{
	for (int i = 0; i < lines; i++)
		pm_clflush(&first[i]); /* AT flush */
	pm_mfence();
}

static void format(struct line *buffer)
{
	for (int i = 0; i < LINES; i++) {
		buffer[i].word = 1;
		pm_clflush(&buffer[i]); /* AT format */
	}
	pm_mfence();
}

static void change(struct line *buffer, int index)
{
	buffer[index].word = 2;
#if BUG
	flush(buffer, LINES);
#else
	flush(&buffer[index], 1);
#endif
}

static void run(struct pool *pool)
{
	for (int i = 0; i < BUFFERS; i++) {
		format(pool->buffers[i]);
		change(pool->buffers[i], 5 * i);
	}
}

static const char *check(struct pool *pool)
{
	for (int i = 0; i < BUFFERS; i++)
		for (int j = 0; j < LINES; j++)
			if (pool->buffers[i][j].word > (j == 5 * i ? 2u : 1u))
				return "a line changed that should not";
	return NULL;
}

PM_MAIN
