/*
 * A cabinet of drawers. Each is filled by a function of its own, with the same helpers, and nearly all mistakes are made
 * in a late round only. Recovery complains of all drawers with the same words, and the names of the helpers say nothing
 * of what they do.
 */
#include "composite.h"

#define ROUNDS 8

/* What is in use has a value, and the same negated. */
struct item {
	uint64_t used PM_ALIGNED;
	uint64_t value PM_ALIGNED;
	uint64_t negated PM_ALIGNED;
};

struct drawer {
	struct item items[ROUNDS + 1];
	uint64_t count PM_ALIGNED;
};

struct cabinet {
	struct drawer drawers[12];
};

#define LATE(mistake, when) (!FIXED(mistake) && round == (when))

static void settle(const uint64_t *word)
{
	pm_clflushopt(word);
}

static void calm(void)
{
	pm_sfence();
}

static void harden(const uint64_t *word)
{
	settle(word);
	calm();
}

static void count(struct drawer *drawer)
{
	drawer->count++;
	harden(&drawer->count);
}

static void put_papers(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	if (LATE(1, 2)) {
		item->used = round;
		harden(&item->used); /* AT papers */
	}
	item->value = round;
	item->negated = ~round;
	settle(&item->value);
	settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_letters(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	if (LATE(2, 4)) {
		item->used = round;
		harden(&item->used); /* AT letters */
	}
	item->value = round;
	item->negated = ~round;
	settle(&item->value);
	settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_stamps(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	if (LATE(3, 5)) {
		item->used = round;
		harden(&item->used); /* AT stamps */
	}
	item->value = round;
	item->negated = ~round;
	settle(&item->value);
	settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_coins(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	if (LATE(4, 5)) {
		item->used = round;
		harden(&item->used); /* AT coins */
	}
	item->value = round;
	item->negated = ~round;
	settle(&item->value);
	settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_keys(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	if (LATE(5, 6)) {
		item->used = round;
		harden(&item->used); /* AT keys */
	}
	item->value = round;
	item->negated = ~round;
	settle(&item->value);
	settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_photos(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	if (LATE(6, 3)) {
		item->used = round;
		harden(&item->used); /* AT photos */
	}
	item->value = round;
	item->negated = ~round;
	settle(&item->value);
	settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_maps(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	item->value = round; /* AT maps-value */
	item->negated = ~round; /* AT maps-negated */
	settle(&item->value);
	settle(&item->negated);
	if (!LATE(7, 4))
		calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_tools(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	item->value = round; /* AT tools-value */
	item->negated = ~round; /* AT tools-negated */
	settle(&item->value);
	settle(&item->negated);
	if (!LATE(8, 5))
		calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_seeds(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	item->value = round; /* AT seeds-value */
	item->negated = ~round; /* AT seeds-negated */
	settle(&item->value);
	settle(&item->negated);
	if (!LATE(9, 6))
		calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_inks(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	item->value = round;
	item->negated = ~round; /* AT inks-negated */
	settle(&item->value);
	if (!LATE(10, 2))
		settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_pens(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	item->value = round;
	item->negated = ~round; /* AT pens-negated */
	settle(&item->value);
	if (!LATE(11, 4))
		settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void put_cards(struct drawer *drawer, uint64_t round)
{
	struct item *item = &drawer->items[round];
	item->value = round;
	item->negated = ~round; /* AT cards-negated */
	settle(&item->value);
	if (!LATE(12, 6))
		settle(&item->negated);
	calm();
	item->used = round;
	harden(&item->used);
	count(drawer);
}

static void run(struct cabinet *cabinet)
{
	static void (*const put[])(struct drawer *, uint64_t) = {
			put_papers,
			put_letters,
			put_stamps,
			put_coins,
			put_keys,
			put_photos,
			put_maps,
			put_tools,
			put_seeds,
			put_inks,
			put_pens,
			put_cards,
	};
	for (uint64_t round = 1; round <= ROUNDS; round++)
		for (size_t i = 0; i < sizeof put / sizeof *put; i++)
			put[i](&cabinet->drawers[i], round);
}

static int check(const struct cabinet *cabinet)
{
	int broken = 0;
	for (size_t i = 0; i < sizeof cabinet->drawers / sizeof *cabinet->drawers; i++)
		for (uint64_t at = 1; at <= ROUNDS; at++) {
			const struct item *item = &cabinet->drawers[i].items[at];
			if (item->used == 0 || (item->value == at && item->negated == ~at))
				continue;
			printf("inconsistent: a drawer has an empty item: %zu\n", i);
			broken = 1;
		}
	return broken;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	struct cabinet *cabinet = pm_map(argv[2], "cabinet", sizeof *cabinet, strcmp(argv[1], "create") == 0);
	if (strcmp(argv[1], "check") == 0)
		return check(cabinet);
	if (strcmp(argv[1], "run") == 0)
		run(cabinet);
	pm_leave();
	return 0;
}
