/* SPDX-License-Identifier: Apache-2.0 */
/* The maps of PMDK's examples, and what a driver has to know about each. */
#ifndef MAPS_H
#define MAPS_H

#include "inspect.h"

/* How a key that is there already gets a new value. */
enum replacement {
	REPLACED_BY_INSERT, /* map_insert replaces the value */
	REPLACED_BY_REMOVE, /* map_insert would add the key twice or refuse it: remove and insert in one transaction */
	REPLACED_IN_PLACE /* map_insert refuses and the map knows no transactions: the value object is changed */
};

struct tested_map {
	const char *name; /* also the pool's layout */
	const struct map_ops *operations;
	void (*inspect)(struct inspection *inspection, PMEMoid map);
	enum replacement replacement;
	bool transactional; /* its operations may be part of a larger transaction */
	bool foreach_keys; /* map_foreach reports whole keys (rtree's reports the labels of nodes) */
};

/* The map with this name, NULL if there is none. */
const struct tested_map *find_map(const char *name);

/* All names, separated by '|'. */
const char *map_names(void);

#endif
