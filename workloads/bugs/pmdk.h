/*
 * The frame of the suite's libpmemobj programs: a pool with a root object. A program defines `struct root` and the same
 * three functions as with pm.h, which take the pool too, and ends with PMDK_MAIN.
 */
#ifndef POWERCUT_BUGS_PMDK_H
#define POWERCUT_BUGS_PMDK_H

#include "pm.h"

#include <libpmemobj.h>

#define PMDK_LAYOUT "bug-suite"

PM_HELPER void pmdk_fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, pmemobj_errormsg());
	exit(2);
}

#define PMDK_MAIN \
	int main(int argc, char **argv) \
	{ \
		if (argc != 3) \
			return pm_usage(argv[0]); \
		char path[4096]; \
		snprintf(path, sizeof path, "%s/pool", argv[2]); \
		int making = strcmp(argv[1], "create") == 0; \
		PMEMobjpool *pop = \
				making ? pmemobj_create(path, PMDK_LAYOUT, PMEMOBJ_MIN_POOL, 0644) : pmemobj_open(path, PMDK_LAYOUT); \
		if (pop == NULL) { \
			printf("inconsistent: the pool cannot be opened: %s\n", pmemobj_errormsg()); \
			return 1; \
		} \
		PMEMoid oid = pmemobj_root(pop, sizeof(struct root)); \
		struct root *root = (struct root *)pmemobj_direct(oid); \
		int status = 0; \
		if (making) \
			create(pop, root); \
		else if (strcmp(argv[1], "run") == 0) \
			run(pop, root); \
		else if (strcmp(argv[1], "check") == 0) \
			status = pm_judge(check(pop, root)); \
		else \
			status = pm_usage(argv[0]); \
		pmemobj_close(pop); \
		return status; \
	}

#endif
