/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

#define LARGEST 64
#define DIRECTION_FLAG 0x400
#define WHOLE_PAGE 4096 /* of which bytes is not known */

struct prefixes {
	bool operand; /* 66 */
	bool repeat; /* F3 */
	bool repeat_not; /* F2 */
	bool wide; /* REX.W or VEX.W */
};

static struct access reading(unsigned size)
{
	return (struct access){.reads = true, .size = size};
}

static struct access writing(unsigned size)
{
	return (struct access){.writes = true, .size = size};
}

/* Neither reads nor writes data: a flush. */
static struct access nothing(void)
{
	return (struct access){.size = 0};
}

static unsigned operand_size(struct prefixes has)
{
	return has.wide ? 8 : has.operand ? 2 : 4;
}

static unsigned field(uint8_t modrm)
{
	return modrm >> 3 & 7;
}

static struct access string(uint8_t opcode, struct prefixes has)
{
	struct access access = {.size = opcode & 1 ? operand_size(has) : 1, .is_repeated = has.repeat || has.repeat_not};
	switch (opcode & 0xfe) {
	case 0xa4: access.source = access.target = true; break;
	case 0xa6: access.source = access.target = access.target_is_read = true; break;
	case 0xaa: access.target = true; break;
	case 0xac: access.source = true; break;
	default: access.target = access.target_is_read = true; break; /* scas */
	}
	access.reads = access.source || access.target_is_read;
	access.writes = access.target && !access.target_is_read && !access.source;
	return access;
}

static struct access one_byte(uint8_t opcode, uint8_t modrm, struct prefixes has)
{
	unsigned size = operand_size(has);
	if (opcode < 0x40 && (opcode & 7) < 4)
		return reading(opcode & 1 ? size : 1);
	switch (opcode) {
	case 0x63: return reading(4);
	case 0x69:
	case 0x6b: return reading(size);
	case 0x80:
	case 0x84:
	case 0x86:
	case 0xc0:
	case 0xd0:
	case 0xd2:
	case 0xf6:
	case 0xfe: return reading(1);
	case 0x81:
	case 0x83:
	case 0x85:
	case 0x87:
	case 0xc1:
	case 0xd1:
	case 0xd3:
	case 0xf7: return reading(size);
	case 0x88:
	case 0xc6: return writing(1);
	case 0x89:
	case 0xc7: return writing(size);
	case 0x8a: return reading(1);
	case 0x8b: return reading(size);
	case 0x8f: return writing(has.operand ? 2 : 8);
	case 0xa0: return reading(1);
	case 0xa1: return reading(size);
	case 0xa2: return writing(1);
	case 0xa3: return writing(size);
	case 0xa4 ... 0xa7:
	case 0xaa ... 0xaf: return string(opcode, has);
	case 0xff: return reading(field(modrm) < 2 ? size : 8);
	case 0xd9: return field(modrm) == 2 || field(modrm) == 3 ? writing(4) : reading(LARGEST);
	case 0xdd: return field(modrm) == 2 || field(modrm) == 3 ? writing(8) : reading(WHOLE_PAGE);
	default: return reading(LARGEST);
	}
}

/* Moves of vector registers, as SSE, VEX and EVEX share them; size is that of a whole register. */
static struct access vector(uint8_t opcode, struct prefixes has, unsigned size, bool *is_known)
{
	unsigned scalar = has.repeat ? 4 : has.repeat_not ? 8 : size;
	*is_known = true;
	switch (opcode) {
	case 0x10: return reading(scalar);
	case 0x11: return writing(scalar);
	case 0x12:
	case 0x16: return reading(has.repeat || has.repeat_not ? size : 8);
	case 0x13:
	case 0x17: return writing(8);
	case 0x28: return reading(size);
	case 0x29:
	case 0x2b: return writing(size);
	case 0x6e: return reading(has.wide ? 8 : 4);
	case 0x6f: return reading(size);
	case 0x7e: return has.repeat ? reading(8) : writing(has.wide ? 8 : 4);
	case 0x7f: return writing(size);
	case 0xd6: return writing(8);
	case 0xe7: return writing(size);
	default: *is_known = false; return reading(size);
	}
}

static struct access two_bytes(uint8_t opcode, uint8_t modrm, struct prefixes has)
{
	unsigned size = operand_size(has);
	bool is_known, is_mmx = !has.operand && !has.repeat && !has.repeat_not && opcode >= 0x60 && opcode != 0xc2;
	switch (opcode) {
	case 0x18:
	case 0x0d: return nothing();
	case 0x40 ... 0x4f:
	case 0xa3:
	case 0xab:
	case 0xaf:
	case 0xb3:
	case 0xb8:
	case 0xba:
	case 0xbb:
	case 0xbc:
	case 0xbd:
	case 0xb1:
	case 0xc1: return reading(opcode == 0xa3 || opcode == 0xab || opcode == 0xb3 || opcode == 0xbb ? LARGEST : size);
	case 0xa4:
	case 0xa5:
	case 0xac:
	case 0xad: return reading(size);
	case 0x90 ... 0x9f: return writing(1); /* setcc */
	case 0xb0:
	case 0xb6:
	case 0xbe:
	case 0xc0: return reading(1);
	case 0xb7:
	case 0xbf: return reading(2);
	case 0xc3: return writing(size);
	case 0xc7: return reading(field(modrm) == 1 ? (has.wide ? 16 : 8) : WHOLE_PAGE);
	case 0xae: /* clflush, clflushopt, clwb; the others save and restore registers */
		if (field(modrm) == 7 || (field(modrm) == 6 && has.operand))
			return nothing();
		return reading(WHOLE_PAGE);
	default: return vector(opcode, has, is_mmx ? 8 : 16, &is_known);
	}
}

