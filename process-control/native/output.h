// SPDX-License-Identifier: Apache-2.0
// What a command prints: the beginning goes to a file, the end stays in memory, the rest is counted and dropped.
#ifndef POWERCUT_OUTPUT_H
#define POWERCUT_OUTPUT_H

#include "wire.h"

#define TAIL_BYTES (16u << 10)

struct output {
	int pipe; // read end, -1 when closed
	int file; // -1 when there is none, or it is full
	uint64_t room; // bytes that may still go to the file
	uint64_t total;
	char tail[TAIL_BYTES]; // a ring: the byte number n is at n % TAIL_BYTES
};

// Takes what is in the pipe, but returns after a few buffers even if a writer never stops. Returns 0 once it is closed.
int output_pump(struct output *output);
// Takes what is left after all writers died, and closes everything.
void output_finish(struct output *output);
// The tail as the last part of a frame.
void output_put_tail(const struct output *output, struct wire *out);

#endif
