/*
 * A copy that goes past the cache by whole words, and stores what is left at the end in the ordinary way. The bug
 * fences, which is enough for the words; the rest would need a flush.
 */
#include "pm.h"

#define TEXTS 4
#define WORDS 3
#define BYTES (WORDS * 8 + 4)

struct text {
	char bytes[BYTES] PM_ALIGNED;
};

struct pool {
	uint64_t count PM_ALIGNED;
	struct text texts[TEXTS];
};

static void create(struct pool *pool)
{
	(void)pool;
}

static void copy(char *to, const char *from)
{
	uint64_t words[WORDS];
	uint32_t rest;
	memcpy(words, from, sizeof words);
	memcpy(&rest, from + sizeof words, sizeof rest);
	for (int i = 0; i < WORDS; i++)
		pm_store_nt(to + 8 * i, words[i]); /* AT words */
	*(volatile uint32_t *)(to + sizeof words) = rest; /* AT rest */
#if !BUG
	pm_clwb(to + sizeof words); /* AT flush */
#endif
	pm_sfence(); /* AT fence */
}

static void set_count(struct pool *pool, uint64_t count)
{
	pool->count = count;
	pm_persist(&pool->count, sizeof pool->count); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (uint64_t number = 1; number <= TEXTS; number++) {
		char text[BYTES];
		memset(text, (int)number, sizeof text);
		copy(pool->texts[number - 1].bytes, text);
		set_count(pool, number);
	}
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count; i++)
		for (int j = 0; j < BYTES; j++)
			if (i >= TEXTS || pool->texts[i].bytes[j] != (char)(i + 1))
				return "a text lost its end";
	return NULL;
}

PM_MAIN
