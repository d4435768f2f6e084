/* SPDX-License-Identifier: Apache-2.0 */
/* What of the recorder's trace is replayed: the numbers that docs/trace-format.md gives. */
#ifndef REPLAY_TRACE_H
#define REPLAY_TRACE_H

#include <stdint.h>

#define TRACE_VERSION 5
#define CHUNK_NAME "chunk-%08llu"
#define CHUNK_MAGIC "PWCCHUNK"
#define CHUNK_HEADER 64

struct chunk {
	char magic[8];
	uint32_t version;
	uint32_t header_size;
	uint64_t number;
	uint64_t used;
	uint32_t closed;
};

enum kind {
	MODULE_DEF = 16,
	SITE_DEF = 17,
	STACK_DEF = 18,
	THREAD_START = 24,
	THREAD_EXIT = 25,
	THREAD_JOIN = 26,
	PROCESS_START = 27,
	EXEC = 28,
	ALLOCATED = 67,
	ACCESS = 69,
	ACQUIRE = 96,
	RELEASE = 97,
};

enum { ALLOCATED_FLAG_STACK = 1 };
enum { ACCESS_FLAG_LOCKED = 1, ACCESS_FLAG_STORE = 2, LOCK_FLAG_SHARED = 1 };
enum { LOCK_CONDITION = 4, LOCK_ONCE = 7, LOCK_WORD = 9 }; /* from CONDITION to ONCE nothing is held */

struct record {
	uint8_t kind;
	uint8_t flags;
	uint16_t thread;
	uint32_t length;
};

struct module_def {
	struct record record;
	uint32_t module, path_length, build_id_length, name_length;
	uint64_t load_bias;
	char path[];
};

struct site_def {
	struct record record;
	uint32_t site, module;
	uint64_t offset;
};

struct stack_def {
	struct record record;
	uint32_t stack, depth;
	uint64_t failure_point;
	uint32_t sites[]; /* innermost first */
};

struct thread_event {
	struct record record;
	uint32_t thread, creator, pid, os_thread;
};

struct process_event {
	struct record record;
	uint32_t pid, other, thread, path_length;
	char path[];
};

/* ALLOCATED and ACCESS */
struct memory_event {
	struct record record;
	uint32_t site, stack;
	uint64_t address, size;
};

struct lock_event {
	struct record record;
	uint32_t site, stack;
	uint64_t object;
	uint32_t what, zero;
};

#endif
