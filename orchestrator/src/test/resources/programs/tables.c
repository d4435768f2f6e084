/*
 * Twelve tables, each a value in two places and a redo log of it, each with a recovery of its own:
 *   tables run PMDIR
 *   tables recover HABIT PMDIR   redoes what is in the logs. HABIT: correct; mistaken (each table in another way)
 *   tables check PMDIR           the places are equal, and the logs are empty
 */
#include <fcntl.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TABLES 12

typedef struct {
	uint64_t value;
	uint64_t rest[7];
} cell;

struct table {
	cell armed; /* whether there is something in the log */
	cell log;
	cell one;
	cell other;
};

static int mistaken;

static void flush(cell *cell)
{
	__asm__ volatile("clwb (%0)" : : "r"(cell) : "memory");
}

static void fence(void)
{
	_mm_sfence();
}

static void persist(cell *cell)
{
	flush(cell);
	fence();
}

static void set(cell *cell, uint64_t value)
{
	((volatile uint64_t *)&cell->value)[0] = value;
}

static void disarm(struct table *table)
{
	set(&table->armed, 0);
	persist(&table->armed);
}

__attribute__((noinline)) static void one_not_flushed(struct table *table)
{
	table->one.value = table->log.value;
	if (!mistaken)
		flush(&table->one);
	table->other.value = table->log.value;
	persist(&table->other);
	disarm(table);
}

__attribute__((noinline)) static void other_not_flushed(struct table *table)
{
	table->one.value = table->log.value;
	flush(&table->one);
	table->other.value = table->log.value;
	if (!mistaken)
		flush(&table->other);
	fence();
	disarm(table);
}

__attribute__((noinline)) static void fence_forgotten(struct table *table)
{
	table->one.value = table->log.value;
	flush(&table->one);
	table->other.value = table->log.value;
	flush(&table->other);
	if (!mistaken)
		fence();
	disarm(table);
}

__attribute__((noinline)) static void log_cleared_first(struct table *table)
{
	if (mistaken)
		disarm(table);
	table->one.value = table->log.value;
	persist(&table->one);
	table->other.value = table->log.value;
	persist(&table->other);
	if (!mistaken)
		disarm(table);
}

__attribute__((noinline)) static void log_cleared_half_way(struct table *table)
{
	table->one.value = table->log.value;
	persist(&table->one);
	if (mistaken) {
		set(&table->armed, 0);
		persist(&table->armed);
	}
	table->other.value = table->log.value;
	persist(&table->other);
	if (!mistaken)
		disarm(table);
}

__attribute__((noinline)) static void copy_not_flushed(struct table *table)
{
	memcpy(&table->one, &table->log, sizeof table->one);
	if (!mistaken)
		persist(&table->one);
	table->other.value = table->log.value;
	persist(&table->other);
	disarm(table);
}

__attribute__((noinline)) static void fence_before_flush(struct table *table)
{
	table->one.value = table->log.value;
	table->other.value = table->log.value;
	if (mistaken)
		fence();
	flush(&table->one);
	flush(&table->other);
	if (!mistaken)
		fence();
	disarm(table);
}

__attribute__((noinline)) static void streamed_without_fence(struct table *table)
{
	_mm_stream_si64((long long *)&table->one.value, (long long)table->log.value);
	_mm_stream_si64((long long *)&table->other.value, (long long)table->log.value);
	if (!mistaken)
		fence();
	disarm(table);
}

__attribute__((noinline)) static void loop_ends_too_early(struct table *table)
{
	cell *cells[] = {&table->one, &table->other};
	for (int i = 0; i < 2; i++) {
		cells[i]->value = table->log.value;
		if (!mistaken || i == 0)
			persist(cells[i]);
	}
	disarm(table);
}

__attribute__((noinline)) static void other_line_flushed(struct table *table)
{
	table->one.value = table->log.value;
	persist(&table->one);
	table->other.value = table->log.value;
	persist(mistaken ? &table->one : &table->other);
	disarm(table);
}

__attribute__((noinline)) static void locked_instead_of_flushed(struct table *table)
{
	table->one.value = table->log.value;
	persist(&table->one);
	table->other.value = table->log.value;
	if (!mistaken)
		persist(&table->other);
	__atomic_exchange_n(&table->armed.value, 0, __ATOMIC_SEQ_CST);
	persist(&table->armed);
}

__attribute__((noinline)) static void all_flushed_at_once(struct table *table)
{
	table->one.value = table->log.value;
	table->other.value = table->log.value;
	flush(&table->one);
	flush(&table->other);
	if (!mistaken)
		fence();
	table->armed.value = 0;
	persist(&table->armed);
}

static void (*const recoveries[TABLES])(struct table *) = {
		one_not_flushed,
		other_not_flushed,
		fence_forgotten,
		log_cleared_first,
		log_cleared_half_way,
		copy_not_flushed,
		fence_before_flush,
		streamed_without_fence,
		loop_ends_too_early,
		other_line_flushed,
		locked_instead_of_flushed,
		all_flushed_at_once,
};

static void put(struct table *table, uint64_t value)
{
	cell *cells[] = {&table->log, &table->armed, &table->one, &table->other, &table->armed};
	uint64_t values[] = {value, 1, value, value, 0};
	for (int i = 0; i < 5; i++) {
		set(cells[i], values[i]);
		persist(cells[i]);
	}
}

static int check(const struct table *table)
{
	if (table->armed.value == 0 && table->one.value == table->other.value)
		return 0;
	printf("a table is half there\n");
	return 1;
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc < 3)
		return 2;
	mistaken = strcmp(argv[2], "mistaken") == 0;
	snprintf(path, sizeof path, "%s/tables", argv[argc - 1]);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	size_t size = TABLES * sizeof(struct table);
	if (descriptor < 0 || ftruncate(descriptor, (off_t)size) != 0)
		return 2;
	struct table *tables = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (tables == MAP_FAILED)
		return 2;
	int result = 0;
	for (int i = 0; i < TABLES && result == 0; i++) {
		if (strcmp(argv[1], "run") == 0)
			put(&tables[i], 7);
		else if (strcmp(argv[1], "recover") != 0)
			result = check(&tables[i]);
		else if (tables[i].armed.value != 0)
			recoveries[i](&tables[i]);
	}
	return result;
}
