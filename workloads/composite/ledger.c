/*
 * The ledger's operations. Each mistake has a number, of which FIXED() knows whether this variant has it; truth.yaml
 * lists them.
 */
#include "ledger.h"

static void set(struct cell *cell, uint64_t value)
{
	cell->value = value;
	pm_clwb(cell);
	pm_sfence();
}

/* 1 and 2: two mistakes in one function, which three callers reach. */
static void journal_append(struct journal *journal, uint64_t amount)
{
	uint64_t at = journal->count;
	journal->amounts[at].value = amount; /* AT amount */
	if (FIXED(1))
		pm_persist(&journal->amounts[at], sizeof journal->amounts[at]);
	journal->memos[at].value = ~amount; /* AT memo */
	pm_clwb(&journal->memos[at]);
	if (FIXED(2))
		pm_sfence();
	journal->count = at + 1;
	pm_persist(&journal->count, sizeof journal->count);
	journal->calls++;
}

void journal_deposit(struct journal *journal, uint64_t amount)
{
	journal_append(journal, amount); /* AT deposit */
}

void journal_withdraw(struct journal *journal, uint64_t amount)
{
	journal_append(journal, amount + 1); /* AT withdraw */
}

void journal_transfer(struct journal *journal, uint64_t amount)
{
	journal_append(journal, amount + 2); /* AT transfer */
}

void account_open(struct account *account, uint64_t owner)
{
	account->lock = 1;
	pm_compiler_barrier();
	if (FIXED(3))
		set(&account->owner, owner);
	account->used = 1;
	pm_persist(&account->used, sizeof account->used); /* AT account-used */
	if (!FIXED(3))
		set(&account->owner, owner);
	account->lock = 0;
}

void table_append(struct table *table, uint64_t entry)
{
	uint64_t at = table->count;
	if (FIXED(4))
		table->entries[at] = entry;
	pm_compiler_barrier();
	table->count = at + 1;
	pm_compiler_barrier();
	if (!FIXED(4))
		table->entries[at] = entry; /* AT entry */
	pm_persist(table, sizeof *table);
}

void list_push(struct list *list, uint64_t value)
{
	uint64_t number = list->length.value + 1;
	struct node *node = &list->nodes[number];
	node->value = value;
	node->next = list->first;
	pm_persist(node, sizeof *node);
	list->lock = 1;
	pm_compiler_barrier();
	list->first = number; /* AT first */
	pm_compiler_barrier();
	list->lock = 0;
	if (FIXED(5))
		pm_persist(list, PM_LINE);
	list->length.value = number;
	pm_persist(&list->length, sizeof list->length);
}

void rates_set(struct pair *rates, uint64_t low)
{
	uint64_t copy = FIXED(6) ? 1 - rates->selected.value : rates->selected.value;
	rates->copies[copy].low.value = low;
	pm_persist(&rates->copies[copy].low, sizeof(struct cell)); /* AT rate-low */
	rates->copies[copy].high.value = TOTAL - low;
	pm_persist(&rates->copies[copy].high, sizeof(struct cell));
	if (FIXED(6))
		set(&rates->selected, copy);
}

void limits_set(struct pair *limits, uint64_t low)
{
	uint64_t copy = FIXED(7) ? 1 - limits->selected.value : limits->selected.value;
	limits->copies[copy].low.value = low; /* AT limit-low */
	limits->copies[copy].high.value = TOTAL - low; /* AT limit-high */
	pm_persist(&limits->copies[copy], sizeof limits->copies[copy]);
	if (FIXED(7))
		set(&limits->selected, copy);
}

void quote_set(struct quote *quote, uint64_t price)
{
	uint64_t copy = FIXED(8) ? 1 - quote->selected.value : quote->selected.value;
	_mm_store_si128(&quote->copies[copy], _mm_set_epi64x((int64_t)~price, (int64_t)price)); /* AT quote */
	pm_persist(&quote->copies[copy], sizeof quote->copies[copy]);
	if (FIXED(8))
		set(&quote->selected, copy);
}

void profile_save(struct profiles *profiles, uint64_t name)
{
	struct profile *profile = &profiles->profiles[profiles->count.value];
	profile->name = name;
	profile->rest[7] = name; /* AT rest */
	pm_persist(profile, FIXED(9) ? sizeof *profile : PM_LINE);
	set(&profiles->count, profiles->count.value + 1);
}

