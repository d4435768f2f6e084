/*
 * Containers for persistent memory: a header-only library of templates. Each has operations and complaint(), which
 * recovery asks: what is wrong, or nullptr. truth.yaml lists the mistakes.
 */
#ifndef CONTAINERS_HPP
#define CONTAINERS_HPP

#include "composite.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <emmintrin.h>

namespace containers {

/* A word with a cache line of its own. */
template <typename T> struct Cell {
	T value PM_ALIGNED;

	void set(T next)
	{
		value = next;
		pm_clwb(&value);
		pm_sfence();
	}
};

/* Items below size are there, and so are their tags, which share a cache line with size. */
template <typename T, int N> struct Vector {
	uint64_t size PM_ALIGNED;
	uint64_t tags[N];
	Cell<T> items[N];

	/* 1 and 2: two mistakes in one function, which three callers reach with two types. */
	void push_back(T item)
	{
		uint64_t at = size;
		items[at].value = item; /* AT item */
		if (FIXED(1))
			pm_persist(&items[at], sizeof items[at]);
		if (FIXED(2))
			tags[at] = at + 1;
		pm_compiler_barrier();
		size = at + 1;
		pm_compiler_barrier();
		if (!FIXED(2))
			tags[at] = at + 1; /* AT tag */
		pm_persist(this, PM_LINE);
	}

	const char *complaint() const
	{
		for (uint64_t i = 0; i < size; i++)
			if (items[i].value == T())
				return "an item of a vector is missing";
		return nullptr;
	}

	const char *tag_complaint() const
	{
		for (uint64_t i = 0; i < size; i++)
			if (tags[i] != i + 1)
				return "an item of a vector has no tag";
		return nullptr;
	}
};

/*
 * A used slot has its value. As many slots are used as count says, or one more. The lock means nothing after a crash.
 */
template <typename K, typename V, int N> struct Map {
	struct Slot {
		Cell<uint64_t> used;
		Cell<K> key;
		Cell<V> value;
	};
	std::atomic<uint64_t> lock PM_ALIGNED;
	uint64_t count;
	Slot slots[N];

	void set_count(uint64_t next)
	{
		lock.store(1, std::memory_order_release);
		count = next;
		pm_persist(&count, sizeof count); /* AT erase-count */
		lock.store(0, std::memory_order_release);
	}

	void insert(K key, V value)
	{
		Slot &slot = slots[key % N];
		slot.key.set(key);
		if (FIXED(3))
			slot.value.set(value);
		slot.used.value = 1;
		pm_persist(&slot.used, sizeof slot.used); /* AT insert-used */
		if (!FIXED(3))
			slot.value.set(value);
		set_count(count + 1);
	}

	void erase(K key)
	{
		Slot &slot = slots[key % N];
		if (FIXED(4))
			set_count(count - 1);
		slot.used.value = 0;
		pm_persist(&slot.used, sizeof slot.used); /* AT erase-used */
		if (!FIXED(4))
			set_count(count - 1);
		slot.value.set(V());
	}

	const char *complaint() const
	{
		for (const Slot &slot : slots)
			if (slot.used.value && slot.value.value == V())
				return "a used slot of the map has no value";
		return nullptr;
	}

	const char *count_complaint() const
	{
		uint64_t used = std::count_if(slots, slots + N, [](const Slot &slot) { return slot.used.value != 0; });
		return used == count || used == count + 1 ? nullptr : "the map does not hold as much as it counts";
	}
};

/* The slots before tail are filled, and tail is at length or one past it. Lock and tail share a cache line. */
template <typename T, int N> struct Queue {
	std::atomic<uint64_t> lock PM_ALIGNED;
	uint64_t tail;
	Cell<uint64_t> length;
	Cell<T> slots[N];

	void push(T value)
	{
		slots[tail].set(value);
		lock.store(1, std::memory_order_release);
		tail = tail + 1; /* AT tail */
		lock.store(0, std::memory_order_release);
		if (FIXED(5))
			pm_persist(&tail, sizeof tail);
		length.set(tail);
	}

	const char *complaint() const
	{
		for (uint64_t i = 0; i < tail; i++)
			if (slots[i].value == T())
				return "a slot of the queue is empty";
		return tail == length.value || tail == length.value + 1 ? nullptr : "the queue's tail is not at its length";
	}
};

/* Holds a value of type T in two copies, of which the selected one counts. */
template <typename T> struct Selected {
	Cell<uint64_t> selected;
	T copies[2];

	/* The copy to write: the other one, or with a mistake the one that counts. */
	T &next(bool fixed)
	{
		return copies[fixed ? 1 - selected.value : selected.value];
	}

	void finish(bool fixed)
	{
		if (fixed)
			selected.set(1 - selected.value);
	}

	const T &get() const
	{
		return copies[selected.value];
	}
};

/* From first to last it is always WIDTH. */
template <typename T, int WIDTH> struct Range {
	struct Ends {
		Cell<T> first;
		Cell<T> last;
	};
	Selected<Ends> ends;

	void move(T first)
	{
		Ends &next = ends.next(FIXED(6));
		next.first.value = first;
		pm_persist(&next.first, sizeof next.first); /* AT range-first */
		next.last.value = first + WIDTH;
		pm_persist(&next.last, sizeof next.last);
		ends.finish(FIXED(6));
	}

	const char *complaint() const
	{
		return ends.get().last.value - ends.get().first.value == WIDTH ? nullptr : "the range has another width";
	}
};

/* A value of 32 bytes. */
struct Quad {
	uint64_t words[4] PM_ALIGNED;
};

/* All words of the value are the same. */
template <typename T> struct Box {
	Selected<T> value;

	void assign(const T &other)
	{
		T &next = value.next(FIXED(7));
		_mm_store_si128((__m128i *)next.words, _mm_load_si128((const __m128i *)other.words)); /* AT box-low */
		_mm_store_si128((__m128i *)next.words + 1, _mm_load_si128((const __m128i *)other.words + 1)); /* AT box-high */
		pm_persist(&next, sizeof next);
		value.finish(FIXED(7));
	}

	const char *complaint() const
	{
		const uint64_t *words = value.get().words;
		return std::equal(words, words + 3, words + 1) ? nullptr : "the box is torn";
	}
};

/* Texts below count are whole. */
template <int N> struct Texts {
	struct Text {
		char characters[2 * PM_LINE] PM_ALIGNED;
	};
	Cell<uint64_t> count;
	Text texts[N];

	void append(const char *begin, const char *end)
	{
		Text &text = texts[count.value];
		std::copy(begin, end, text.characters); /* AT text */
		if (FIXED(8))
			pm_persist(&text, sizeof text);
		count.set(count.value + 1);
	}

	const char *complaint(const char *begin, const char *end) const
	{
		for (uint64_t i = 0; i < count.value; i++)
			if (!std::equal(begin, end, texts[i].characters))
				return "a text is not whole";
		return nullptr;
	}
};

/* An object of two cache lines. */
struct Wide {
	uint64_t first PM_ALIGNED;
	uint64_t second PM_ALIGNED;
};

/* Objects below count are whole. */
template <typename T, int N> struct Pool {
	Cell<uint64_t> count;
	T objects[N];

	void emplace(uint64_t word)
	{
		T *object = &objects[count.value];
		object->first = word;
		object->second = word; /* AT second */
		pm_persist(object, FIXED(9) ? sizeof *object : sizeof object);
		count.set(count.value + 1);
	}

	const char *complaint() const
	{
		for (uint64_t i = 0; i < count.value; i++)
			if (objects[i].first == 0 || objects[i].second != objects[i].first)
				return "an object of the pool lacks its second half";
		return nullptr;
	}
};

/* The last WINDOW of the entries before head are there. */
template <typename T, int N, int WINDOW> struct Log {
	Cell<uint64_t> head;
	Cell<T> entries[N];

	void append()
	{
		uint64_t at = head.value;
		entries[at % N].value = T(at + 1); /* AT entry */
		if (FIXED(10) || at % 4 != 3)
			pm_persist(&entries[at % N], sizeof entries[at % N]);
		head.set(at + 1);
	}

	const char *complaint() const
	{
		for (uint64_t i = head.value < WINDOW ? 0 : head.value - WINDOW; i < head.value; i++)
			if (entries[i % N].value != T(i + 1))
				return "an entry of the log is missing";
		return nullptr;
	}
};

/* An undo log. */
template <typename T, int N> struct Undo {
	struct Entry {
		uint64_t offset PM_ALIGNED; /* of the word from the log */
		T old;
	};
	Cell<uint64_t> count;
	Entry entries[N];

	void add(Cell<T> &cell)
	{
		Entry &entry = entries[count.value];
		entry.offset = (char *)&cell - (char *)this;
		entry.old = cell.value;
		pm_persist(&entry, sizeof entry);
		count.set(count.value + 1);
	}

	void roll_back()
	{
		for (uint64_t i = count.value; i-- > 0;)
			((Cell<T> *)((char *)this + entries[i].offset))->value = entries[i].old;
	}
};

/* Changes cells; without commit() all of that is undone. */
template <typename T, int N> class Transaction {
public:
	explicit Transaction(Undo<T, N> &undo) : undo(undo)
	{
	}

	void change(Cell<T> &cell, T value, bool logged)
	{
		if (logged)
			undo.add(cell);
		cell.set(value);
	}

	void commit()
	{
		undo.count.set(0);
	}

private:
	Undo<T, N> &undo;
};

/* Three balances that make up TOTAL. */
template <typename T, int TOTAL> struct Balances {
	Undo<T, 4> undo;
	Cell<T> cells[3];

	void move(T amount)
	{
		Transaction<T, 4> transaction(undo);
		transaction.change(cells[0], cells[0].value - 2 * amount, true);
		transaction.change(cells[1], cells[1].value + amount, true);
		transaction.change(cells[2], cells[2].value + amount, FIXED(11)); /* AT unlogged */
		transaction.commit();
	}

	const char *complaint()
	{
		undo.roll_back();
		return cells[0].value + cells[1].value + cells[2].value == TOTAL ? nullptr : "the balances lost or made money";
	}
};

/* All keys from 1 to 2 * N are in one of the halves, or in both. */
template <typename K, int N> struct Tree {
	uint64_t height PM_ALIGNED;
	K left[2 * N] PM_ALIGNED;
	K right[2 * N] PM_ALIGNED;

	void drop(int at)
	{
		left[at] = K();
		pm_persist(&left[at], sizeof left[at]); /* AT drop */
	}

	void add(int at, K key)
	{
		right[at] = key;
		pm_persist(&right[at], sizeof right[at]); /* AT add */
	}

	void grow()
	{
		height = height + 1;
		pm_persist(&height, sizeof height); /* AT grow */
	}

	void split()
	{
		K moved[N];
		std::copy(left + N, left + 2 * N, moved);
		for (int i = 0; FIXED(12) && i < N; i++)
			add(i, moved[i]);
		for (int i = 0; i < N; i++)
			drop(N + i);
		grow();
		for (int i = 0; !FIXED(12) && i < N; i++)
			add(i, moved[i]);
	}

	int missing() const
	{
		int keys = 0;
		for (K key = 1; key <= 2 * N; key++)
			keys += std::count(left, left + 2 * N, key) == 0 && std::count(right, right + 2 * N, key) == 0;
		return keys;
	}
};

/* Recovery relies on the bottom not being above the top. */
template <typename T, int N> struct Stack {
	Cell<uint64_t> bottom;
	Cell<uint64_t> top;
	Cell<T> items[N];

	void push(T item)
	{
		items[top.value].set(item);
		top.set(top.value + 1);
	}

	void drop_bottom()
	{
		bottom.set(bottom.value + 1);
	}

	void clear()
	{
		if (FIXED(13))
			bottom.set(0);
		top.value = 0;
		pm_persist(&top, sizeof top); /* AT clear */
		if (!FIXED(13))
			bottom.set(0);
	}

	uint64_t depth() const
	{
		assert(bottom.value <= top.value); /* CRASH-AT */
		return top.value - bottom.value;
	}
};

/* A list of N nodes whose head can be moved on; recovery walks it to its end. */
template <int N> struct Chain {
	struct Nodes {
		Cell<uint64_t> head;
		Cell<uint64_t> next[N + 1]; /* numbers from 1; 0 is the end */
	};
	Selected<Nodes> nodes;

	void fill()
	{
		nodes.copies[0].head.value = 1;
		for (int i = 1; i < N; i++)
			nodes.copies[0].next[i].value = i + 1;
	}

	void rotate()
	{
		const Nodes &old = nodes.get();
		Nodes &next = nodes.next(FIXED(14));
		if (FIXED(14)) {
			std::copy(&old, &old + 1, &next);
			pm_persist(&next, sizeof next);
		}
		uint64_t first = old.head.value;
		uint64_t last = first;
		while (old.next[last].value != 0)
			last = old.next[last].value;
		next.next[last].value = first;
		pm_persist(&next.next[last], sizeof next.next[last]); /* AT rotate-last */
		next.head.value = next.next[first].value;
		pm_persist(&next.head, sizeof next.head); /* AT rotate-head */
		next.next[first].value = 0;
		pm_persist(&next.next[first], sizeof next.next[first]);
		nodes.finish(FIXED(14));
	}

	uint64_t walk() const
	{
		volatile uint64_t length = 0;
		for (uint64_t at = nodes.get().head.value; at != 0; at = nodes.get().next[at].value)
			length = length + 1; /* HANG-AT */
		return length;
	}
};

/* Samples below count are there; they bypass the cache. */
template <int N> struct Stream {
	Cell<uint64_t> count;
	Cell<long long> samples[N];

	void write(long long sample)
	{
		_mm_stream_si64(&samples[count.value].value, sample); /* AT sample */
		if (FIXED(15))
			pm_sfence();
		count.set(count.value + 1);
	}

	const char *complaint() const
	{
		for (uint64_t i = 0; i < count.value; i++)
			if (samples[i].value == 0)
				return "a sample is missing";
		return nullptr;
	}
};

/* What is sealed has its checksum. */
template <typename T> struct Seal {
	Cell<uint64_t> sealed;
	Cell<T> checksum;

	void close(T sum)
	{
		checksum.value = sum; /* AT checksum */
		if (FIXED(16))
			pm_persist(&checksum, sizeof checksum);
		sealed.set(1);
	}

	const char *complaint() const
	{
		return !sealed.value || checksum.value != T() ? nullptr : "sealed without a checksum";
	}
};

} // namespace containers

#endif
