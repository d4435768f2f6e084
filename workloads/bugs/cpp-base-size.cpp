/*
 * A record is a header followed by a body, one class derived from the other. The bug persists it by a member of the
 * header's class, where the size of `*this` is the header's.
 */
#include "pm.h"

#define RECORDS 4
#define WORDS 4

struct Header {
	uint64_t number PM_ALIGNED; /* from 1 */

	void persist() const
	{
		pm_persist(this, sizeof *this);
	}
};

struct Record : Header {
	uint64_t body[WORDS];
};

template <typename T> static void persist(const T &object)
{
	pm_persist(&object, sizeof object); /* AT persist */
}

struct pool {
	uint64_t count PM_ALIGNED;
	Record records[RECORDS];
};

static void create(struct pool *)
{
}

static void write_record(Record &record, uint64_t number)
{
	const uint64_t body[WORDS] = {number, number, number, number};
	record.number = number;
	pm_compiler_barrier();
	pm_copy(record.body, body, sizeof body); /* AT body */
#if BUG
	record.persist();
#else
	persist(record);
#endif
}

static void set_count(struct pool *pool, uint64_t count)
{
	pool->count = count;
	pm_persist(&pool->count, sizeof pool->count); /* BUG-AT */
}

static void run(struct pool *pool)
{
	for (uint64_t number = 1; number <= RECORDS; number++) {
		write_record(pool->records[number - 1], number);
		set_count(pool, number);
	}
	pm_leave();
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count; i++)
		for (int j = 0; j < WORDS; j++)
			if (i >= RECORDS || pool->records[i].number != i + 1 || pool->records[i].body[j] != i + 1)
				return "a record was counted, but is not whole";
	return nullptr;
}

PM_MAIN