void note_write(struct notes *notes, const char *text)
{
	char *note = notes->notes[notes->count.value].text;
	memcpy(note, text, strlen(text) + 1); /* AT note */
	if (FIXED(10))
		pm_persist(note, PM_LINE);
	set(&notes->count, notes->count.value + 1);
}

void stamp_set(struct stamps *stamps, uint64_t stamp)
{
	pm_store_nt(&stamps->stamps[stamps->count.value].value, stamp); /* AT stamp */
	if (FIXED(11))
		pm_sfence();
	set(&stamps->count, stamps->count.value + 1);
}

void ring_put(struct ring *ring)
{
	uint64_t at = ring->head.value;
	struct cell *slot = &ring->slots[at % RING_SLOTS];
	slot->value = at + 1; /* AT slot */
	if (FIXED(12) || at % 4 != 3)
		pm_persist(slot, sizeof *slot);
	set(&ring->head, at + 1);
}

void bank_move(struct bank *bank, uint64_t amount)
{
	set(&bank->undo_from, bank->from.value);
	if (FIXED(13))
		set(&bank->undo_to, bank->to.value);
	set(&bank->undo_entries, FIXED(13) ? 2 : 1);
	bank->from.value -= amount;
	pm_persist(&bank->from, sizeof bank->from);
	bank->to.value += amount;
	pm_persist(&bank->to, sizeof bank->to); /* AT bank-to */
	set(&bank->undo_entries, 0);
}

static void index_take(struct index *index, int at)
{
	index->left[at] = 0;
	pm_persist(&index->left[at], sizeof index->left[at]); /* AT take */
}

static void index_give(struct index *index, int at, uint64_t key)
{
	index->right[at] = key;
	pm_persist(&index->right[at], sizeof index->right[at]); /* AT give */
}

static void index_count(struct index *index)
{
	index->splits++;
	pm_persist(&index->splits, sizeof index->splits); /* AT count */
}

void index_split(struct index *index)
{
	const int half = KEYS / 2;
	uint64_t moved[KEYS / 2];
	memcpy(moved, &index->left[half], sizeof moved);
	for (int i = 0; FIXED(14) && i < half; i++)
		index_give(index, i, moved[i]);
	for (int i = half; i < KEYS; i++)
		index_take(index, i);
	index_count(index);
	for (int i = 0; !FIXED(14) && i < half; i++)
		index_give(index, i, moved[i]);
}

void config_set(struct config *config, uint64_t value)
{
	struct cell *cell = &config->values[config->version.value];
	if (!FIXED(15))
		pm_clwb(cell);
	cell->value = value; /* AT config */
	if (FIXED(15))
		pm_clwb(cell);
	pm_sfence();
	set(&config->version, config->version.value + 1);
}

static void sync_range(void *start, size_t length)
{
	if (msync(start, length, MS_SYNC) != 0)
		pm_fail("msync");
}

void archive_write(struct archive *archive)
{
	uint64_t *number = archive->pairs[archive->count].number;
	number[0] = archive->count + 1;
	number[PAGE / sizeof *number] = archive->count + 1; /* AT page */
	sync_range(number, FIXED(16) ? 2 * PAGE : PAGE);
	archive->count++;
	sync_range(archive, PAGE);
}

void ledger_close(struct closing *closing, uint64_t total)
{
	closing->summary.value = total; /* AT summary */
	if (FIXED(17))
		pm_persist(&closing->summary, sizeof closing->summary);
	set(&closing->clean, 1);
}

void chain_link(struct book *book)
{
	struct chain *chain = &book->chain;
	uint64_t at = chain->used.value;
	uint64_t offset = (uint64_t)((char *)&chain->targets[at] - (char *)book);
	if (FIXED(18))
		set(&chain->offsets[at], offset);
	chain->used.value = at + 1;
	pm_persist(&chain->used, sizeof chain->used); /* AT chain-used */
	if (!FIXED(18))
		set(&chain->offsets[at], offset);
}

void ledger_create(struct book *book)
{
	book->rates.copies[0].high.value = TOTAL;
	book->limits.copies[0].high.value = TOTAL;
	book->quote.copies[0] = _mm_set_epi64x(-1, 0);
	book->bank.from.value = MONEY;
	for (int day = 0; day < DAYS; day++) {
		for (int key = 0; key < KEYS; key++)
			book->indexes[day].left[key] = (uint64_t)key + 1;
		book->chain.offsets[day].value = NOWHERE;
	}
}
