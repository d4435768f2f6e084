/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves out what Valgrind would read of the C library's and the loader's source lines and inlined functions: half of the
 * time that it takes to start. Functions of theirs keep their names, which come from the symbol table, and are unwound as
 * before. Nobody looks for a bug in a line of the C library; the frame that called it has its line.
 */
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"

#include "core_api.h"

/* Called when a module was mapped, by the functions below. */
static Bool __attribute__((used)) lines_are_left_out(const DebugInfo *module)
{
	static const HChar *const names[] = {"libc.so.6", "ld-linux-x86-64.so.2", "libm.so.6", "libpthread.so.0"};
	const HChar *path = VG_(DebugInfo_get_filename)(module);
	const HChar *slash = path == NULL ? NULL : VG_(strrchr)(path, '/');
	for (UInt i = 0; slash != NULL && i < sizeof names / sizeof names[0]; i++) {
		if (VG_STREQ(slash + 1, names[i]))
			return True;
	}
	return False;
}

/*
 * Both take the module first, and sections by value on the stack. These stay where they are, so that the real one can be
 * jumped to.
 */
#define DEFINE_LINES(name) \
	__asm__(".globl __wrap_" #name "\n" \
			"__wrap_" #name ":\n" \
			"push %rdi\n" \
			"call lines_are_left_out\n" \
			"pop %rdi\n" \
			"test %al, %al\n" \
			"jz __real_" #name "\n" \
			"ret\n")
#define WRAP_LINES(name) DEFINE_LINES(name)
WRAP_LINES(vgModuleLocal_read_debuginfo_dwarf3);
WRAP_LINES(vgModuleLocal_new_dwarf3_reader);
