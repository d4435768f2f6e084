/* SPDX-License-Identifier: Apache-2.0 */
#include "operands.h"

#include <stdbool.h>

struct prefixes {
	bool half; /* 66: operands of 16 bits */
	bool repeat, repeat_not; /* f3, f2 */
	bool wide; /* REX.W */
	bool long_vector; /* VEX.L */
};

static size_t of_integers(const struct prefixes *prefixes)
{
	return prefixes->wide ? 8 : prefixes->half ? 2 : 4;
}

static size_t of_vectors(const struct prefixes *prefixes)
{
	if (prefixes->repeat)
		return 4;
	if (prefixes->repeat_not)
		return 8;
	return prefixes->long_vector ? 32 : 16;
}

/* Opcodes behind 0f. */
static size_t of_second_map(unsigned char opcode, const struct prefixes *prefixes)
{
	switch (opcode) {
	case 0xb6: /* movzx, movsx from a byte */
	case 0xbe:
	case 0xb0: /* cmpxchg, xadd of bytes */
	case 0xc0: return 1;
	case 0xb7: /* movzx, movsx from 16 bits */
	case 0xbf: return 2;
	case 0x12: /* halves of vectors; with a prefix, elements are doubled */
	case 0x16:
		if (prefixes->repeat || (prefixes->repeat_not && prefixes->long_vector))
			return prefixes->long_vector ? 32 : 16;
		return 8;
	case 0x13:
	case 0x17:
	case 0xd6: return 8;
	case 0xe6: /* between integers and doubles */ return (size_t)(prefixes->repeat ? 8 : 16) << prefixes->long_vector;
	case 0x6e:
	case 0x2a: return prefixes->wide ? 8 : 4;
	case 0x7e: return prefixes->repeat || prefixes->wide ? 8 : 4;
	case 0x2e: /* comparisons of scalars */
	case 0x2f: return prefixes->half ? 8 : 4;
	case 0x6f: /* movdqa, movdqu and their stores: the prefix tells alignment, not size */
	case 0x7f:
	case 0xe7:
	case 0xf0: return prefixes->long_vector ? 32 : 16;
	case 0x5a: /* between single and double */
		return prefixes->repeat ? 4 : prefixes->repeat_not ? 8 : prefixes->half ? 16 : 8;
	case 0xc7: /* cmpxchg8b, cmpxchg16b */ return prefixes->wide ? 16 : 8;
	}
	if (opcode >= 0x90 && opcode <= 0x9f) /* setcc */
		return 1;
	if ((opcode >= 0x40 && opcode <= 0x4f) || (opcode >= 0xa3 && opcode <= 0xc1)) /* cmov, bits, imul, xadd */
		return of_integers(prefixes);
	if ((opcode >= 0x10 && opcode <= 0x7f) || opcode >= 0xc2)
		return of_vectors(prefixes);
	return 1;
}

static size_t of_first_map(const unsigned char *code, const struct prefixes *prefixes)
{
	unsigned char opcode = code[0], operation = code[1] >> 3 & 7;
	if (opcode < 0x40)
		return (opcode & 1) == 0 ? 1 : of_integers(prefixes);
	switch (opcode) {
	case 0x63: /* movsxd */ return 4;
	case 0x8f: /* pop */ return prefixes->half ? 2 : 8;
	case 0xff: /* inc, dec; call, jump, push */ return operation < 2 ? of_integers(prefixes) : prefixes->half ? 2 : 8;
	case 0xd8:
	case 0xd9: return 4;
	case 0xdd:
	case 0xdc: return 8;
	}
	if (opcode >= 0x80) /* even ones are of bytes */
		return (opcode & 1) == 0 ? 1 : of_integers(prefixes);
	return 8;
}

static size_t of_vex(const unsigned char *code, struct prefixes prefixes)
{
	bool is_short = code[0] == 0xc5;
	unsigned char last = code[is_short ? 1 : 2];
	unsigned map = is_short ? 1 : code[1] & 0x1f;
	prefixes.long_vector = (last & 4) != 0;
	prefixes.half = (last & 3) == 1;
	prefixes.repeat = (last & 3) == 2;
	prefixes.repeat_not = (last & 3) == 3;
	prefixes.wide = !is_short && (last & 0x80) != 0;
	if (map == 1)
		return of_second_map(code[is_short ? 2 : 3], &prefixes);
	return prefixes.long_vector ? 32 : 16;
}

size_t operand_size(const unsigned char *code)
{
	struct prefixes prefixes = {0};
	for (;; code++) {
		if (*code == 0x66)
			prefixes.half = true;
		else if (*code == 0xf3)
			prefixes.repeat = true;
		else if (*code == 0xf2)
			prefixes.repeat_not = true;
		else if (*code != 0xf0 && *code != 0x2e && *code != 0x36 && *code != 0x3e && *code != 0x26 && *code != 0x64 &&
				*code != 0x65 && *code != 0x67)
			break;
	}
	if (*code >= 0x40 && *code <= 0x4f)
		prefixes.wide = (*code++ & 8) != 0;
	if (*code == 0xc4 || *code == 0xc5)
		return of_vex(code, prefixes);
	if (*code != 0x0f)
		return of_first_map(code, &prefixes);
	if (code[1] == 0x38 || code[1] == 0x3a)
		return 16;
	return of_second_map(code[1], &prefixes);
}
