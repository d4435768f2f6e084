/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping a thread from persisting what it stored. */
#include "hold.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"

#include "policy.h"
#include "threads.h"

#define LARGEST_THREAD 0xffff
#define LARGEST 1000000000000LL
#define OTHERS_FIRST_NS 400000ULL /* so long others run before one that is put off */
#define OTHERS_FIRST_YIELDS 4 /* or so often they yield, as those do that wait for a lock of their own making */
#define YIELD_NS (1000 * NS_PER_BLOCK) /* A thread that yields waits, and may yield millions of times. */

typedef enum {
	BEFORE, /* the store */
	PUT_OFF, /* behind the store, in front of the persist */
	HELD, /* at the persist */
	OVER,
} Phase;

static UInt writer; /* 0 = the option is not given */
static ULong store;
static ULong limit; /* ns */
static UInt reader; /* 0 = none */
static UInt persister; /* 0 = the writer */

static Phase phase;
static ULong stores; /* of the writer */
static ULong earlier; /* stores of the process's first thread, while no hold is known */
static ULong begin; /* when the phase PUT_OFF did, or when the reader was first kept; 0 = not yet */
static ULong yielded; /* ns that yields of others count for since then */
static ULong last_turn; /* of the one that is put off */
static UInt yields; /* of others since then */

/* --------------------------------------------------------------- the option */

static Bool parse_field(const HChar **at, Long largest, ULong *value)
{
	HChar *end;
	if (**at < '0' || **at > '9')
		return False;
	Long number = VG_(strtoll10)(*at, &end);
	*at = end;
	*value = (ULong)number;
	return number >= 1 && number <= largest;
}

Bool pc_hold_parse(const HChar *text)
{
	ULong thread;
	ULong number;
	ULong blocks;
	ULong other = 0;
	ULong persisting = 0;
	if (!parse_field(&text, LARGEST_THREAD, &thread) || *text++ != ':' || !parse_field(&text, LARGEST, &number) ||
			*text++ != ':' || !parse_field(&text, LARGEST, &blocks))
		return False;
	Bool has_persister_alone = text[0] == ':' && text[1] == '0' && text[2] == ':';
	if (has_persister_alone)
		text += 2;
	else if (*text == ':' && (text++, !parse_field(&text, LARGEST_THREAD, &other)))
		return False;
	if (*text == ':' && (text++, !parse_field(&text, LARGEST_THREAD, &persisting)))
		return False;
	if (*text != 0)
		return False;
	writer = (UInt)thread;
	store = number;
	limit = blocks * NS_PER_BLOCK;
	reader = (UInt)other;
	persister = (UInt)persisting;
	return True;
}

void pc_hold_print(HChar *text)
{
	UInt length = VG_(sprintf)(text, "%u:%llu:%llu", writer, store, limit / NS_PER_BLOCK);
	if (reader != 0 || persister != 0)
		length += VG_(sprintf)(text + length, ":%u", reader);
	if (persister != 0)
		VG_(sprintf)(text + length, ":%u", persister);
}

Bool pc_hold_is_wanted(void)
{
	return writer != 0;
}

/* -------------------------------------------------------------- the phases */

/* The one that is kept behind the store. */
static Bool is_persister(ThreadId tid)
{
	return pc_thread_id(tid) == (persister != 0 ? persister : writer);
}

void pc_hold_forget(void)
{
	phase = BEFORE;
	begin = last_turn = yielded = earlier = 0;
	yields = 0;
}

Bool pc_hold_is_behind_its_store(ThreadId only)
{
	if (writer == 0)
		return False;
	if (pc_thread_id(only) == writer)
		stores += earlier;
	earlier = 0;
	if (phase == BEFORE && stores >= store)
		phase = PUT_OFF;
	begin = last_turn = yielded = 0; /* it begins where there is someone to wait for */
	yields = 0;
	return phase == PUT_OFF;
}

Bool pc_hold_stored(ThreadId tid, ULong now)
{
	if (writer == 0)
		earlier++;
	if (writer == 0 || pc_thread_id(tid) != writer || ++stores != store || phase != BEFORE)
		return False;
	phase = PUT_OFF;
	begin = last_turn = now;
	yielded = 0;
	yields = 0;
	return True;
}

Bool pc_hold_persists(ThreadId tid)
{
	if (phase != PUT_OFF || !is_persister(tid))
		return False;
	phase = HELD;
	return True;
}

/* The one that lets others go first now. */
static Bool is_kept(ThreadId tid)
{
	switch (phase) {
	case BEFORE: return reader != 0 && pc_thread_id(tid) == reader;
	case PUT_OFF:
	case HELD: return is_persister(tid);
	case OVER: break;
	}
	return False;
}

static Bool is_too_long(ULong now)
{
	return begin != 0 && now - begin + yielded > limit;
}

void pc_hold_others_yield(ThreadId tid)
{
	if ((phase == PUT_OFF || phase == HELD) && begin != 0 && !is_persister(tid)) {
		yielded += YIELD_NS;
		yields++;
	}
}

Bool pc_hold_keeps(ThreadId tid, ULong now)
{
	if (writer == 0 || !is_kept(tid) || is_too_long(now))
		return False;
	if (begin == 0)
		begin = last_turn = now;
	return phase == HELD || (now - last_turn < OTHERS_FIRST_NS && yields < OTHERS_FIRST_YIELDS);
}

Bool pc_hold_is_put_off(ThreadId tid, ULong now)
{
	return writer != 0 && phase != HELD && is_kept(tid) && !is_too_long(now);
}

void pc_hold_turn(ThreadId tid, ULong now)
{
	if (writer == 0 || !is_kept(tid))
		return;
	last_turn = now;
	yields = 0;
	if (phase == HELD)
		phase = OVER;
}
