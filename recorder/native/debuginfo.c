/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves out unwind tables (call frame information): the recorder knows all calls (stacks.c). To read them took a sixth of
 * the time that an execution of an empty program takes to start.
 *
 * Also leaves out the C library's and the loader's source lines and inlined functions, which took half of it. Functions of
 * theirs keep their names, which come from the symbol table. Nobody looks for a bug in a line of the C library; the frame
 * that called it has its line.
 *
 * Also leaves out debug information that Valgrind cannot read. powercut-inlined (trace/native) reads it.
 */
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"

#include "core_api.h"

/* DWARF 5, section 7.5.1: what a unit is. */
enum { COMPILE_UNIT = 1, PARTIAL_UNIT = 3, SKELETON_UNIT = 4 };
/* Section 7.5.6: forms of attributes. */
enum {
	FORM_STRX = 0x1a,
	FORM_ADDRX = 0x1b,
	FORM_IMPLICIT_CONST = 0x21,
	FORM_LOCLISTX = 0x22,
	FORM_RNGLISTX = 0x23,
	FORM_STRX1 = 0x25,
	FORM_ADDRX4 = 0x2c,
};
/* Of the first entry of a unit. */
enum { MOST_ATTRIBUTES = 64 };

/* Little endian, 0 beyond the end. */
static UInt number_at(const ImageSlice *section, ULong offset, UInt size)
{
	UInt number = 0;
	for (UInt i = 0; i < size && offset + i < section->size; i++)
		number |= (UInt)ML_(img_get_UChar)(section->image, section->begin + offset + i) << (8 * i);
	return number;
}

/* Of variable length (LEB128). */
static UInt next_number(const ImageSlice *section, ULong *offset)
{
	UInt number = 0;
	UInt byte = 0x80;
	for (UInt shift = 0; (byte & 0x80) != 0; shift += 7) {
		byte = number_at(section, (*offset)++, 1);
		if (shift < 32)
			number |= (byte & 0x7f) << shift;
	}
	return number;
}

/* Whether a unit's own entry, the first one it describes, has its name or its code in a table. */
static Bool has_indices(const ImageSlice *abbreviations, ULong offset)
{
	next_number(abbreviations, &offset); /* its number */
	next_number(abbreviations, &offset); /* what it is */
	offset++; /* whether it has children */
	for (UInt i = 0; i < MOST_ATTRIBUTES; i++) {
		UInt attribute = next_number(abbreviations, &offset);
		UInt form = next_number(abbreviations, &offset);
		if (attribute == 0 && form == 0)
			break;
		if (form == FORM_STRX || form == FORM_ADDRX || form == FORM_LOCLISTX || form == FORM_RNGLISTX ||
				(form >= FORM_STRX1 && form <= FORM_ADDRX4))
			return True;
		if (form == FORM_IMPLICIT_CONST)
			next_number(abbreviations, &offset);
	}
	return False;
}

/*
 * Whether there are units that refer to tables beside them, as clang writes DWARF 5, or to another file, as gcc does with
 * -gsplit-dwarf. Valgrind 3.19 does not know how, takes what it reads for damage, and ends the target.
 */
static Bool refers_to_tables(const ImageSlice *units, const ImageSlice *abbreviations)
{
	ULong size;
	for (ULong at = 0; at < units->size; at += size) {
		size = 4 + (ULong)number_at(units, at, 4);
		UInt type = number_at(units, at + 6, 1);
		if (number_at(units, at + 4, 2) == 5 &&
				(type == SKELETON_UNIT ||
						((type == COMPILE_UNIT || type == PARTIAL_UNIT) &&
								has_indices(abbreviations, number_at(units, at + 8, 4)))))
			return True;
	}
	return False;
}

/* Called when a module was mapped, by the functions below. */
static Bool __attribute__((used)) lines_are_left_out(const DebugInfo *module, const ImageSlice *sections)
{
	static const HChar *const names[] = {"libc.so.6", "ld-linux-x86-64.so.2", "libm.so.6", "libpthread.so.0"};
	const HChar *path = VG_(DebugInfo_get_filename)(module);
	const HChar *slash = path == NULL ? NULL : VG_(strrchr)(path, '/');
	for (UInt i = 0; slash != NULL && i < sizeof names / sizeof names[0]; i++) {
		if (VG_STREQ(slash + 1, names[i]))
			return True;
	}
	return refers_to_tables(&sections[0], &sections[2]);
}

/*
 * Both take the module first, and sections by value on the stack: .debug_info, .debug_types, .debug_abbrev, and others.
 * These stay where they are, so that the real one can be jumped to.
 */
#define DEFINE_LINES(name) \
	__asm__(".globl __wrap_" #name "\n" \
			"__wrap_" #name ":\n" \
			"push %rdi\n" \
			"lea 16(%rsp), %rsi\n" \
			"call lines_are_left_out\n" \
			"pop %rdi\n" \
			"test %al, %al\n" \
			"jz __real_" #name "\n" \
			"ret\n")
#define WRAP_LINES(name) DEFINE_LINES(name)
WRAP_LINES(vgModuleLocal_read_debuginfo_dwarf3);
WRAP_LINES(vgModuleLocal_new_dwarf3_reader);

/* Takes the module, a section and where that is mapped. Nothing to do, whatever they are. */
#define DEFINE_UNWINDING(name) \
	void __wrap_##name(void); \
	void __wrap_##name(void) \
	{ \
	}
#define WRAP_UNWINDING(name) DEFINE_UNWINDING(name)
WRAP_UNWINDING(vgModuleLocal_read_callframe_info_dwarf3)
