/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction does to memory: as much of x86-64 as programs use to read and write data. */
#ifndef READS_DECODE_H
#define READS_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#define LONGEST_INSTRUCTION 15

struct access {
	bool reads; /* its memory operand; also when in doubt */
	bool writes; /* all of size bytes, without reading them; false when in doubt */
	unsigned size; /* bytes; 64 when in doubt, a page when it may be any bytes of it */
	/* Of a string instruction: which registers hold addresses. */
	bool source; /* RSI, reads */
	bool target; /* RDI */
	bool target_is_read;
	bool is_repeated;
	unsigned length; /* of such an instruction, in bytes */
};

struct access decode(const uint8_t code[LONGEST_INSTRUCTION]);
/* Of a string instruction: whether it copies or fills upwards. */
bool decode_is_upwards(struct access access, uint64_t flags);

#endif
