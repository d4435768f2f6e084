// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static char buffer[64 << 10];

static void keep_tail(struct output *output, const char *bytes, size_t count)
{
	if (count > TAIL_BYTES) {
		output->total += count - TAIL_BYTES;
		bytes += count - TAIL_BYTES;
		count = TAIL_BYTES;
	}
	size_t place = output->total % TAIL_BYTES;
	size_t first = count < TAIL_BYTES - place ? count : TAIL_BYTES - place;
	memcpy(output->tail + place, bytes, first);
	memcpy(output->tail, bytes + first, count - first);
	output->total += count;
}

static void close_file(struct output *output)
{
	if (output->file >= 0)
		close(output->file);
	output->file = -1;
}

static void keep_in_file(struct output *output, const char *bytes, size_t count)
{
	if (count > output->room)
		count = output->room;
	while (output->file >= 0 && count > 0) {
		ssize_t written = write(output->file, bytes, count);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			close_file(output); // the disk is full, but the tail still shows the end
			return;
		}
		bytes += written;
		count -= (size_t)written;
		output->room -= (uint64_t)written;
	}
	if (output->room == 0)
		close_file(output);
}

int output_pump(struct output *output)
{
	for (int rounds = 0; rounds < 16; rounds++) {
		ssize_t count = read(output->pipe, buffer, sizeof buffer);
		if (count < 0)
			return errno == EAGAIN || errno == EINTR;
		if (count == 0) {
			close(output->pipe);
			output->pipe = -1;
			return 0;
		}
		keep_in_file(output, buffer, (size_t)count);
		keep_tail(output, buffer, (size_t)count);
		if ((size_t)count < sizeof buffer)
			return 1;
	}
	return 1;
}

void output_finish(struct output *output)
{
	// A pipe holds 64 KiB, one round takes more. A writer out of our reach that still holds it must not block us.
	if (output->pipe >= 0)
		output_pump(output);
	if (output->pipe >= 0)
		close(output->pipe);
	output->pipe = -1;
	close_file(output);
}

void output_put_tail(const struct output *output, struct wire *out)
{
	size_t place = output->total % TAIL_BYTES;
	if (output->total >= TAIL_BYTES)
		wire_put(out, output->tail + place, TAIL_BYTES - place);
	wire_put(out, output->tail, place);
}
