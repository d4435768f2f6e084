// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER 5
#define LONGEST_FRAME (64u << 20)

static void reserve(struct wire *wire, size_t more)
{
	if (wire->length + more <= wire->capacity)
		return;
	size_t capacity = wire->capacity ? wire->capacity : 64 << 10;
	while (capacity < wire->length + more)
		capacity *= 2;
	char *bytes = realloc(wire->bytes, capacity);
	if (!bytes) {
		fputs("powercut-supervisor: out of memory\n", stderr);
		_exit(70);
	}
	wire->bytes = bytes;
	wire->capacity = capacity;
}

void wire_put(struct wire *out, const void *bytes, size_t count)
{
	reserve(out, count);
	memcpy(out->bytes + out->length, bytes, count);
	out->length += count;
}

void wire_put_8(struct wire *out, uint8_t value)
{
	wire_put(out, &value, sizeof value);
}
void wire_put_32(struct wire *out, uint32_t value)
{
	wire_put(out, &value, sizeof value);
}
void wire_put_64(struct wire *out, uint64_t value)
{
	wire_put(out, &value, sizeof value);
}

void wire_put_string(struct wire *out, const char *string)
{
	size_t length = strlen(string);
	wire_put_32(out, (uint32_t)length);
	wire_put(out, string, length + 1);
}

void wire_begin(struct wire *out, enum answer type)
{
	out->length = 0;
	wire_put_32(out, 0);
	wire_put_8(out, (uint8_t)type);
}

int wire_send(struct wire *out, int descriptor)
{
	uint32_t payload = (uint32_t)(out->length - HEADER);
	memcpy(out->bytes, &payload, sizeof payload);
	size_t sent = 0;
	while (sent < out->length) {
		ssize_t count = write(descriptor, out->bytes + sent, out->length - sent);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return -1;
		sent += (size_t)count;
	}
	return 0;
}

static const char *take(struct wire *in, size_t count)
{
	if (in->broken || count > in->length - in->position) {
		in->broken = 1;
		return NULL;
	}
	const char *bytes = in->bytes + in->position;
	in->position += count;
	return bytes;
}

uint32_t wire_take_32(struct wire *in)
{
	uint32_t value = 0;
	const char *bytes = take(in, sizeof value);
	if (bytes)
		memcpy(&value, bytes, sizeof value);
	return value;
}

uint64_t wire_take_64(struct wire *in)
{
	uint64_t value = 0;
	const char *bytes = take(in, sizeof value);
	if (bytes)
		memcpy(&value, bytes, sizeof value);
	return value;
}

char *wire_take_string(struct wire *in)
{
	uint32_t length = wire_take_32(in);
	const char *bytes = take(in, (size_t)length + 1);
	if (!bytes || bytes[length] != 0) {
		in->broken = 1;
		return NULL;
	}
	return (char *)bytes;
}

int wire_fill(struct wire *in, int descriptor)
{
	reserve(in, 64 << 10);
	ssize_t count;
	do
		count = read(descriptor, in->bytes + in->length, in->capacity - in->length);
	while (count < 0 && errno == EINTR);
	if (count <= 0)
		return 0;
	in->length += (size_t)count;
	return 1;
}

int wire_next(struct wire *in, struct wire *frame)
{
	size_t left = in->length - in->position;
	if (left < HEADER)
		return 0;
	uint32_t payload;
	memcpy(&payload, in->bytes + in->position, sizeof payload);
	if (payload > LONGEST_FRAME)
		return -1;
	if (left - HEADER < payload)
		return 0;
	int type = (unsigned char)in->bytes[in->position + 4];
	*frame = (struct wire){.bytes = in->bytes + in->position + HEADER, .length = payload};
	in->position += HEADER + payload;
	return type;
}

void wire_compact(struct wire *in)
{
	in->length -= in->position;
	memmove(in->bytes, in->bytes + in->position, in->length);
	in->position = 0;
}
