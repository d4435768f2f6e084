/*
 * A ferry whose decks are filled by one setter, and which persists at two places only: what is to be persisted is in a
 * list until then. Each mistake is made in one late round. Everything else about it is as in all other rounds: the
 * instructions that store and flush, and the failure points.
 */
#include "composite.h"

#define ROUNDS 200
#define DECKS 6

struct place {
	uint64_t value PM_ALIGNED;
};

struct deck {
	struct place places[ROUNDS];
	uint64_t count PM_ALIGNED;
};

struct ferry {
	uint64_t held PM_ALIGNED;
	uint64_t cars PM_ALIGNED;
	uint64_t wheels PM_ALIGNED;
	uint64_t crates PM_ALIGNED;
	uint64_t weight PM_ALIGNED;
	struct deck decks[DECKS];
};

#define LATE(mistake, when) (!FIXED(mistake) && round == (when))

static const uint64_t *waiting[2 * DECKS];
static unsigned waits;

static void put(uint64_t *to, uint64_t value)
{
	*to = value;
}

static void later(const uint64_t *word)
{
	waiting[waits++] = word;
}

static void settle(void)
{
	while (waits > 0)
		pm_clflushopt(waiting[--waits]);
	pm_sfence();
}

static void persist(const uint64_t *word)
{
	pm_clflushopt(word);
	pm_sfence();
}

static uint64_t value_of(uint64_t deck, uint64_t round)
{
	return 7 * round + deck + 1;
}

static void fill_lower(struct ferry *ferry, uint64_t round)
{
	uint64_t *value = &ferry->decks[0].places[round].value;
	put(value, value_of(0, round)); /* AT lower */
	if (!LATE(1, 57))
		later(value);
	if (!FIXED(1) && round == 58)
		later(&ferry->decks[0].places[57].value);
}

static void fill_main(struct ferry *ferry, uint64_t round)
{
	uint64_t *value = &ferry->decks[1].places[round].value;
	put(value, value_of(1, round)); /* AT main */
	if (!LATE(2, 101))
		later(value);
	if (!FIXED(2) && round == 102)
		later(&ferry->decks[1].places[101].value);
}

static void fill_upper(struct ferry *ferry, uint64_t round)
{
	uint64_t *value = &ferry->decks[2].places[round].value;
	put(value, value_of(2, round)); /* AT upper */
	if (!LATE(3, 160))
		later(value);
	if (!FIXED(3) && round == 161)
		later(&ferry->decks[2].places[160].value);
}

/* These decks are filled without a mistake, each at a line of its own. */
static void fill_others(struct ferry *ferry, uint64_t round)
{
	put(&ferry->decks[3].places[round].value, value_of(3, round));
	later(&ferry->decks[3].places[round].value);
	put(&ferry->decks[4].places[round].value, value_of(4, round));
	later(&ferry->decks[4].places[round].value);
	put(&ferry->decks[5].places[round].value, value_of(5, round));
	later(&ferry->decks[5].places[round].value);
}

static void count_decks(struct ferry *ferry, uint64_t round)
{
	for (uint64_t deck = 0; deck < DECKS; deck++) {
		put(&ferry->decks[deck].count, round + 1);
		later(&ferry->decks[deck].count);
	}
}

/* As long as it is held, its numbers need not be right. */
static void hold(struct ferry *ferry, uint64_t held)
{
	ferry->held = held;
	persist(&ferry->held);
}

static void board_cars(struct ferry *ferry, uint64_t round)
{
	hold(ferry, 1);
	ferry->cars = round;
	ferry->wheels = 4 * round; /* AT wheels */
	pm_clflushopt(&ferry->cars);
	if (!LATE(4, 90))
		pm_clflushopt(&ferry->wheels);
	pm_sfence();
	hold(ferry, 0);
}

static void board_crates(struct ferry *ferry, uint64_t round)
{
	hold(ferry, 1);
	ferry->crates = round;
	ferry->weight = 9 * round; /* AT weight */
	pm_clflushopt(&ferry->crates);
	if (!LATE(5, 130))
		pm_clflushopt(&ferry->weight);
	pm_sfence();
	hold(ferry, 0);
}

static void run(struct ferry *ferry)
{
	for (uint64_t round = 0; round < ROUNDS; round++) {
		fill_lower(ferry, round);
		fill_main(ferry, round);
		fill_upper(ferry, round);
		fill_others(ferry, round);
		settle();
		count_decks(ferry, round);
		settle();
		board_cars(ferry, round);
		board_crates(ferry, round);
	}
}

static int check(const struct ferry *ferry)
{
	int broken = 0;
	for (uint64_t deck = 0; deck < DECKS; deck++)
		for (uint64_t round = 0; round < ferry->decks[deck].count && round < ROUNDS; round++)
			broken |= ferry->decks[deck].places[round].value != value_of(deck, round);
	if (!ferry->held)
		broken |= ferry->wheels != 4 * ferry->cars || ferry->weight != 9 * ferry->crates;
	if (broken)
		puts("inconsistent: the ferry is not what it should be");
	return broken;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	struct ferry *ferry = pm_map(argv[2], "ferry", sizeof *ferry, strcmp(argv[1], "create") == 0);
	if (strcmp(argv[1], "check") == 0)
		return check(ferry);
	if (strcmp(argv[1], "run") == 0)
		run(ferry);
	pm_leave();
	return 0;
}
