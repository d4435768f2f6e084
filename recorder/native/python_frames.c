/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of Python programs. CPython keeps them in memory of its own: one call of its evaluation function runs a
 * Python function and those that it calls, so the stack of C functions says little.
 *
 * From the symbol _PyRuntime the way leads to the thread's state, to its frames, their code and where in it they are, as
 * in py-spy and in CPython's own gdb script. Where fields lie depends on the version, which the symbol Py_Version tells.
 * Each pointer is checked before it is followed; where one leads nowhere, there are no frames.
 */
#include "python_frames.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include <elf.h>

#include "core_api.h"
#include "memory.h"
#include "sites.h"

#define MAX_FRAMES 10000U
#define MAX_INTERPRETERS 256U
#define MAX_THREADS 65536U
#define MAX_TEXT 4096UL
#define MAX_FILES 8U
#define MAX_SECTION (16UL << 20)
#define CODE_UNIT 2

/* The same in all these versions. */
#define OBJECT_TYPE 8
#define OBJECT_SIZE 16 /* of bytes: how many; of code: code units */
#define BYTES_DATA 32
#define TEXT_LENGTH 16
#define TEXT_STATE 32
#define FRAME_OF_C 3 /* what owns a frame that stands for a call from C */

/* Offsets of fields. */
typedef struct {
	UInt version; /* major << 8 | minor */
	UInt interpreters; /* of the runtime */
	UInt next_interpreter; /* of an interpreter */
	UInt threads;
	UInt next_thread; /* of a thread's state */
	UInt thread_id;
	UInt current; /* the C frame, or the current frame itself */
	Bool has_c_frames; /* a structure in each call from C, with the current frame; its `previous` comes next */
	UInt current_frame; /* of a C frame */
	UInt code; /* of a frame */
	UInt previous;
	UInt instruction;
	UInt is_entry; /* with C frames: the outermost of its call from C */
	UInt owner; /* without */
	UInt first_line; /* of code */
	UInt file;
	UInt name;
	UInt lines;
	UInt instructions;
	UInt ascii; /* where the characters of a string begin, when all are ASCII */
	UInt not_ascii; /* ... otherwise */
} Layout;

static const Layout layouts[] = {
		{0x30b, 40, 0, 16, 8, 152, 56, True, 8, 32, 48, 56, 68, 0, 72, 112, 128, 136, 184, 48, 72},
		{0x30c, 40, 0, 72, 8, 136, 56, True, 0, 0, 8, 56, 0, 70, 68, 112, 128, 136, 192, 40, 56},
		{0x30d, 632, 7264, 7344, 8, 152, 72, False, 0, 0, 8, 56, 0, 70, 68, 112, 128, 136, 200, 40, 56},
};

static const Layout *layout; /* NULL = there is no interpreter that we know */
static Addr runtime;
static Addr code_type;

/* Code of the interpreter. */
static struct {
	Addr start;
	SizeT size;
} files[MAX_FILES];
static UInt file_count;

/* ------------------------------------------------------ the interpreter */

static Addr pointer_at(Addr address)
{
	return pc_is_readable(address, sizeof(Addr)) ? *(const Addr *)address : 0;
}

static Bool is_interpreter(const DebugInfo *file)
{
	const HChar *path = VG_(DebugInfo_get_filename)(file);
	const HChar *slash = path == NULL ? NULL : VG_(strrchr)(path, '/');
	return slash != NULL && (VG_(strncmp)(slash, "/python3", 8) == 0 || VG_(strncmp)(slash, "/libpython3", 11) == 0);
}

typedef struct {
	Addr runtime;
	Addr version;
	Addr code_type;
} Symbols;

static Bool read_at(Int fd, void *to, SizeT size, ULong offset)
{
	SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)fd, (UWord)to, size, offset, 0, 0, 0, 0);
	return !sr_isError(read) && sr_Res(read) == size;
}

