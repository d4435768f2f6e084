/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores when it is opened and when it is closed; -O2 makes the last call of each a jump. */
#include "../pm.h"

static char *plugin;

__attribute__((constructor)) static void opened(void)
{
	plugin = map_file("plugin", 4096);
	plugin[0] = 1;
	persist(plugin);
	plugin[64] = 1;
	msync(plugin, 4096, MS_SYNC);
}

__attribute__((destructor)) static void closed(void)
{
	plugin[128] = 1;
	msync(plugin, 4096, MS_SYNC);
}
