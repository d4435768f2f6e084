/* SPDX-License-Identifier: Apache-2.0
 *
 * Removes a directory with all below it, whatever a program left there: names that are no text, directories that nobody
 * may enter, any depth. Links are removed, not followed; what is mounted there is left alone.
 */
#ifndef POWERCUT_REMOVAL_H
#define POWERCUT_REMOVAL_H

#include <limits.h>

enum removal_scope { REMOVE_ALL, REMOVE_CONTENT };

/* What could not be removed. */
struct removal_failure {
	int error; /* 0: nothing failed */
	char name[NAME_MAX + 1]; /* of the first entry that failed; "" for the path itself */
};

/*
 * Removes what a path names, or only what is in that directory. A missing path is success. Returns 0, or -1 with the
 * first failure; everything else is removed then.
 */
int removal_run(const char *path, enum removal_scope scope, struct removal_failure *failure);

#endif