/* A section of the file, with a zero byte behind it; NULL when it cannot be read. */
static HChar *read_section(Int fd, const Elf64_Shdr *section)
{
	if (section->sh_size > MAX_SECTION)
		return NULL;
	HChar *bytes = VG_(malloc)("pc.python", section->sh_size + 1);
	bytes[section->sh_size] = 0;
	if (read_at(fd, bytes, section->sh_size, section->sh_offset))
		return bytes;
	VG_(free)(bytes);
	return NULL;
}

static void find_in(const HChar *symbols, const Elf64_Shdr *section, const HChar *names, SizeT size, Symbols *found)
{
	for (SizeT at = 0; at + sizeof(Elf64_Sym) <= section->sh_size; at += sizeof(Elf64_Sym)) {
		const Elf64_Sym *symbol = (const Elf64_Sym *)(symbols + at);
		const HChar *name = symbol->st_name < size ? names + symbol->st_name : "";
		if (symbol->st_shndx == SHN_UNDEF)
			continue;
		if (VG_STREQ(name, "_PyRuntime"))
			found->runtime = symbol->st_value;
		else if (VG_STREQ(name, "Py_Version"))
			found->version = symbol->st_value;
		else if (VG_STREQ(name, "PyCode_Type"))
			found->code_type = symbol->st_value;
	}
}

