/*
 * A wrapper that makes every assignment durable. The bug takes a plain reference out of it and assigns to that, past
 * the wrapper.
 */
#include "pm.h"

namespace store {

template <typename T> class Durable {
public:
	Durable &operator=(const T &next)
	{
		value = next;
		pm_persist(&value, sizeof value);
		return *this;
	}
	T &raw()
	{
		return value;
	}
	const T &get() const
	{
		return value;
	}

private:
	T value PM_ALIGNED;
};

} // namespace store

#define ITEMS 5

struct pool {
	store::Durable<uint64_t> count;
	store::Durable<uint64_t> items[ITEMS];
};

static void create(struct pool *)
{
}

/* Gives every item a value, so that none passes for data that was never meant to last. */
static void format(struct pool *pool)
{
	for (store::Durable<uint64_t> &item : pool->items)
		item = UINT64_MAX;
}

static void append(struct pool *pool, uint64_t index)
{
#if BUG
	uint64_t &item = pool->items[index].raw();
	item = 7 * index; /* AT past */
#else
	pool->items[index] = 7 * index;
#endif
	pool->count = index + 1; /* BUG-AT */
}

static void run(struct pool *pool)
{
	format(pool);
	for (uint64_t index = 0; index < ITEMS; index++)
		append(pool, index);
}

static const char *check(struct pool *pool)
{
	for (uint64_t i = 0; i < pool->count.get(); i++)
		if (i >= ITEMS || pool->items[i].get() != 7 * i)
			return "an item was counted, but is not there";
	return nullptr;
}

PM_MAIN
