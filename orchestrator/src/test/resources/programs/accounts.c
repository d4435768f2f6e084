/*
 * Savings and loans, each with two copies of which one counts: a change goes to the other one, which then counts. Every
 * flush and fence there is needed. Recovery with "blind" does not look at the loans. PERSIST=msync, fsync or fdatasync
 * persists by that system call instead.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE __attribute__((aligned(64)))
#define FUNCTION __attribute__((noinline)) static

struct account {
	uint64_t amount LINE;
	uint64_t inverse LINE; /* ~amount */
};

struct ledger {
	uint64_t current LINE;
	struct account copies[2];
};

struct pool {
	struct ledger savings, loans;
	uint64_t closed LINE;
};

static int pool_descriptor;

FUNCTION int persist_by_call(const char *how, const void *start, size_t length)
{
	uintptr_t page = (uintptr_t)start & ~(uintptr_t)4095;
	if (strcmp(how, "msync") == 0)
		return msync((void *)page, (uintptr_t)start + length - page, MS_SYNC);
	return strcmp(how, "fsync") == 0 ? fsync(pool_descriptor) : fdatasync(pool_descriptor);
}

FUNCTION void persist(const void *start, size_t length)
{
	const char *how = getenv("PERSIST");
	if (how != NULL) {
		if (persist_by_call(how, start, length) != 0)
			abort();
		return;
	}
	for (const char *line = start; line < (const char *)start + length; line += 64)
		__asm__ volatile("clwb (%0)" : : "r"(line) : "memory");
	__asm__ volatile("sfence" : : : "memory");
}

FUNCTION void save(struct ledger *ledger, uint64_t amount)
{
	struct account *next = &ledger->copies[1 - ledger->current];
	next->amount = amount;
	next->inverse = ~amount;
	persist(next, sizeof *next);
	ledger->current = 1 - ledger->current;
	persist(&ledger->current, sizeof ledger->current);
}

FUNCTION void lend(struct ledger *ledger, uint64_t amount)
{
	struct account *next = &ledger->copies[1 - ledger->current];
	next->amount = amount;
	next->inverse = ~amount;
	persist(next, sizeof *next);
	ledger->current = 1 - ledger->current;
	persist(&ledger->current, sizeof ledger->current);
}

/* The last that happens: no failure point comes after the flush, and the second fence has nothing to do. */
FUNCTION void close_books(struct pool *pool)
{
	pool->closed = 1;
	if (getenv("PERSIST") != NULL) {
		persist(&pool->closed, sizeof pool->closed);
		return;
	}
	__asm__ volatile("clwb (%0)" : : "r"(&pool->closed) : "memory");
	__asm__ volatile("sfence" : : : "memory");
	__asm__ volatile("sfence" : : : "memory");
}

FUNCTION int is_torn(const struct ledger *ledger)
{
	const struct account *account = &ledger->copies[ledger->current & 1];
	return account->inverse != ~account->amount;
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc != 3)
		return 2;
	snprintf(path, sizeof path, "%s/pool", argv[2]);
	int descriptor = open(path, O_RDWR | O_CREAT, 0644);
	if (descriptor < 0 || ftruncate(descriptor, sizeof(struct pool)) != 0)
		return 2;
	pool_descriptor = descriptor;
	struct pool *pool = mmap(NULL, sizeof *pool, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
	if (pool == MAP_FAILED)
		return 2;
	if (strcmp(argv[1], "create") == 0) {
		pool->savings.copies[0].inverse = pool->loans.copies[0].inverse = UINT64_MAX;
	} else if (strcmp(argv[1], "run") == 0) {
		/* Twice each, or the fences of the other one would do instead. */
		for (uint64_t amount = 1; amount <= 12; amount++)
			if ((amount & 2) == 0)
				save(&pool->savings, amount);
			else
				lend(&pool->loans, amount);
		close_books(pool);
	} else if (is_torn(&pool->savings)) {
		printf("torn savings\n");
		return 1;
	} else if (strcmp(argv[1], "blind") != 0 && is_torn(&pool->loans)) {
		printf("torn loans\n");
		return 1;
	}
	_exit(0);
}
