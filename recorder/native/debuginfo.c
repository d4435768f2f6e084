/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves out what Valgrind would read of the C library's and the loader's source lines and inlined functions: half of the
 * time that it takes to start. Functions of theirs keep their names, which come from the symbol table, and are unwound as
 * before. Nobody looks for a bug in a line of the C library; the frame that called it has its line.
 *
 * Also leaves out debug information that Valgrind cannot read. powercut-inlined (trace/native) reads it.
 */
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include <elf.h>

#include "core_api.h"

static Bool read_at(Int fd, void *to, SizeT size, ULong offset)
{
	SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)fd, (UWord)to, size, offset, 0, 0, 0, 0);
	return !sr_isError(read) && sr_Res(read) == size;
}

static Bool is_debug_addr(Int fd, const Elf64_Shdr *names, const Elf64_Shdr *section)
{
	static const HChar wanted[] = ".debug_addr";
	HChar name[sizeof wanted];
	return read_at(fd, name, sizeof name, names->sh_offset + section->sh_name) &&
			VG_(memcmp)(name, wanted, sizeof wanted) == 0;
}

/*
 * Whether the units of a module refer to tables beside them, as clang writes DWARF 5, and gcc with -gsplit-dwarf.
 * Valgrind 3.19 does not know how, takes what it reads for damage, and ends the target.
 */
static Bool refers_to_tables(const HChar *path)
{
	Elf64_Ehdr elf;
	Elf64_Shdr names;
	Elf64_Shdr section;
	Bool found = False;
	Int fd = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
	if (fd < 0)
		return False;
	if (read_at(fd, &elf, sizeof elf, 0) && VG_(memcmp)(elf.e_ident, ELFMAG, SELFMAG) == 0 &&
			elf.e_shentsize == sizeof section &&
			read_at(fd, &names, sizeof names, elf.e_shoff + elf.e_shstrndx * sizeof names)) {
		for (UInt i = 0; i < elf.e_shnum && !found; i++) {
			found = read_at(fd, &section, sizeof section, elf.e_shoff + i * sizeof section) &&
					is_debug_addr(fd, &names, &section);
		}
	}
	VG_(close)(fd);
	return found;
}

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
	return path != NULL && refers_to_tables(path);
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
