/*
 * A vector is one store. A byte of it is loaded.
 *
 * RACE observed: store, persisted persist, load
 */
#include "race.h"

static void *writer(void *unused)
{
	__asm__ volatile("pxor %%xmm0, %%xmm0; movdqu %%xmm0, 8(%0)" ::"r"(pm) : "memory", "xmm0"); /* AT store */
	pass(1);
	turn(2);
	pm_persist(&X); /* AT persist */
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
	sink = ((const volatile char *)pm)[racy ? 23 : 24]; /* AT load */
	pass(2);
	return unused;
}

RACE_MAIN(writer, reader)
