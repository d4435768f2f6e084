/* Works on a ledger for some days: ledger_driver create|run|check PMDIR. */
#include "ledger.h"

static void day(struct book *book, struct archive *archive, uint64_t number)
{
	journal_deposit(&book->journal, 10 * number);
	journal_withdraw(&book->journal, 10 * number);
	journal_transfer(&book->journal, 10 * number);
	account_open(&book->accounts[number - 1], number);
	table_append(&book->table, number);
	list_push(&book->list, number);
	rates_set(&book->rates, number);
	limits_set(&book->limits, number);
	quote_set(&book->quote, number);
	profile_save(&book->profiles, number);
	note_write(&book->notes, "a note of this day");
	stamp_set(&book->stamps, number);
	for (int i = 0; i < 3; i++)
		ring_put(&book->ring);
	bank_move(&book->bank, number);
	index_split(&book->indexes[number - 1]);
	config_set(&book->config, number);
	archive_write(archive);
	chain_link(book);
}

static void run(struct book *book, struct archive *archive)
{
	for (uint64_t number = 1; number <= DAYS; number++)
		day(book, archive, number);
	ledger_close(&book->closing, DAYS);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	int making = strcmp(argv[1], "create") == 0;
	struct book *book = pm_map(argv[2], "book", sizeof(struct book), making);
	struct archive *archive = pm_map(argv[2], "archive", sizeof(struct archive), making);
	if (making)
		ledger_create(book);
	else if (strcmp(argv[1], "run") == 0)
		run(book, archive);
	else if (strcmp(argv[1], "check") == 0)
		return ledger_check(book, archive) != 0;
	else
		return pm_usage(argv[0]);
	pm_leave();
	return 0;
}
