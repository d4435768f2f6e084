/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synchronises in the ways of OpenMP. What it says are the records of its first thread for the objects in `all`, in
 * their order: what happened, kind, place in `all`.
 */
#include <omp.h>

#include "pm.h"

static struct {
	omp_lock_t lock;
	omp_nest_lock_t nested;
	void *name;
} all;

#define ACQUIRED(object) say("ACQUIRE openmp %zu", (size_t)((char *)&(object) - (char *)&all))
#define RELEASED(object) say("RELEASE openmp %zu", (size_t)((char *)&(object) - (char *)&all))

/* What the compiler calls. */
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

static void locks(void)
{
	omp_init_lock(&all.lock);
	omp_set_lock(&all.lock);
	ACQUIRED(all.lock);
	CHECK(!omp_test_lock(&all.lock));
	omp_unset_lock(&all.lock);
	RELEASED(all.lock);
	CHECK(omp_test_lock(&all.lock));
	ACQUIRED(all.lock);
	omp_unset_lock(&all.lock);
	RELEASED(all.lock);

	omp_init_nest_lock(&all.nested);
	omp_set_nest_lock(&all.nested);
	ACQUIRED(all.nested);
	CHECK(omp_test_nest_lock(&all.nested) == 2);
	ACQUIRED(all.nested);
	for (int i = 0; i < 2; i++) {
		omp_unset_nest_lock(&all.nested);
		RELEASED(all.nested);
	}
}

static void sections(void)
{
	GOMP_critical_name_start(&all.name);
	ACQUIRED(all.name);
	GOMP_critical_name_end(&all.name);
	RELEASED(all.name);
#pragma omp critical
	CHECK(all.name != &all);
	GOMP_atomic_start();
	GOMP_atomic_end();
}

int main(int argc, char **argv)
{
	CHECK(argc == 2 && chdir(argv[1]) == 0);
	say("all %p %zu", (void *)&all, sizeof all);
	locks();
	sections();
#pragma omp barrier
	say_all();
	return 0;
}
