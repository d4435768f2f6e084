/* SPDX-License-Identifier: Apache-2.0 */
#include "arithmetic.h"

#define COMPUTE(instruction, type, class) \
	({ \
		type done = (type)left; \
		__asm__(instruction ", %0\n\tlahf\n\tseto %%al" : "+q"(done), "=&a"(seen) : class((type)right) : "cc"); \
		(uint64_t) done; \
	})
#define BY_SIZE(name, operand, class) \
	value = size == 1   ? COMPUTE(name "b " operand, uint8_t, class) \
			: size == 2 ? COMPUTE(name "w " operand, uint16_t, class) \
			: size == 4 ? COMPUTE(name "l " operand, uint32_t, class) \
						: COMPUTE(name "q " operand, uint64_t, class); \
	break
#define MULTIPLY_BY_SIZE() \
	value = size == 2   ? COMPUTE("imulw %2", uint16_t, "q") \
			: size == 4 ? COMPUTE("imull %2", uint32_t, "q") \
						: COMPUTE("imulq %2", uint64_t, "q"); \
	break

uint64_t arithmetic_result(enum operation operation, unsigned size, uint64_t left, uint64_t right, uint64_t *flags)
{
	uint64_t value = left, changed = ARITHMETIC_FLAGS;
	uint16_t seen = 0;
	bool is_shift = operation >= LEFT_SHIFT && operation <= SIGNED_SHIFT;
	if (is_shift && (right & (size == 8 ? 63 : 31)) == 0)
		return left;
	switch (operation) {
	case ADD_TO: BY_SIZE("add", "%2", "q");
	case OR_TO: BY_SIZE("or", "%2", "q");
	case AND_TO: BY_SIZE("and", "%2", "q");
	case XOR_TO: BY_SIZE("xor", "%2", "q");
	case TEST: BY_SIZE("test", "%2", "q");
	case LEFT_SHIFT: BY_SIZE("shl", "%%cl", "c");
	case RIGHT_SHIFT: BY_SIZE("shr", "%%cl", "c");
	case SIGNED_SHIFT: BY_SIZE("sar", "%%cl", "c");
	case MULTIPLY: changed = CARRY_FLAG | OVERFLOW_FLAG; MULTIPLY_BY_SIZE();
	default: BY_SIZE("sub", "%2", "q");
	}
	uint64_t now = (seen >> 8) | (seen & 1 ? OVERFLOW_FLAG : 0);
	*flags = (*flags & ~changed) | (now & changed);
	return value;
}

bool arithmetic_answer(unsigned code, struct asked flags)
{
	bool is = false;
	switch (code >> 1) {
	case 0: is = flags.overflow; break;
	case 1: is = flags.carry; break;
	case 2: is = flags.zero; break;
	case 3: is = flags.carry || flags.zero; break;
	case 4: is = flags.sign; break;
	case 5: is = flags.parity; break;
	case 6: is = flags.sign != flags.overflow; break;
	default: is = flags.zero || flags.sign != flags.overflow; break;
	}
	return is != (code & 1);
}

bool arithmetic_holds(unsigned code, uint64_t flags)
{
	return arithmetic_answer(code,
			(struct asked){.zero = flags & ZERO_FLAG,
					.carry = flags & CARRY_FLAG,
					.sign = flags & SIGN_FLAG,
					.overflow = flags & OVERFLOW_FLAG,
					.parity = flags & PARITY_FLAG});
}

uint64_t arithmetic_extended(uint64_t value, unsigned size)
{
	unsigned unused = 64 - 8 * size;
	return (uint64_t)((int64_t)(value << unused) >> unused);
}