/* Maps 38 and 3A; has a vector register of this size. */
static struct access three_bytes(unsigned map, uint8_t opcode, struct prefixes has, unsigned size, bool is_vector)
{
	if (map == 2) {
		if (!is_vector && (opcode == 0xf0 || opcode == 0xf1)) /* movbe, crc32 */
			return opcode == 0xf1 && !has.repeat_not ? writing(operand_size(has)) : reading(operand_size(has));
		if (!is_vector && opcode == 0xf9) /* movdiri */
			return writing(has.wide ? 8 : 4);
		if (!is_vector && opcode == 0xf8) /* movdir64b */
			return reading(LARGEST);
		return reading(size);
	}
	switch (opcode) {
	case 0x14: return writing(1);
	case 0x15: return writing(2);
	case 0x16: return writing(has.wide ? 8 : 4);
	case 0x17: return writing(4);
	case 0x19:
	case 0x39: return is_vector ? writing(16) : reading(size);
	case 0x1b:
	case 0x3b: return is_vector ? writing(32) : reading(size);
	default: return reading(size);
	}
}

static struct prefixes of_field(struct prefixes has, unsigned field)
{
	has.operand = field == 1;
	has.repeat = field == 2;
	has.repeat_not = field == 3;
	return has;
}

/* VEX: two or three bytes. */
static struct access vex(const uint8_t *code, struct prefixes has)
{
	unsigned map = 1;
	uint8_t last = code[1];
	if (*code == 0xc4) {
		map = code[1] & 0x1f;
		last = code[2];
		has.wide = last >> 7;
		code++;
	}
	has = of_field(has, last & 3);
	unsigned size = last & 4 ? 32 : 16;
	bool is_known;
	if (map == 1)
		return vector(code[2], has, size, &is_known);
	if (map == 2 && code[2] >= 0x2c && code[2] <= 0x2f) /* masked moves */
		return reading(size);
	if (map == 2 && code[2] >= 0x90 && code[2] <= 0x93) /* gathers */
		return reading(WHOLE_PAGE);
	return map == 2 || map == 3 ? three_bytes(map, code[2], has, size, true) : reading(LARGEST);
}

static struct access evex(const uint8_t *code, struct prefixes has)
{
	unsigned map = code[1] & 7, size = 16 << (code[3] >> 5 & 3);
	bool is_masked = (code[3] & 7) != 0, is_known;
	has.wide = code[2] >> 7;
	has = of_field(has, code[2] & 3);
	if (map == 2 &&
			((code[4] >= 0x90 && code[4] <= 0x93) || (code[4] >= 0xa0 && code[4] <= 0xa3))) /* gathers, scatters */
		return reading(WHOLE_PAGE);
	if (size > LARGEST || is_masked)
		return reading(LARGEST);
	if (map != 1)
		return reading(size);
	/* vmovdqu8 to vmovdqu64: the prefixes name the size of elements. */
	if (code[4] == 0x6f || code[4] == 0x7f)
		return code[4] == 0x7f ? writing(size) : reading(size);
	return vector(code[4], has, size, &is_known);
}

static bool is_string(const struct access *access)
{
	return access->source || access->target;
}

struct access decode(const uint8_t code[LONGEST_INSTRUCTION])
{
	struct prefixes has = {0};
	const uint8_t *start = code;
	const uint8_t *end = code + LONGEST_INSTRUCTION - 6;
	for (; code < end; code++) {
		switch (*code) {
		case 0x66: has.operand = true; continue;
		case 0xf2:
			has.repeat_not = true;
			has.repeat = false;
			continue;
		case 0xf3:
			has.repeat = true;
			has.repeat_not = false;
			continue;
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x26:
		case 0x64:
		case 0x65:
		case 0x67:
		case 0xf0: continue;
		default: break;
		}
		break;
	}
	if (code >= end)
		return reading(LARGEST);
	if (*code == 0xc4 || *code == 0xc5)
		return vex(code, has);
	if (*code == 0x62)
		return evex(code, has);
	if ((*code & 0xf0) == 0x40)
		has.wide = *code++ & 8;
	if (*code != 0x0f) {
		struct access access = one_byte(code[0], code[1], has);
		access.length = is_string(&access) ? code + 1 - start : 0;
		return access;
	}
	if (code[1] == 0x38 || code[1] == 0x3a)
		return three_bytes(code[1] == 0x38 ? 2 : 3, code[2], has, 16, false);
	return two_bytes(code[1], code[2], has);
}

bool decode_is_upwards(struct access access, uint64_t flags)
{
	return (access.source || access.target) && !access.target_is_read && !(flags & DIRECTION_FLAG);
}
