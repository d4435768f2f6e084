/* Works on a depot for some rounds: depot create|run|check PMDIR. */
#include "depot.h"

#define LAYOUT "depot"

static void round_of(PMEMobjpool *pop, struct depot *depot, uint64_t number)
{
	shelf_receive(pop, &depot->shelf, 10 * number);
	shelf_restock(pop, &depot->shelf, 10 * number);
	shelf_return(pop, &depot->shelf, 10 * number);
	accounts_transfer(pop, &depot->accounts, number);
	window_move(pop, &depot->window, number);
	event_add(pop, &depot->events, number);
	text_write(pop, &depot->texts);
	picture_draw(pop, &depot->pictures);
	box_make(pop, &depot->boxes.boxes[number - 1], number);
	block_replace(pop, &depot->blocks, number);
	handle_set(pop, &depot->handles[number - 1], depot->blocks.current);
	slot_publish(pop, &depot->slots[number - 1], number);
	span_move(pop, depot, number);
	table_append(pop, &depot->table, number);
	gauge_set(pop, &depot->gauge, number);
	for (int i = 0; i < 3; i++)
		ring_put(pop, &depot->ring);
	safe_move(pop, &depot->safe, number);
	meter_set(pop, &depot->meter, number);
}

static void run(PMEMobjpool *pop, struct depot *depot)
{
	for (uint64_t number = 1; number <= ROUNDS; number++)
		round_of(pop, depot, number);
}

/* The root object does not begin at a cache line. */
static struct depot *depot_of(PMEMobjpool *pop)
{
	uintptr_t root = (uintptr_t)pmemobj_direct(pmemobj_root(pop, sizeof(struct depot) + PM_LINE));
	return (struct depot *)((root + PM_LINE - 1) & ~(uintptr_t)(PM_LINE - 1));
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	char path[4096];
	snprintf(path, sizeof path, "%s/depot", argv[2]);
	int making = strcmp(argv[1], "create") == 0;
	PMEMobjpool *pop = making ? pmemobj_create(path, LAYOUT, PMEMOBJ_MIN_POOL, 0644) : pmemobj_open(path, LAYOUT);
	if (pop == NULL) {
		printf("inconsistent: the pool cannot be opened: %s\n", pmemobj_errormsg());
		return 1;
	}
	int status = 0;
	if (making)
		depot_create(pop, depot_of(pop));
	else if (strcmp(argv[1], "run") == 0)
		run(pop, depot_of(pop));
	else if (strcmp(argv[1], "check") == 0)
		status = depot_check(pop, depot_of(pop)) != 0;
	else
		status = pm_usage(argv[0]);
	pmemobj_close(pop);
	return status;
}
