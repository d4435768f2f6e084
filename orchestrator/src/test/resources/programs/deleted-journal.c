// SPDX-License-Identifier: Apache-2.0
/*
 * deleted-journal create|run|check HABIT DIRECTORY
 * Moves money between accounts in a mapped pool. What these held is written to a journal before,
 * which is deleted to commit. With "flushed" in the habit the pool is persisted by clwb.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ACCOUNTS = 8, MONEY = 100 };

struct account {
	uint64_t balance, unused[7];
};

struct journal {
	uint64_t from, to, balances[2], sum;
};

static struct account *accounts;
static const char *habit;

static void must(int holds)
{
	if (!holds)
		exit(9);
}

static int is(const char *wanted)
{
	return strstr(habit, wanted) != NULL;
}

static uint64_t sum_of(const struct journal *journal)
{
	return 1 + journal->from + 3 * journal->to + 5 * journal->balances[0] + 7 * journal->balances[1];
}

static void synchronise_names(void)
{
	int directory = open(".", O_RDONLY | O_DIRECTORY);
	must(directory >= 0 && fsync(directory) == 0);
	close(directory);
}

static void synchronise_pool(void)
{
	if (!is("flushed")) {
		must(msync(accounts, ACCOUNTS * sizeof *accounts, MS_SYNC) == 0);
		return;
	}
	for (int i = 0; i < ACCOUNTS; i++)
		__asm__ volatile("clwb %0" : : "m"(accounts[i]) : "memory");
	__asm__ volatile("sfence" : : : "memory");
}

static void write_journal(uint64_t from, uint64_t to)
{
	struct journal journal = {from, to, {accounts[from].balance, accounts[to].balance}, 0};
	journal.sum = sum_of(&journal);
	int file = open("journal", O_WRONLY | O_CREAT | O_EXCL, 0644);
	must(file >= 0 && write(file, &journal, sizeof journal) == sizeof journal);
	if (!is("journal-late"))
		must(fsync(file) == 0);
	close(file);
}

static void delete_journal(void)
{
	must(unlink("journal") == 0);
	synchronise_names();
}

static void transfer(uint64_t from, uint64_t to, uint64_t amount)
{
	write_journal(from, to);
	accounts[from].balance -= amount;
	if (is("deleted-early"))
		must(unlink("journal") == 0);
	accounts[to].balance += amount;
	if (!is("pool-late"))
		synchronise_pool();
	if (!is("deleted-early"))
		delete_journal();
}

static void recover(void)
{
	int file = open("journal", O_RDONLY);
	if (file < 0)
		return;
	struct journal journal;
	if (read(file, &journal, sizeof journal) == sizeof journal && journal.sum == sum_of(&journal)) {
		accounts[journal.from].balance = journal.balances[0];
		accounts[journal.to].balance = journal.balances[1];
		synchronise_pool();
	}
	close(file);
	delete_journal();
}

int main(int argc, char **argv)
{
	must(argc == 4 && chdir(argv[3]) == 0);
	habit = argv[2];
	int pool = open("pool", O_RDWR | O_CREAT, 0644);
	must(pool >= 0 && ftruncate(pool, ACCOUNTS * sizeof *accounts) == 0);
	accounts = mmap(NULL, ACCOUNTS * sizeof *accounts, PROT_READ | PROT_WRITE, MAP_SHARED, pool, 0);
	must(accounts != MAP_FAILED);
	if (strcmp(argv[1], "create") == 0)
		for (int i = 0; i < ACCOUNTS; i++)
			accounts[i].balance = MONEY;
	if (strcmp(argv[1], "run") == 0)
		for (uint64_t i = 0; i < 6; i++)
			transfer(i, (5 * i + 2) % ACCOUNTS, 10 + i);
	if (strcmp(argv[1], "check") == 0) {
		recover();
		uint64_t sum = 0;
		for (int i = 0; i < ACCOUNTS; i++)
			sum += accounts[i].balance;
		return sum == ACCOUNTS * MONEY ? 0 : 1;
	}
	return 0;
}
