/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "returns.h"

#include "pub_tool_tooliface.h"

#include "core_api.h"
#include "hashmap.h"

static HashMap places;

Bool pc_returns_to(Addr address)
{
	return pc_map_get(&places, address) != HASHMAP_ABSENT;
}

void pc_returns_note(Addr address)
{
	if (pc_returns_to(address))
		return;
	pc_map_put(&places, address, 1);
	VG_(discard_translations)(address, 1, "a function returns to it whose return matters");
}
