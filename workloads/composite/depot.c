/*
 * The depot's operations. Each mistake has a number, of which FIXED() knows whether this variant has it; truth.yaml
 * lists them.
 */
#include "depot.h"

const char depot_text[TEXT_SIZE] =
		"what is written here is longer than two cache lines, so that libpmem takes several steps to copy it, "
		"and none of them is enough without the others, to the very end";

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, pmemobj_errormsg());
	exit(2);
}

static void begin(PMEMobjpool *pop)
{
	if (pmemobj_tx_begin(pop, NULL, TX_PARAM_NONE) != 0)
		fail("pmemobj_tx_begin");
}

static void set(PMEMobjpool *pop, struct cell *cell, uint64_t value)
{
	cell->value = value;
	pmemobj_persist(pop, cell, sizeof *cell);
}

/* 1 and 2: two mistakes in one function, which three callers reach. */
static void shelf_add(PMEMobjpool *pop, struct shelf *shelf, uint64_t item)
{
	uint64_t at = shelf->count.value;
	shelf->items[at].value = item; /* AT item */
	if (FIXED(1))
		pmemobj_persist(pop, &shelf->items[at], sizeof shelf->items[at]);
	shelf->labels[at].value = ~item; /* AT label */
	pmemobj_flush(pop, &shelf->labels[at], sizeof shelf->labels[at]);
	if (FIXED(2))
		pmemobj_drain(pop);
	shelf->count.value = at + 1;
	pmemobj_persist(pop, &shelf->count, sizeof shelf->count);
}

void shelf_receive(PMEMobjpool *pop, struct shelf *shelf, uint64_t item)
{
	shelf_add(pop, shelf, item); /* AT receive */
}

void shelf_restock(PMEMobjpool *pop, struct shelf *shelf, uint64_t item)
{
	shelf_add(pop, shelf, item + 1); /* AT restock */
}

void shelf_return(PMEMobjpool *pop, struct shelf *shelf, uint64_t item)
{
	shelf_add(pop, shelf, item + 2); /* AT return */
}

void accounts_transfer(PMEMobjpool *pop, struct accounts *accounts, uint64_t amount)
{
	begin(pop);
	pmemobj_tx_add_range_direct(&accounts->from, sizeof accounts->from);
	if (FIXED(3))
		pmemobj_tx_add_range_direct(&accounts->to, sizeof accounts->to);
	accounts->from.value -= amount;
	accounts->to.value += amount; /* AT account-to */
	pmemobj_tx_commit(); /* AT account-commit */
	pmemobj_tx_end();
}

void window_move(PMEMobjpool *pop, struct span *window, uint64_t first)
{
	begin(pop);
	pmemobj_tx_add_range_direct(window, FIXED(4) ? sizeof *window : sizeof window->first);
	window->first.value = first;
	window->last.value = first + WIDTH; /* AT window-last */
	pmemobj_tx_commit(); /* AT window-commit */
	pmemobj_tx_end();
}

void event_add(PMEMobjpool *pop, struct events *events, uint64_t event)
{
	begin(pop);
	pmemobj_tx_add_range_direct(&events->events[events->size.value], sizeof(struct cell));
	events->events[events->size.value].value = event;
	pmemobj_tx_add_range_direct(&events->size, sizeof events->size);
	events->size.value++;
	if (FIXED(5))
		pmemobj_tx_add_range_direct(&events->counted, sizeof events->counted);
	events->counted.value++; /* AT counted */
	if (!FIXED(5))
		pmemobj_persist(pop, &events->counted, sizeof events->counted); /* AT counted-persist */
	pmemobj_tx_commit(); /* AT event-commit */
	pmemobj_tx_end();
}

void text_write(PMEMobjpool *pop, struct texts *texts)
{
	char *text = texts->texts[texts->count.value].characters;
	pmemobj_memcpy(pop, text, depot_text, TEXT_SIZE, PMEMOBJ_F_MEM_NODRAIN); /* AT text */
	if (FIXED(6))
		pmemobj_drain(pop);
	set(pop, &texts->count, texts->count.value + 1);
}

void picture_draw(PMEMobjpool *pop, struct pictures *pictures)
{
	char *dots = pictures->pictures[pictures->count.value].dots;
	pmemobj_memset(pop, dots, '*', PICTURE_SIZE, PMEMOBJ_F_MEM_NOFLUSH); /* AT dots */
	pmemobj_persist(pop, dots, FIXED(7) ? PICTURE_SIZE : PICTURE_SIZE / 2);
	set(pop, &pictures->count, pictures->count.value + 1);
}

static int box_fill(PMEMobjpool *pop, void *start, void *argument)
{
	struct box *box = start;
	box->content = *(uint64_t *)argument; /* AT content */
	if (FIXED(8))
		pmemobj_persist(pop, &box->content, sizeof box->content);
	return 0;
}

void box_make(PMEMobjpool *pop, PMEMoid *box, uint64_t content)
{
	if (pmemobj_alloc(pop, box, sizeof(struct box), BOX, box_fill, &content) != 0)
		fail("pmemobj_alloc");
}

void handle_set(PMEMobjpool *pop, struct handle *handle, PMEMoid oid)
{
	if (FIXED(9)) {
		handle->oid.pool_uuid_lo = oid.pool_uuid_lo;
		pmemobj_persist(pop, &handle->oid, sizeof handle->oid);
	}
	handle->oid = oid; /* AT handle */
	pmemobj_persist(pop, &handle->oid, sizeof handle->oid);
}

