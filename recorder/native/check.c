/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Now and then, records what some pages of mapped PM hold. Readers compare that with what the other records add up to,
 * and so notice a store that was not recorded.
 *
 * This happens only while there is one process, and no call that may store into PM is running. Pages are read by a
 * system call, since mapped memory beyond the end of its file cannot be touched.
 */
#include "check.h"

#include "pub_tool_libcproc.h"

#include "events.h"
#include "mappings.h"
#include "memory.h"
#include "options.h"
#include "trace.h"

#define FIRST_FENCE 4
#define PAGES_AT_ONCE 32
#define MAX_CHECKS 24 /* each after twice as many fences as the previous one */

static ULong fences;
static ULong next_fence = FIRST_FENCE;
static UInt checks;
static Bool over;

/* Where the next check continues. */
static Int mapping_index;
static SizeT mapping_page;

void pc_check_is_early(void)
{
	over = True;
}

static ULong hash_of(const ULong *words)
{
	ULong hash = POWERCUT_FNV_BASIS;
	for (UInt i = 0; i < POWERCUT_CHECK_SIZE / sizeof(ULong); i++) {
		hash = (hash ^ words[i]) * POWERCUT_FNV_PRIME;
		hash ^= hash >> 32;
	}
	return hash;
}

static void check_page(ThreadId tid, const Mapping *mapping, SizeT page)
{
	static ULong words[POWERCUT_CHECK_SIZE / sizeof(ULong)];
	if (pc_read_memory((UInt)VG_(getpid)(), mapping->start + page * POWERCUT_CHECK_SIZE, words, sizeof words) !=
			sizeof words)
		return;
	struct powercut_check *record = pc_append(POWERCUT_CHECK, 0, tid, sizeof *record);
	record->location = pc_location(mapping->file, mapping->offset + page * POWERCUT_CHECK_SIZE);
	record->hash = hash_of(words);
	pc_commit();
}

/* The next pages, in the order of the mappings. Lock held. */
static void check(ThreadId tid)
{
	for (UInt i = 0; i < PAGES_AT_ONCE; i++) {
		const Mapping *mapping = pc_mapping_at(mapping_index);
		if (mapping != NULL && mapping_page >= (mapping->end - mapping->start) / POWERCUT_CHECK_SIZE) {
			mapping_index++;
			mapping_page = 0;
			mapping = pc_mapping_at(mapping_index);
		}
		if (mapping == NULL) {
			mapping_index = 0;
			mapping_page = 0;
			return;
		}
		check_page(tid, mapping, mapping_page++);
	}
}

void pc_check_at_fence(ThreadId tid)
{
	if (LIKELY(++fences < next_fence))
		return;
	next_fence *= 2;
	if (over || checks == MAX_CHECKS || !pc_options.record || pc_control->shared || pc_events_in_doubt())
		return;
	checks++;
	check(tid);
}
