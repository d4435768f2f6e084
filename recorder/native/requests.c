/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --requests=yes: what the target tells by powercut.h; --requests=ranges: of that only what it says of bytes. They are
 * Valgrind's client requests, of a tool that is called PC. Without the option they do nothing, as outside the recorder.
 */
#include "requests.h"

#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"

#include "events.h"
#include "mappings.h"
#include "options.h"
#include "outputs.h"
#include "sites.h"
#include "trace.h"

/* As in powercut.h. */
enum {
	REQUEST_WAIT = 0x50430000,
	REQUEST_BEGIN,
	REQUEST_END,
	REQUEST_ACKNOWLEDGE,
	REQUEST_PERSISTENT,
	REQUEST_TRANSIENT,
	REQUEST_IGNORE,
};

enum { PIECES_AT_ONCE = 16 };

static void append_range(ThreadId tid, UInt kind, UInt site, ULong location, SizeT size)
{
	struct powercut_range *record = pc_append(POWERCUT_RANGE, kind, tid, sizeof *record);
	record->site = site;
	record->location = location;
	record->size = size;
	pc_commit();
}

/* What of it is mapped now counts, and is a range of a file from here on. */
static void declare(ThreadId tid, UInt kind, Addr start, SizeT size)
{
	Mapping pieces[PIECES_AT_ONCE];
	if (!pc_options.record || size == 0)
		return;
	Addr end = start + size < start ? ~(Addr)0 : start + size;
	Addr from = start;
	Int count;
	pc_lock();
	UInt site = pc_site_id(pc_site_of(VG_(get_IP)(tid)));
	do {
		count = pc_mappings_in(from, end - from, pieces, PIECES_AT_ONCE);
		for (Int i = 0; i < count; i++) {
			const Mapping *piece = &pieces[i];
			append_range(tid, kind, site, pc_location(piece->file, piece->offset), piece->end - piece->start);
			from = piece->end;
		}
	} while (count == PIECES_AT_ONCE);
	if (from == start)
		append_range(tid, kind, site, pc_location(0, start & POWERCUT_LOCATION_OFFSET_MASK), 1);
	pc_unlock();
}

static Bool on_request(ThreadId tid, UWord *words, UWord *answer)
{
	if (words[0] < REQUEST_WAIT || words[0] > REQUEST_IGNORE)
		return False;
	*answer = 0;
	if (!pc_options.requests && !(pc_options.ranges && words[0] >= REQUEST_PERSISTENT))
		return True;
	switch (words[0]) {
	case REQUEST_WAIT:
		/* A program that another one starts inside the tested part does not end it. */
		if (pc_control->marks == 0)
			pc_mark(tid, POWERCUT_MARK_END);
		break;
	case REQUEST_BEGIN: pc_mark(tid, POWERCUT_MARK_BEGIN); break;
	case REQUEST_END: pc_mark(tid, POWERCUT_MARK_END); break;
	case REQUEST_ACKNOWLEDGE: pc_outputs_acknowledged(tid, words[1], words[2]); break;
	default: declare(tid, (UInt)(words[0] - REQUEST_PERSISTENT) + POWERCUT_RANGE_PERSISTENT, words[1], words[2]); break;
	}
	return True;
}

void pc_requests_init(void)
{
	VG_(needs_client_requests)(on_request);
}