static int block_fill(PMEMobjpool *pop, void *start, void *argument)
{
	uint64_t *block = start;
	*block = *(uint64_t *)argument;
	pmemobj_persist(pop, block, sizeof *block);
	return 0;
}

/* One redo log for all three: the new block, the link to it, and the end of the old block. */
static void block_exchange(PMEMobjpool *pop, struct blocks *blocks, uint64_t number)
{
	struct pobj_action actions[3];
	PMEMoid next = pmemobj_reserve(pop, &actions[0], sizeof(uint64_t), BLOCK);
	if (OID_IS_NULL(next))
		fail("pmemobj_reserve");
	block_fill(pop, pmemobj_direct(next), &number);
	pmemobj_defer_free(pop, blocks->current, &actions[1]);
	pmemobj_set_value(pop, &actions[2], &blocks->current.off, next.off);
	if (pmemobj_publish(pop, actions, 3) != 0)
		fail("pmemobj_publish");
}

void block_replace(PMEMobjpool *pop, struct blocks *blocks, uint64_t number)
{
	if (FIXED(10)) {
		block_exchange(pop, blocks, number);
		return;
	}
	PMEMoid old = blocks->current;
	pmemobj_free(&old); /* AT block-free */
	if (pmemobj_alloc(pop, &blocks->current, sizeof(uint64_t), BLOCK, block_fill, &number) != 0) /* AT block-alloc */
		fail("pmemobj_alloc");
}

void slot_publish(PMEMobjpool *pop, struct slot *slot, uint64_t data)
{
	if (FIXED(11))
		set(pop, &slot->data, data);
	slot->valid.value = 1;
	pmemobj_persist(pop, &slot->valid, sizeof slot->valid); /* AT slot-valid */
	if (!FIXED(11))
		set(pop, &slot->data, data);
}

void span_move(PMEMobjpool *pop, struct depot *depot, uint64_t first)
{
	uint64_t copy = FIXED(12) ? 1 - depot->span_selected.value : depot->span_selected.value;
	struct span *span = &depot->spans[copy];
	span->first.value = first;
	pmemobj_persist(pop, &span->first, sizeof span->first); /* AT span-first */
	span->last.value = first + WIDTH;
	pmemobj_persist(pop, &span->last, sizeof span->last);
	if (FIXED(12))
		set(pop, &depot->span_selected, copy);
}

void table_append(PMEMobjpool *pop, struct table *table, uint64_t entry)
{
	uint64_t at = table->count;
	if (FIXED(13))
		table->entries[at] = entry;
	pm_compiler_barrier();
	table->count = at + 1;
	pm_compiler_barrier();
	if (!FIXED(13))
		table->entries[at] = entry; /* AT entry */
	pmemobj_persist(pop, table, sizeof *table);
}

void gauge_set(PMEMobjpool *pop, struct gauge *gauge, uint64_t value)
{
	pmemobj_mutex_lock(pop, &gauge->lock);
	gauge->value = value; /* AT gauge */
	if (FIXED(14))
		pmemobj_persist(pop, &gauge->value, sizeof gauge->value);
	pmemobj_mutex_unlock(pop, &gauge->lock);
	set(pop, &gauge->version, value);
}

void ring_put(PMEMobjpool *pop, struct ring *ring)
{
	uint64_t at = ring->head.value;
	struct cell *slot = &ring->slots[at % RING_SLOTS];
	slot->value = at + 1; /* AT slot */
	if (FIXED(15) || at % 4 != 3)
		pmemobj_persist(pop, slot, sizeof *slot);
	set(pop, &ring->head, at + 1);
}

void safe_move(PMEMobjpool *pop, struct accounts *safe, uint64_t amount)
{
	begin(pop);
	if (FIXED(16))
		pmemobj_tx_add_range_direct(&safe->from, sizeof safe->from);
	safe->from.value -= amount; /* AT safe-from */
	if (!FIXED(16))
		pmemobj_tx_add_range_direct(&safe->from, sizeof safe->from); /* AT safe-late */
	pmemobj_tx_add_range_direct(&safe->to, sizeof safe->to); /* AT safe-to */
	safe->to.value += amount;
	pmemobj_tx_commit(); /* AT safe-commit */
	pmemobj_tx_end();
}

void meter_set(PMEMobjpool *pop, struct twins *meter, uint64_t value)
{
	begin(pop);
	pmemobj_tx_xadd_range_direct(&meter->one, sizeof meter->one, FIXED(17) ? 0 : POBJ_XADD_NO_FLUSH);
	pmemobj_tx_add_range_direct(&meter->other, sizeof meter->other);
	meter->one.value = value; /* AT meter */
	meter->other.value = value;
	pmemobj_tx_commit();
	pmemobj_tx_end();
}

void depot_create(PMEMobjpool *pop, struct depot *depot)
{
	uint64_t number = 0;
	if (pmemobj_alloc(pop, &depot->blocks.current, sizeof(uint64_t), BLOCK, block_fill, &number) != 0)
		fail("pmemobj_alloc");
	set(pop, &depot->accounts.from, MONEY);
	set(pop, &depot->safe.from, MONEY);
	set(pop, &depot->window.last, WIDTH);
	set(pop, &depot->spans[0].last, WIDTH);
}
