/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the replay of a recorded trace. */
#ifndef REPLAY_H
#define REPLAY_H

#include "trace.h"

#include <stdbool.h>

/* Definitions of the trace: files of code, places in them, call stacks. */
void define_module(const struct module_def *definition);
void define_site(const struct site_def *definition);
void define_stack(const struct stack_def *definition);
/* The node of a stack of the trace, as in stacks.h. */
uint32_t node_of(uint32_t stack);
/* Whether accesses there only order threads: of the library of OpenMP. */
bool only_orders(uint32_t site);

/* Set when the trace shows a library whose synchronisation the recorder does not know: nothing could be believed. */
extern bool is_unknown_library;
/* Feeds one record to the detectors. */
/* Reads POWERCUT_RACE_RELAXED: with 1, locked instructions order nothing. */
void replay_start(void);
void replay_record(const struct record *record);

#endif
