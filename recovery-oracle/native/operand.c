/* SPDX-License-Identifier: Apache-2.0 */
#include "operand.h"

void operand_prefixes(struct bytes *bytes)
{
	if (bytes->code[bytes->at] == 0x64) {
		bytes->has_fs = true;
		bytes->at++;
	}
	if (bytes->code[bytes->at] == 0x66) {
		bytes->is_short = true;
		bytes->at++;
	}
	if (bytes->code[bytes->at] == 0xf2 || bytes->code[bytes->at] == 0xf3) {
		bytes->has_f2 = bytes->code[bytes->at] == 0xf2;
		bytes->has_f3 = !bytes->has_f2;
		bytes->at++;
	}
	if ((bytes->code[bytes->at] & 0xf0) == 0x40)
		bytes->rex = bytes->code[bytes->at++];
}

unsigned operand_width(const struct bytes *bytes)
{
	return bytes->rex & 8 ? 8 : bytes->is_short ? 2 : 4;
}

uint64_t *operand_general(struct user_regs_struct *registers, unsigned number)
{
	unsigned long long *const all[] = {&registers->rax, &registers->rcx, &registers->rdx, &registers->rbx,
			&registers->rsp, &registers->rbp, &registers->rsi, &registers->rdi, &registers->r8, &registers->r9,
			&registers->r10, &registers->r11, &registers->r12, &registers->r13, &registers->r14, &registers->r15};
	return (uint64_t *)all[number];
}

uint64_t operand_value(const struct user_regs_struct *registers, unsigned number)
{
	return *operand_general((struct user_regs_struct *)registers, number);
}

int64_t operand_number(struct bytes *bytes, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)bytes->code[bytes->at++] << 8 * i;
	unsigned unused = 64 - 8 * size;
	return (int64_t)(value << unused) >> unused;
}

bool operand_at(struct bytes *bytes, const struct user_regs_struct *registers, struct operand *operand)
{
	uint8_t modrm = bytes->code[bytes->at++];
	unsigned mode = modrm >> 6, base = modrm & 7;
	*operand = (struct operand){.number = (modrm >> 3 & 7) | (bytes->rex & 4 ? 8 : 0),
			.address = bytes->has_fs ? registers->fs_base : 0};
	if (mode == 3)
		return false;
	if (base == 4) {
		uint8_t sib = bytes->code[bytes->at++];
		unsigned index = (sib >> 3 & 7) | (bytes->rex & 2 ? 8 : 0);
		if (index != 4)
			operand->address += operand_value(registers, index) << (sib >> 6);
		base = sib & 7;
		if (base == 5 && mode == 0) {
			operand->address += operand_number(bytes, 4);
			return true;
		}
	} else if (base == 5 && mode == 0) {
		operand->is_relative = true;
		operand->address += operand_number(bytes, 4);
		return true;
	}
	operand->address += operand_value(registers, base | (bytes->rex & 1 ? 8 : 0));
	if (mode == 1)
		operand->address += operand_number(bytes, 1) * (bytes->scale == 0 ? 1 : bytes->scale);
	else if (mode == 2)
		operand->address += operand_number(bytes, 4);
	return true;
}
