// SPDX-License-Identifier: Apache-2.0
// Frames between the JVM and the supervisor. A frame is: length of the payload (32 bits), type (8 bits), payload.
// Numbers are little-endian, as on every machine this runs on. A string is its length (32 bits), its bytes, and a zero
// byte, so that it can be passed to the kernel in place. Any change here needs a new WIRE_VERSION, here and in Java's
// Wire class.
#ifndef POWERCUT_WIRE_H
#define POWERCUT_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define WIRE_VERSION 3

enum request { REQUEST_RUN = 1, REQUEST_STOP = 2, REQUEST_KILL = 3, REQUEST_STATUS = 4 };
enum answer { ANSWER_HELLO = 100, ANSWER_STARTED = 101, ANSWER_STATUS = 102, ANSWER_ENDED = 103 };

enum run_flag { RUN_FIXED_ADDRESSES = 1, RUN_TELL_START = 2 };

enum ending {
	ENDING_EXITED = 0,
	ENDING_SIGNALLED = 1,
	ENDING_TIME = 2,
	ENDING_MEMORY = 3,
	ENDING_SPACE = 4,
	ENDING_NOT_STARTED = 5,
	ENDING_STOPPED = 6,
	ENDING_STRAYED = 7, // it asked for a file of another execution
};

// A growing buffer to write frames to, or a view of one that was read.
struct wire {
	char *bytes;
	size_t length;
	size_t capacity;
	size_t position;
	int broken; // a read went past the end
};

void wire_put(struct wire *out, const void *bytes, size_t count);
void wire_put_8(struct wire *out, uint8_t value);
void wire_put_32(struct wire *out, uint32_t value);
void wire_put_64(struct wire *out, uint64_t value);
void wire_put_string(struct wire *out, const char *string);
// Starts a frame of this type in an emptied buffer; wire_send fills in its length.
void wire_begin(struct wire *out, enum answer type);
// Returns 0, or -1 when nobody listens any more.
int wire_send(struct wire *out, int descriptor);

uint32_t wire_take_32(struct wire *in);
uint64_t wire_take_64(struct wire *in);
char *wire_take_string(struct wire *in);

// Reads what there is into the buffer. Returns 0 at the end of the stream or at an error.
int wire_fill(struct wire *in, int descriptor);
// A view of the next whole frame of the buffer, and its type; 0 when it is not whole yet, -1 when it is invalid.
int wire_next(struct wire *in, struct wire *frame);
// Forgets the frames that have been taken.
void wire_compact(struct wire *in);

#endif
