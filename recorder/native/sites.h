/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sites: places in the code, as module and offset. */
#ifndef RECORDER_SITES_H
#define RECORDER_SITES_H

#include "pub_tool_basics.h"

/* Index into the table of sites; a record carries the id that pc_site_id gives. */
typedef UInt SiteIndex;

typedef struct {
	Addr address;
	UInt id; /* in the trace; 0 = not defined there yet */
	UInt module; /* index into the modules, 0 = none */
	UInt source; /* of a place in a script: index into the sources; 0 = an address */
	ULong offset; /* in the module */
	Bool resolved;
	Bool excluded; /* known once the site is defined */
	Bool is_lock; /* a locked instruction, which has a fence's effect */
} Site;

/* Whose code it is. */
typedef enum { OF_THE_TARGET, OF_OPENMP, OF_THE_C_LIBRARY, OF_THE_LOADER } CodeOwner;

SiteIndex pc_site_of(Addr address);
/* A place in a script, which has no address of its own; the offset is the same in each execution. */
SiteIndex pc_site_of_source(const HChar *file, const HChar *function, UInt line, ULong offset);
const Site *pc_site(SiteIndex index);
/* The site's id in the trace, where it is defined first if it is new. Lock held. */
UInt pc_site_id(SiteIndex index);
/* Hash over one frame, for failure point ids. */
ULong pc_site_hash(ULong hash, SiteIndex index);
Bool pc_site_excluded(SiteIndex index);
CodeOwner pc_site_owner(SiteIndex index);
/* Whether what the code does with memory is of interest, and not only what its functions do. */
Bool pc_site_is_watched(SiteIndex index);
void pc_site_is_lock(SiteIndex index);
/* The path of a module, by a site's index of it; "" for code outside any file. */
const HChar *pc_module_path(UInt index);
/*
 * "function (file:line)" for a message: of what was inlined at the address, frame 0 being the innermost. Returns how many
 * frames are there.
 */
UInt pc_describe(Addr address, UInt frame, HChar *text, SizeT size);
/* Code was unmapped: its addresses may mean something else from now on. */
void pc_sites_forget(Addr start, SizeT size);

#endif
