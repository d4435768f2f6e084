/* The ledger's recovery. It does not stop at the first broken promise. */
#include "ledger.h"

static int complaints;

static void require(int holds, const char *complaint)
{
	if (holds)
		return;
	printf("inconsistent: %s\n", complaint);
	complaints++;
}

static void check_journal(const struct journal *journal)
{
	int amounts = 1;
	int memos = 1;
	for (uint64_t i = 0; i < journal->count; i++) {
		amounts &= journal->amounts[i].value != 0;
		memos &= journal->memos[i].value != 0;
	}
	require(amounts, "an entry of the journal has no amount");
	require(memos, "an entry of the journal has no memo");
}

static void check_accounts(const struct account *accounts)
{
	int owners = 1;
	for (int i = 0; i < DAYS; i++)
		owners &= !accounts[i].used || accounts[i].owner.value != 0;
	require(owners, "a used account has no owner");
}

static void check_table(const struct table *table)
{
	int entries = 1;
	for (uint64_t i = 0; i < table->count; i++)
		entries &= table->entries[i] != 0;
	require(entries, "the table counts an entry that is not there");
}

static void check_list(const struct list *list)
{
	uint64_t walked = 0;
	for (uint64_t at = list->first; at != 0 && walked <= DAYS; at = list->nodes[at].next)
		walked += list->nodes[at].value != 0;
	require(walked == list->length.value || walked == list->length.value + 1, "the list is not as long as it says");
}

static int is_whole(const struct pair *pair)
{
	uint64_t copy = pair->selected.value;
	return pair->copies[copy].low.value + pair->copies[copy].high.value == TOTAL;
}

static void check_quote(const struct quote *quote)
{
	const uint64_t *words = (const uint64_t *)&quote->copies[quote->selected.value];
	require(words[1] == ~words[0], "the quote is torn");
}

static void check_profiles(const struct profiles *profiles)
{
	int whole = 1;
	for (uint64_t i = 0; i < profiles->count.value; i++)
		whole &= profiles->profiles[i].name != 0 && profiles->profiles[i].rest[7] == profiles->profiles[i].name;
	require(whole, "a profile lacks its rest");
}

static void check_notes(const struct notes *notes)
{
	int whole = 1;
	for (uint64_t i = 0; i < notes->count.value; i++)
		whole &= strcmp(notes->notes[i].text, "a note of this day") == 0;
	require(whole, "a note lacks text");
}

static void check_stamps(const struct stamps *stamps)
{
	int there = 1;
	for (uint64_t i = 0; i < stamps->count.value; i++)
		there &= stamps->stamps[i].value != 0;
	require(there, "a stamp is missing");
}

static void check_ring(const struct ring *ring)
{
	uint64_t head = ring->head.value;
	int there = 1;
	for (uint64_t i = head < RING_WINDOW ? 0 : head - RING_WINDOW; i < head; i++)
		there &= ring->slots[i % RING_SLOTS].value == i + 1;
	require(there, "a slot of the ring is not filled");
}

static void check_bank(struct bank *bank)
{
	if (bank->undo_entries.value >= 1)
		bank->from.value = bank->undo_from.value;
	if (bank->undo_entries.value >= 2)
		bank->to.value = bank->undo_to.value;
	require(bank->from.value + bank->to.value == MONEY, "the bank lost or made money");
}

static void check_index(const struct index *index)
{
	unsigned found = 0;
	for (int i = 0; i < KEYS; i++)
		found |= 1u << index->left[i] | 1u << index->right[i];
	int keys = __builtin_popcount(found >> 1);
	if (keys == KEYS)
		return;
	printf("inconsistent: an index has %d of %d keys\n", keys, KEYS);
	complaints++;
}

static void check_config(const struct config *config)
{
	int there = 1;
	for (uint64_t i = 0; i < config->version.value; i++)
		there &= config->values[i].value != 0;
	require(there, "a version of the configuration has no value");
}

static void check_archive(const struct archive *archive)
{
	int there = 1;
	for (uint64_t i = 0; i < archive->count; i++)
		there &= archive->pairs[i].number[0] == i + 1 && archive->pairs[i].number[PAGE / sizeof(uint64_t)] == i + 1;
	require(there, "a page of the archive is missing");
}

static uint64_t follow(const struct book *book, uint64_t offset)
{
	return *(const uint64_t *)((const char *)book + offset); /* CRASH-AT */
}

/* A link that leads nowhere crashes it. */
static void check_chain(const struct book *book)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < book->chain.used.value; i++)
		sum += follow(book, book->chain.offsets[i].value);
	require(sum == 0, "a target of the chain was changed");
}

static void check_closing(const struct closing *closing)
{
	require(!closing->clean.value || closing->summary.value != 0, "the ledger was closed without its summary");
}

int ledger_check(struct book *book, struct archive *archive)
{
	complaints = 0;
	check_journal(&book->journal);
	check_accounts(book->accounts);
	check_table(&book->table);
	check_list(&book->list);
	require(is_whole(&book->rates), "the rates do not make up the total");
	require(is_whole(&book->limits), "the limits do not make up the total");
	check_quote(&book->quote);
	check_profiles(&book->profiles);
	check_notes(&book->notes);
	check_stamps(&book->stamps);
	check_ring(&book->ring);
	check_bank(&book->bank);
	for (int day = 0; day < DAYS; day++)
		check_index(&book->indexes[day]);
	check_config(&book->config);
	check_archive(archive);
	check_closing(&book->closing);
	check_chain(book);
	return complaints;
}
