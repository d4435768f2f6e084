/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills several chunks; with a second argument it continues until it is killed. */
#include "pm.h"

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	char *pm = map_file("killed", 65536);
	for (long i = 0; i < 40000 || argc == 3; i++) {
		*(long *)(pm + i * 8 % 65536) = i;
		if (i % 64 == 0)
			persist(pm + i * 8 % 65536);
	}
	return 0;
}
