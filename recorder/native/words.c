/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --atomics=yes: a compare-and-swap or an exchange that changes a word acquires it as a lock, and the next store to it
 * by the same thread releases it. 0 is free: to store it acquires nothing. An exchange has to find it, since it stores
 * whatever it finds; a compare-and-swap may take a lock that has a version.
 *
 * Only one thread holds a word. What others swap in meanwhile, such as a bit that says that they wait, acquires
 * nothing. Whoever finds 0 in it shows that the hold has ended unseen, perhaps with the memory that the word was in.
 * Words that are held are in a table by address. Where it is full, the oldest is given up.
 */
#include "words.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "core_api.h"
#include "locks.h"
#include "powercut_trace.h"
#include "sites.h"

#define WAYS 4
#define RED_ZONE 128

typedef struct {
	Addr address; /* 0 = free */
	UInt size;
	ThreadId owner;
} Word_;

UChar pc_words_held[WORD_SETS];
Bool pc_words_on_stacks;

/* The oldest first. */
static Word_ words[WORD_SETS][WAYS];

/* The swap that acquired it is a store, too. */
static Bool just_acquired;

static UInt size_of(UWord what)
{
	return (UInt)(what >> WORD_SIZE_SHIFT) & 0xff;
}

static UInt set_of(Addr address)
{
	return (UInt)(address >> 3) & (WORD_SETS - 1);
}

static Word_ *find(Addr address, SizeT size)
{
	for (Addr at = address & ~7UL; at < address + size; at += 8) {
		Word_ *set = words[set_of(at)];
		for (UInt i = 0; i < pc_words_held[set_of(at)]; i++) {
			if (set[i].address < address + size && address < set[i].address + set[i].size)
				return &set[i];
		}
	}
	return NULL;
}

static void release(const VexGuestAMD64State *guest, Word_ *word, SiteIndex site)
{
	UInt set = set_of(word->address);
	Word_ old = *word;
	pc_words_held[set]--;
	for (; word < &words[set][pc_words_held[set]]; word++)
		word[0] = word[1];
	pc_lock_record(guest, old.owner, POWERCUT_RELEASE, POWERCUT_WORD, 0, old.address, site);
}

/* From then on stores relative to the stack pointer count, too. */
static void look_for_stack(Addr address)
{
	ThreadId tid;
	Addr low;
	Addr high;
	VG_(thread_stack_reset_iter)(&tid);
	while (!pc_words_on_stacks && VG_(thread_stack_next)(&tid, &low, &high))
		pc_words_on_stacks = address >= low - RED_ZONE && address <= high;
	if (pc_words_on_stacks)
		VG_(discard_translations)(0, ~0ULL, "a lock lies on a stack");
}

static void acquire(const VexGuestAMD64State *guest, Addr address, UInt size, SiteIndex site)
{
	UInt set = set_of(address);
	if (pc_words_held[set] == WAYS)
		release(guest, &words[set][0], site);
	words[set][pc_words_held[set]++] = (Word_){address, size, VG_(get_running_tid)()};
	if (!pc_words_on_stacks)
		look_for_stack(address);
	pc_lock_record(guest, VG_(get_running_tid)(), POWERCUT_ACQUIRE, POWERCUT_WORD, 0, address, site);
}

void pc_on_word_swapped(const VexGuestAMD64State *guest, Addr address, UWord what, ULong old, ULong new)
{
	UInt size = size_of(what);
	SiteIndex site = (SiteIndex)what;
	Word_ *word = find(address, size);
	Bool takes = new != 0 && (old == 0 || (word == NULL && (what & WORD_EXCHANGED) == 0));
	if (!takes || pc_in_lock_function(guest))
		return;
	if (word != NULL)
		release(guest, word, site);
	acquire(guest, address, size, site);
	just_acquired = True;
}

void pc_on_word_stored(const VexGuestAMD64State *guest, Addr address, UWord what)
{
	Word_ *word = find(address, size_of(what));
	if (just_acquired) {
		just_acquired = False;
		return;
	}
	if (word != NULL && word->owner == VG_(get_running_tid)())
		release(guest, word, (SiteIndex)what);
}

void pc_words_forget_thread(ThreadId tid)
{
	for (UInt set = 0; set < WORD_SETS; set++) {
		UInt kept = 0;
		for (UInt i = 0; i < pc_words_held[set]; i++) {
			if (words[set][i].owner != tid)
				words[set][kept++] = words[set][i];
		}
		pc_words_held[set] = (UChar)kept;
	}
}
