/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --atomics=yes: words that threads use as locks. */
#ifndef RECORDER_WORDS_H
#define RECORDER_WORDS_H

#include "pub_tool_basics.h"
#include "libvex_guest_amd64.h"

#define WORD_SETS 4096 /* a power of two */

/* By (address / 8) % WORD_SETS: not 0 if a word that is held may lie there. Asked by the target's code. */
extern UChar pc_words_held[WORD_SETS];
/* One may lie on a stack. Asked when code is translated. */
extern Bool pc_words_on_stacks;

/* `what` is size << WORD_SIZE_SHIFT | site, and WORD_EXCHANGED for xchg. */
#define WORD_SIZE_SHIFT 32
#define WORD_EXCHANGED (1ULL << 40)
/* After a swap that changed a word, before its records; old and new are the lowest 8 bytes. */
void pc_on_word_swapped(const VexGuestAMD64State *guest, Addr address, UWord what, ULong old, ULong new);
/* After a store to what may be a word that is held, and its records. */
void pc_on_word_stored(const VexGuestAMD64State *guest, Addr address, UWord what);

/* It holds nothing any more. */
void pc_words_forget_thread(ThreadId tid);

#endif
