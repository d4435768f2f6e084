// SPDX-License-Identifier: Apache-2.0
// Transactions behind wrappers of four kinds, each with two callers. As "mistaken", each caller stores two words that
// belong together in two transactions. One more forgets the undo log.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <libpmemobj.h>
#include <stdexcept>

namespace {

struct Pair {
	uint64_t left, right;
};

struct Root {
	Pair pairs[9];
};

PMEMobjpool *pop;
Root *root;
bool mistaken;

void snapshot(uint64_t *word)
{
	if (pmemobj_tx_add_range_direct(word, sizeof(*word))) {
		std::abort();
	}
}

void add(uint64_t *word)
{
	snapshot(word);
	++*word;
}

// A function that runs what it is given.
template <typename F> void run(F &&f)
{
	if (pmemobj_tx_begin(pop, nullptr, TX_PARAM_NONE)) {
		throw std::runtime_error("no transaction");
	}
	try {
		f();
	} catch (...) {
		if (pmemobj_tx_stage() == TX_STAGE_WORK) {
			pmemobj_tx_abort(-1);
		}
		pmemobj_tx_end();
		throw;
	}
	pmemobj_tx_commit();
	pmemobj_tx_end();
}

void run_early(Pair *pair)
{
	run([&] { add(&pair->left); });
	run([&] { add(&pair->right); });
}

void run_early_too(Pair *pair)
{
	run([&] { add(&pair->left); });
	run([&] { add(&pair->right); });
}

// A guard.
class Transaction {
public:
	explicit Transaction(PMEMobjpool *pool)
	{
		if (pmemobj_tx_begin(pool, nullptr, TX_PARAM_NONE)) {
			throw std::runtime_error("no transaction");
		}
	}
	Transaction(const Transaction &) = delete;
	Transaction &operator=(const Transaction &) = delete;
	void commit()
	{
		pmemobj_tx_commit();
		committed = true;
	}
	~Transaction()
	{
		if (!committed) {
			pmemobj_tx_abort(-1);
		}
		pmemobj_tx_end();
	}

private:
	bool committed = false;
};

void add_guarded(uint64_t *word, Transaction &transaction)
{
	add(word);
	transaction.commit();
}

void guard_early(Pair *pair)
{
	{
		Transaction transaction(pop);
		add_guarded(&pair->left, transaction);
	}
	Transaction transaction(pop);
	add(&pair->right);
	transaction.commit();
}

void guard_early_too(Pair *pair)
{
	{
		Transaction transaction(pop);
		add(&pair->left);
		transaction.commit();
	}
	Transaction transaction(pop);
	add(&pair->right);
	transaction.commit();
}

// Functions before and behind.
void begin()
{
	if (pmemobj_tx_begin(pop, nullptr, TX_PARAM_NONE)) {
		std::abort();
	}
}

void commit()
{
	pmemobj_tx_commit();
	pmemobj_tx_end();
}

void bracket_early(Pair *pair)
{
	begin();
	add(&pair->left);
	commit();
	begin();
	add(&pair->right);
	commit();
}

void bracket_early_too(Pair *pair)
{
	begin();
	add(&pair->left);
	commit();
	begin();
	add(&pair->right);
	commit();
}

// A function that calls by a pointer.
void in_transaction(void (*body)(Pair *), Pair *pair)
{
	TX_BEGIN(pop)
	{
		body(pair);
	}
	TX_ONABORT
	{
		std::abort();
	}
	TX_END
}

void left(Pair *pair)
{
	add(&pair->left);
}
void right(Pair *pair)
{
	add(&pair->right);
}
void left_too(Pair *pair)
{
	add(&pair->left);
}
void right_too(Pair *pair)
{
	add(&pair->right);
}

void call_early(Pair *pair)
{
	in_transaction(left, pair);
	in_transaction(right, pair);
}

void call_early_too(Pair *pair)
{
	in_transaction(left_too, pair);
	in_transaction(right_too, pair);
}

void unlogged_early(Pair *pair)
{
	run([&] {
		if (mistaken) {
			++pair->left;
		} else {
			add(&pair->left);
		}
		add(&pair->right);
	});
}

void work(void (*caller)(Pair *), Pair *pair)
{
	if (mistaken) {
		caller(pair);
	} else {
		TX_BEGIN(pop)
		{ // The others are nested in it.
			caller(pair);
		}
		TX_END
	}
}

int check()
{
	for (const Pair &pair : root->pairs) {
		if (pair.left != pair.right) {
			std::fprintf(stderr, "the halves of a pair differ\n");
			return 1;
		}
	}
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 4) {
		return 2;
	}
	mistaken = std::strcmp(argv[2], "mistaken") == 0;
	const bool create = std::strcmp(argv[1], "create") == 0;
	pop = create ? pmemobj_create(argv[3], "wrappers", PMEMOBJ_MIN_POOL, 0600) : pmemobj_open(argv[3], "wrappers");
	if (pop == nullptr) {
		std::fprintf(stderr, "%s: %s\n", argv[3], pmemobj_errormsg());
		return 2;
	}
	root = static_cast<Root *>(pmemobj_direct(pmemobj_root(pop, sizeof(Root))));
	int code = 0;
	if (std::strcmp(argv[1], "check") == 0) {
		code = check();
	} else if (!create) {
		void (*const callers[])(Pair *) = {run_early, run_early_too, guard_early, guard_early_too, bracket_early,
				bracket_early_too, call_early, call_early_too, unlogged_early};
		for (int caller = 0; caller < 9; caller++) {
			work(callers[caller], &root->pairs[caller]);
		}
	}
	pmemobj_close(pop);
	return code;
}