/* From the file: Valgrind leaves out symbols in sections that it does not know, and _PyRuntime is in its own. */
static Symbols symbols_of(const DebugInfo *file)
{
	Symbols found = {0, 0, 0};
	Elf64_Ehdr elf;
	Elf64_Shdr section;
	Elf64_Shdr strings;
	Int fd = VG_(fd_open)(VG_(DebugInfo_get_filename)(file), VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
	if (fd < 0)
		return found;
	if (!read_at(fd, &elf, sizeof elf, 0) || VG_(memcmp)(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
			elf.e_shentsize != sizeof section)
		elf.e_shnum = 0;
	for (UInt i = 0; i < elf.e_shnum; i++) {
		if (!read_at(fd, &section, sizeof section, elf.e_shoff + i * sizeof section) || section.sh_type != SHT_DYNSYM ||
				!read_at(fd, &strings, sizeof strings, elf.e_shoff + section.sh_link * sizeof strings))
			continue;
		HChar *symbols = read_section(fd, &section);
		HChar *names = symbols == NULL ? NULL : read_section(fd, &strings);
		if (names != NULL)
			find_in(symbols, &section, names, strings.sh_size, &found);
		VG_(free)(symbols);
		VG_(free)(names);
	}
	VG_(close)(fd);
	return found;
}

static const Layout *layout_of(UInt version)
{
	for (UInt i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
		if (layouts[i].version == version)
			return &layouts[i];
	}
	return NULL;
}

/* Takes over what an interpreter's file defines. */
static void learn(const DebugInfo *file)
{
	Symbols found = symbols_of(file);
	Addr bias = (Addr)VG_(DebugInfo_get_text_bias)(file);
	if (found.runtime == 0 || found.version == 0 || found.code_type == 0)
		return;
	runtime = found.runtime + bias;
	code_type = found.code_type + bias;
	layout = layout_of((UInt)(pointer_at(found.version + bias) >> 16));
}

static void look(void)
{
	layout = NULL;
	file_count = 0;
	for (const DebugInfo *file = VG_(next_DebugInfo)(NULL); file != NULL; file = VG_(next_DebugInfo)(file)) {
		if (!is_interpreter(file) || file_count == MAX_FILES)
			continue;
		files[file_count].start = VG_(DebugInfo_get_text_avma)(file);
		files[file_count].size = VG_(DebugInfo_get_text_size)(file);
		file_count++;
		if (layout == NULL)
			learn(file);
	}
}

void pc_python_look(void)
{
	static UInt known;
	UInt generation = VG_(debuginfo_generation)();
	if (LIKELY(generation == known))
		return;
	Bool is_first = known == 0;
	const Layout *before = layout;
	known = generation;
	look();
	/* Stores of code that was translated before have no stacks. */
	if (layout != before && !is_first)
		VG_(discard_translations)(0, ~0ULL, "Python was loaded");
}

Bool pc_python_is_there(void)
{
	return layout != NULL;
}

Bool pc_python_interprets(Addr address)
{
	for (UInt i = 0; i < file_count; i++) {
		if (address - files[i].start < files[i].size)
			return True;
	}
	return False;
}

/* ---------------------------------------------------------------- texts */

static SizeT put_utf8(UInt character, HChar *to)
{
	/* A byte of a path that is no UTF-8 is kept in the last range. */
	if (character < 0x80 || (character >= 0xdc80 && character <= 0xdcff)) {
		to[0] = (HChar)character;
		return 1;
	}
	SizeT more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
	to[0] = (HChar)(0xff00U >> (more + 1) | character >> 6 * more);
	for (SizeT i = 1; i <= more; i++)
		to[i] = (HChar)(0x80 | (character >> 6 * (more - i) & 0x3f));
	return more + 1;
}

/* A string as UTF-8, at most MAX_TEXT characters of it. False when it cannot be read. */
static Bool text_of(Addr object, HChar *to)
{
	if (!pc_is_readable(object, layout->not_ascii))
		return False;
	UInt state = *(const UInt *)(object + TEXT_STATE);
	SizeT width = state >> 2 & 7;
	Bool is_compact = (state >> 5 & 1) != 0;
	Addr characters = object + ((state >> 6 & 1) != 0 ? layout->ascii : layout->not_ascii);
	SizeT length = *(const SizeT *)(object + TEXT_LENGTH);
	if (length > MAX_TEXT)
		length = MAX_TEXT;
	if (!is_compact || (width != 1 && width != 2 && width != 4) || !pc_is_readable(characters, length * width))
		return False;
	for (SizeT i = 0; i < length; i++) {
		Addr at = characters + i * width;
		UInt character = width == 1 ? *(const UChar *)at : width == 2 ? *(const UShort *)at : *(const UInt *)at;
		to += put_utf8(character & 0x1fffff, to);
	}
	*to = 0;
	return True;
}

/* ---------------------------------------------------------------- lines */

/* What is left of a table of lines (CPython's Objects/locations.md). */
typedef struct {
	const UChar *at;
	const UChar *end;
} Table;

static UInt next_byte(Table *table)
{
	return table->at < table->end ? *table->at++ : 0;
}

static ULong next_number(Table *table)
{
	ULong value = 0;
	UInt byte;
	UInt shift = 0;
	do {
		byte = next_byte(table);
		value |= (ULong)(byte & 63) << shift;
		shift += 6;
	} while ((byte & 64) != 0 && shift < 60);
	return value;
}

static Long next_signed(Table *table)
{
	ULong value = next_number(table);
	return (value & 1) != 0 ? -(Long)(value >> 1) : (Long)(value >> 1);
}

/* By how many lines an entry of this kind moves on; reads the rest of it. */
static Long next_delta(Table *table, UInt kind)
{
	Long delta = 0;
	if (kind == 15)
		return 0;
	if (kind >= 13)
		delta = next_signed(table);
	if (kind == 14) {
		for (UInt i = 0; i < 3; i++)
			next_number(table);
	}
	if (kind >= 10 && kind <= 12)
		delta = kind - 10;
	for (UInt columns = kind < 10 ? 1 : kind < 13 ? 2 : 0; columns > 0; columns--)
		next_byte(table);
	return delta;
}

typedef struct {
	Long line;
	UInt begin; /* of the instruction with its caches, in code units from the function's beginning */
} Position;

static Position position_in(Addr code, Long instruction)
{
	Addr bytes = pointer_at(code + layout->lines);
	SizeT size = pointer_at(bytes + OBJECT_SIZE);
	Position here = {*(const Int *)(code + layout->first_line), 0};
	if (instruction < 0 || size > (1UL << 30) || !pc_is_readable(bytes + BYTES_DATA, size))
		return here;
	Table table = {(const UChar *)(bytes + BYTES_DATA), (const UChar *)(bytes + BYTES_DATA + size)};
	while (table.at < table.end) {
		UInt entry = next_byte(&table);
		UInt units = (entry & 7) + 1;
		here.line += next_delta(&table, entry >> 3 & 15);
		if (instruction < here.begin + units)
			return here;
		here.begin += units;
	}
	return here;
}

/* --------------------------------------------------------------- frames */

/* Where a frame is in its code. False when it cannot be read. */
static Bool site_of(Addr frame, Addr code, SiteIndex *site)
{
	static HChar file[4 * MAX_TEXT + 1];
	static HChar name[4 * MAX_TEXT + 1];
	if (!pc_is_readable(code, layout->instructions) || !text_of(pointer_at(code + layout->file), file) ||
			!text_of(pointer_at(code + layout->name), name))
		return False;
	Long instruction = (Long)(pointer_at(frame + layout->instruction) - (code + layout->instructions)) / CODE_UNIT;
	Position position = position_in(code, instruction);
	UInt line = position.line > 0 ? (UInt)position.line : 0;
	/* With the line, since bytecode is counted from the function's beginning. */
	*site = pc_site_of_source(file, name, line, (ULong)line << 32 | position.begin * CODE_UNIT);
	return True;
}

static Addr first_frame(Addr thread, Addr *c_frame)
{
	Addr current = pointer_at(thread + layout->current);
	*c_frame = layout->has_c_frames ? current : 0;
	return layout->has_c_frames ? pointer_at(current + layout->current_frame) : current;
}

/* The state of the thread with that thread pointer; 0 = it has none. */
static Addr thread_of(Addr thread_pointer)
{
	Addr interpreter = pointer_at(runtime + layout->interpreters);
	for (UInt i = 0; i < MAX_INTERPRETERS && interpreter != 0; i++) {
		Addr thread = pointer_at(interpreter + layout->threads);
		for (UInt k = 0; k < MAX_THREADS && thread != 0; k++) {
			Addr c_frame;
			/* With several interpreters a thread has several states, of which one runs. */
			if (pointer_at(thread + layout->thread_id) == thread_pointer && first_frame(thread, &c_frame) != 0)
				return thread;
			thread = pointer_at(thread + layout->next_thread);
		}
		interpreter = pointer_at(interpreter + layout->next_interpreter);
	}
	return 0;
}

/* Where a call from C lies that ends with this frame; 0 = it goes on. */
static Addr end_of_call(Addr frame, Addr c_frame)
{
	if (layout->is_entry != 0)
		return *(const UChar *)(frame + layout->is_entry) != 0 ? c_frame : 0;
	return *(const UChar *)(frame + layout->owner) == FRAME_OF_C ? frame : 0;
}

UInt pc_python_frames(Addr thread_pointer, const PythonFrame **frames)
{
	static PythonFrame found[MAX_FRAMES];
	UInt count = 0;
	UInt of_call = 0; /* where the frames of the current call from C begin */
	Addr c_frame = 0;
	if (LIKELY(layout == NULL))
		return 0;
	Addr thread = thread_of(thread_pointer);
	Addr frame = thread == 0 ? 0 : first_frame(thread, &c_frame);
	*frames = found;
	for (UInt i = 0; frame != 0; i++) {
		if (i == 2 * MAX_FRAMES || count == MAX_FRAMES || !pc_is_readable(frame, layout->owner + layout->is_entry + 2))
			return 0;
		Addr code = pointer_at(frame + layout->code);
		if (pointer_at(code + OBJECT_TYPE) == code_type && end_of_call(frame, c_frame) != frame &&
				!site_of(frame, code, &found[count++].site))
			return 0;
		Addr call = end_of_call(frame, c_frame);
		if (call != 0) {
			for (; of_call < count; of_call++)
				found[of_call].in = call;
			c_frame = c_frame == 0 ? 0 : pointer_at(c_frame + layout->current_frame + sizeof(Addr));
		}
		frame = pointer_at(frame + layout->previous);
	}
	for (; of_call < count; of_call++)
		found[of_call].in = ~(Addr)0;
	return count;
}
