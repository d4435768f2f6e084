// SPDX-License-Identifier: Apache-2.0
// One command: the request, and how to start it.
#ifndef POWERCUT_COMMAND_H
#define POWERCUT_COMMAND_H

#include "output.h"
#include "space.h"
#include "wire.h"

#include <sys/types.h>

// Where a start can fail. Java writes the message.
enum start_stage { START_OUTPUT = 1, START_DIRECTORY = 2, START_PROGRAM = 3, START_PROCESS = 4 };

struct request_run {
	uint32_t flags;
	uint64_t time_limit; // nanoseconds, 0: none
	uint64_t cpu_limit; // of processor time, nanoseconds, 0: none
	uint64_t memory_limit;
	uint64_t output_limit;
	const char *directory;
	const char *output_file; // "": none
	const char *own; // its PM directory, if it must be kept out of those of others; "": it need not
	struct space_guard *guards;
	uint32_t guard_count;
	char **arguments;
	char **environment;
};

// Fills the request from a frame; its strings stay in the frame. Returns 0 if the frame is broken.
int command_decode(struct wire *frame, struct request_run *request);

// Starts the program in a session of its own, with its output to the pipe. Returns its process, or -1 with the stage
// that failed and the error number. FENCE becomes the kernel's end of its fence, -1: it has none.
pid_t command_spawn(const struct request_run *request, int output, enum start_stage *stage, int *error, int *fence);

#endif
