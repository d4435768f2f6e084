/* Works on containers for some rounds: containers create|run|check PMDIR. */
#include "containers.hpp"

#include <cstdio>

using namespace containers;

static constexpr int ROUNDS = 5;
static constexpr char TEXT[] =
		"what is written here is longer than a cache line, so that copying it takes several stores at least";

struct Store {
	Vector<uint64_t, 5> prices;
	Vector<double, 5> weights;
	Vector<uint64_t, 5> sizes;
	Map<uint64_t, uint64_t, 8> map;
	Queue<uint64_t, ROUNDS> queue;
	Range<uint64_t, 100> range;
	Box<Quad> box;
	Texts<ROUNDS> texts;
	Pool<Wide, ROUNDS> pool;
	Log<uint64_t, 8, 3> log;
	Balances<uint64_t, 3000> balances;
	Tree<uint64_t, 4> trees[ROUNDS];
	Stack<uint64_t, 4> stack;
	Chain<3> chain;
	Stream<ROUNDS> stream;
	Seal<uint64_t> seal;
};

static void create(Store &store)
{
	store.range.ends.copies[0].last.value = 100;
	for (Cell<uint64_t> &cell : store.balances.cells)
		cell.value = 1000;
	for (Tree<uint64_t, 4> &tree : store.trees)
		for (int i = 0; i < 8; i++)
			tree.left[i] = i + 1;
	store.chain.fill();
}

static void add_price(Store &store, uint64_t price)
{
	store.prices.push_back(price); /* AT price */
}

static void add_weight(Store &store, double weight)
{
	store.weights.push_back(weight); /* AT weight */
}

static void add_size(Store &store, uint64_t size)
{
	store.sizes.push_back(size); /* AT size */
}

static void round(Store &store, uint64_t number)
{
	add_price(store, number);
	add_weight(store, 0.5 + number);
	add_size(store, 10 * number);
	store.map.insert(number, number);
	store.map.insert(number + 1, number);
	store.map.erase(number + 1);
	store.queue.push(number);
	store.range.move(number);
	store.box.assign(Quad{{number, number, number, number}});
	store.texts.append(TEXT, TEXT + sizeof TEXT);
	store.pool.emplace(number);
	for (int i = 0; i < 3; i++)
		store.log.append();
	store.balances.move(number);
	store.trees[number - 1].split();
	store.stack.push(number);
	store.stack.push(number);
	store.stack.drop_bottom();
	store.stack.clear();
	store.chain.rotate();
	store.stream.write(number);
}

static void run(Store &store)
{
	for (uint64_t number = 1; number <= ROUNDS; number++)
		round(store, number);
	store.seal.close(ROUNDS);
}

static int check(Store &store)
{
	const char *complaints[] = {
			store.prices.complaint(),
			store.weights.complaint(),
			store.sizes.complaint(),
			store.prices.tag_complaint(),
			store.weights.tag_complaint(),
			store.sizes.tag_complaint(),
			store.map.complaint(),
			store.map.count_complaint(),
			store.queue.complaint(),
			store.range.complaint(),
			store.box.complaint(),
			store.texts.complaint(TEXT, TEXT + sizeof TEXT),
			store.pool.complaint(),
			store.log.complaint(),
			store.balances.complaint(),
			store.stream.complaint(),
			store.seal.complaint(),
	};
	int bad = 0;
	for (const char *complaint : complaints)
		bad += pm_judge(complaint);
	for (const Tree<uint64_t, 4> &tree : store.trees)
		if (tree.missing() != 0)
			bad += std::printf("inconsistent: a tree lost %d keys\n", tree.missing());
	std::fflush(stdout);
	if (store.stack.depth() > 4)
		bad += pm_judge("the stack is too deep");
	if (store.chain.walk() != 3)
		bad += pm_judge("the chain has another length");
	return bad != 0;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return pm_usage(argv[0]);
	bool making = strcmp(argv[1], "create") == 0;
	Store &store = *static_cast<Store *>(pm_map(argv[2], "store", sizeof(Store), making));
	if (making)
		create(store);
	else if (strcmp(argv[1], "run") == 0)
		run(store);
	else if (strcmp(argv[1], "check") == 0)
		return check(store);
	else
		return pm_usage(argv[0]);
	pm_leave();
}
