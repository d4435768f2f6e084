/*
 * What recovery checks once pmemobj_open() has rolled back or replayed. It does not stop at the first broken promise.
 */
#include "depot.h"

static int complaints;

static void require(int holds, const char *complaint)
{
	if (holds)
		return;
	printf("inconsistent: %s\n", complaint);
	complaints++;
}

static void check_shelf(const struct shelf *shelf)
{
	int items = 1;
	int labels = 1;
	for (uint64_t i = 0; i < shelf->count.value; i++) {
		items &= shelf->items[i].value != 0;
		labels &= shelf->labels[i].value != 0;
	}
	require(items, "an item of the shelf is missing");
	require(labels, "an item of the shelf has no label");
}

static int is_whole(const struct accounts *accounts)
{
	return accounts->from.value + accounts->to.value == MONEY;
}

static int is_wide(const struct span *span)
{
	return span->last.value - span->first.value == WIDTH;
}

static void check_events(const struct events *events)
{
	require(events->size.value == events->counted.value, "other events were counted than there are");
}

static void check_texts(const struct texts *texts)
{
	int whole = 1;
	for (uint64_t i = 0; i < texts->count.value; i++)
		whole &= memcmp(texts->texts[i].characters, depot_text, TEXT_SIZE) == 0;
	require(whole, "a text is not whole");
}

static void check_pictures(const struct pictures *pictures)
{
	int whole = 1;
	for (uint64_t i = 0; i < pictures->count.value; i++)
		for (int dot = 0; dot < PICTURE_SIZE; dot++)
			whole &= pictures->pictures[i].dots[dot] == '*';
	require(whole, "a picture lacks dots");
}

static void check_boxes(const struct boxes *boxes)
{
	int filled = 1;
	for (int i = 0; i < ROUNDS; i++)
		if (!OID_IS_NULL(boxes->boxes[i]))
			filled &= ((struct box *)pmemobj_direct(boxes->boxes[i]))->content != 0;
	require(filled, "a box is empty");
}

static void check_handles(PMEMobjpool *pop, const struct handle *handles)
{
	int lead = 1;
	for (int i = 0; i < ROUNDS; i++)
		lead &= OID_IS_NULL(handles[i].oid) || pmemobj_pool_by_oid(handles[i].oid) == pop;
	require(lead, "a handle leads to no pool");
}

static void check_blocks(PMEMobjpool *pop, const struct blocks *blocks)
{
	int found = 0;
	for (PMEMoid at = pmemobj_first(pop); !OID_IS_NULL(at); at = pmemobj_next(at))
		found |= OID_EQUALS(at, blocks->current);
	require(found, "the current block was freed");
}

static void check_slots(const struct slot *slots)
{
	int filled = 1;
	for (int i = 0; i < ROUNDS; i++)
		filled &= !slots[i].valid.value || slots[i].data.value != 0;
	require(filled, "a valid slot has no data");
}

static void check_table(const struct table *table)
{
	int entries = 1;
	for (uint64_t i = 0; i < table->count; i++)
		entries &= table->entries[i] != 0;
	require(entries, "the table counts an entry that is not there");
}

static void check_gauge(const struct gauge *gauge)
{
	uint64_t version = gauge->version.value;
	require(gauge->value == version || gauge->value == version + 1, "the gauge is not at its version");
}

static void check_ring(const struct ring *ring)
{
	uint64_t head = ring->head.value;
	int there = 1;
	for (uint64_t i = head < RING_WINDOW ? 0 : head - RING_WINDOW; i < head; i++)
		there &= ring->slots[i % RING_SLOTS].value == i + 1;
	require(there, "a slot of the ring is not filled");
}

int depot_check(PMEMobjpool *pop, const struct depot *depot)
{
	complaints = 0;
	check_shelf(&depot->shelf);
	require(is_whole(&depot->accounts), "the accounts lost or made money");
	require(is_wide(&depot->window), "the window has another width");
	require(is_wide(&depot->spans[depot->span_selected.value]), "the span has another width");
	check_events(&depot->events);
	check_texts(&depot->texts);
	check_pictures(&depot->pictures);
	check_boxes(&depot->boxes);
	check_handles(pop, depot->handles);
	check_blocks(pop, &depot->blocks);
	check_slots(depot->slots);
	check_table(&depot->table);
	check_gauge(&depot->gauge);
	check_ring(&depot->ring);
	require(is_whole(&depot->safe), "the safe lost or made money");
	require(depot->meter.one.value == depot->meter.other.value, "the meter shows two values");
	return complaints;
}
