/*
 * A container template whose transaction rolls back in its destructor when an element throws. The bug is in the
 * rollback: it drops the undo log before it restores the old values, and is reached only by an exception.
 */
#include "pm.h"

#include <stdexcept>

namespace store {

template <typename T, int N> struct Array {
	uint64_t undo_length PM_ALIGNED;
	T undo[N] PM_ALIGNED;
	T items[N] PM_ALIGNED;

	template <typename Function> void update(Function function);
	void restore(uint64_t length);
	void set_undo_length(uint64_t length);
	void persist_items();
};

template <typename T, int N> void Array<T, N>::set_undo_length(uint64_t length)
{
	undo_length = length;
	pm_persist(&undo_length, sizeof undo_length);
}

template <typename T, int N> void Array<T, N>::restore(uint64_t length)
{
	for (uint64_t i = 0; i < length && i < N; i++)
		items[i] = undo[i];
}

template <typename T, int N> void Array<T, N>::persist_items()
{
	pm_persist(items, sizeof items); /* AT items */
}

template <typename T, int N> class Transaction {
public:
	explicit Transaction(Array<T, N> &array) : array(array)
	{
		pm_copy(array.undo, array.items, sizeof array.items);
		pm_persist(array.undo, sizeof array.undo); /* AT undo */
		array.set_undo_length(N);
	}
	Transaction(const Transaction &) = delete;
	Transaction &operator=(const Transaction &) = delete;
	void commit()
	{
		array.set_undo_length(0);
		committed = true;
	}
	~Transaction()
	{
		if (committed)
			return;
#if BUG
		uint64_t length = array.undo_length;
		array.set_undo_length(0); /* BUG-AT */
		array.restore(length);
		array.persist_items();
#else
		array.restore(array.undo_length);
		array.persist_items();
		array.set_undo_length(0);
#endif
	}

private:
	Array<T, N> &array;
	bool committed = false;
};

/* Calls FUNCTION on each item; all items change, or none when it throws. */
template <typename T, int N> template <typename Function> void Array<T, N>::update(Function function)
{
	Transaction<T, N> transaction(*this);
	for (T &item : items) {
		function(item);
		pm_persist(&item, sizeof item);
	}
	transaction.commit();
}

} // namespace store

struct pool {
	store::Array<uint64_t, 12> array; /* all items are always equal */
};

static void create(struct pool *)
{
}

static void run(struct pool *pool)
{
	for (uint64_t round = 1; round <= 3; round++) {
		int calls = 0;
		try {
			pool->array.update([&](uint64_t &item) {
				if (round % 2 == 0 && ++calls == 7)
					throw std::runtime_error("the seventh item is refused");
				item += round;
			});
		} catch (const std::runtime_error &) {
		}
	}
}

static const char *check(struct pool *pool)
{
	pool->array.restore(pool->array.undo_length);
	for (uint64_t item : pool->array.items)
		if (item != pool->array.items[0])
			return "some items were updated, some were not";
	return nullptr;
}

PM_MAIN
