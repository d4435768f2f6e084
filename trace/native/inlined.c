/* SPDX-License-Identifier: Apache-2.0 */
/*
 * powercut-inlined FILE [BUILD-ID] [@ADDRESSES | --sources]: which functions of the source an address in a program or library is
 * in, by its debug information. Valgrind 3.19 cannot read all of that: what clang writes by default, what gcc writes
 * with -flto or -gsplit-dwarf, and what Go writes.
 *
 * Reads addresses as the linker assigned them, hexadecimal, one a line, from a file or from its input. Answers each by
 * a line for each function, the innermost inlined one first: name, source file and line, with tabs between; then by an
 * empty line. Nothing is known of a file with another build id than the one that is given, hexadecimal.
 *
 * With --sources, prints the source files that the debug information names, each once.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <err.h>
#include <search.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 256 };

/* Of the C++ library (Itanium C++ ABI, demangler). */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* What a compiler made of one source file, and where its code is. */
struct unit {
	Dwarf_Addr begin, end;
	Dwarf_Die lines; /* has the table of lines */
	Dwarf_Die code; /* has the functions: the same, unless these are in a file of their own */
};

static struct unit *units;
static size_t unit_count, unit_capacity;

static void add_unit(Dwarf_Addr begin, Dwarf_Addr end, Dwarf_Die lines, Dwarf_Die code)
{
	if (unit_count == unit_capacity) {
		unit_capacity = unit_capacity == 0 ? 64 : 2 * unit_capacity;
		units = realloc(units, unit_capacity * sizeof *units);
		if (units == NULL)
			err(2, "memory");
	}
	units[unit_count++] = (struct unit){begin, end, lines, code};
}

static void find_units(Dwarf *debug)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	Dwarf_Half version;
	uint8_t type;
	while (dwarf_get_units(debug, cu, &cu, &version, &type, &die, &split) == 0) {
		Dwarf_Addr base, begin, end;
		bool is_split = type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
		for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
			add_unit(begin, end, die, is_split ? split : die);
	}
}

static bool is_function(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Functions can be in these, which have no addresses themselves. */
static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
			tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Adds the functions below a node that an address is in, the outermost first. True if there is any. */
static bool descend(Dwarf_Die *node, Dwarf_Addr address, Dwarf_Die *functions, int *count)
{
	Dwarf_Die child;
	if (dwarf_child(node, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		if (is_scope(tag)) {
			if (descend(&child, address, functions, count))
				return true;
		} else if ((is_function(tag) || tag == DW_TAG_lexical_block) && dwarf_haspc(&child, address) > 0) {
			if (is_function(tag) && *count < MOST_FUNCTIONS)
				functions[(*count)++] = child;
			descend(&child, address, functions, count);
			return true;
		}
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static const char *text_of(Dwarf_Die *function, unsigned attribute)
{
	Dwarf_Attribute found;
	return dwarf_attr_integrate(function, attribute, &found) == NULL ? NULL : dwarf_formstring(&found);
}

/* Rust ends its names with "::h" and a hash of 16 digits. */
static int length_without_hash(const char *name)
{
	const char *hash = strrchr(name, ':');
	bool is_hash = hash != NULL && hash[1] == 'h' && strspn(hash + 2, "0123456789abcdef") == 16 && hash[18] == 0;
	return (int)(is_hash && hash > name ? hash - 1 - name : (ptrdiff_t)strlen(name));
}

static void print_name(Dwarf_Die *function)
{
	const char *mangled = text_of(function, DW_AT_linkage_name);
	char *readable = mangled == NULL ? NULL : __cxa_demangle(mangled, NULL, NULL, NULL);
	const char *name = readable != NULL ? readable : text_of(function, DW_AT_name);
	if (name != NULL)
		printf("%.*s", length_without_hash(name), name);
	free(readable);
}

static long number_of(Dwarf_Die *function, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word number;
	if (dwarf_attr(function, attribute, &found) == NULL || dwarf_formudata(&found, &number) != 0)
		return 0;
	return (long)number;
}

/* A source file may be named from where the compiler ran: that folder, or an empty text. */
static const char *folder_of(struct unit *unit, const char **file)
{
	Dwarf_Attribute found;
	const char *folder = NULL;
	while (*file != NULL && strncmp(*file, "./", 2) == 0)
		*file += 2;
	if (*file != NULL && (*file)[0] != '/' && dwarf_attr(&unit->lines, DW_AT_comp_dir, &found) != NULL)
		folder = dwarf_formstring(&found);
	return folder == NULL ? "" : folder;
}

static void print_file(struct unit *unit, const char *file, long line)
{
	const char *folder = folder_of(unit, &file);
	printf("\t%s%s%s\t%ld\n", folder, folder[0] == 0 ? "" : "/", file == NULL ? "" : file, line);
}

static int compare(const void *one, const void *other)
{
	return strcmp(one, other);
}

/* The files of all units. Many units name the same headers. */
static void print_sources(void)
{
	void *printed = NULL;
	for (size_t i = 0; i < unit_count; i++) {
		Dwarf_Files *files;
		size_t count;
		if (dwarf_getsrcfiles(&units[i].lines, &files, &count) != 0)
			continue;
		for (size_t at = 0; at < count; at++) {
			const char *file = dwarf_filesrc(files, at, NULL, NULL);
			const char *folder = folder_of(&units[i], &file);
			char *path;
			if (file == NULL || asprintf(&path, "%s%s%s", folder, folder[0] == 0 ? "" : "/", file) < 0)
				continue;
			char **known = tsearch(path, &printed, compare);
			if (known != NULL && *known == path)
				puts(path);
			else
				free(path);
		}
	}
}

/* Where the function was called that was inlined. */
static void print_call(struct unit *unit, Dwarf_Die *inlined)
{
	Dwarf_Files *files;
	size_t count;
	const char *file = NULL;
	long index = number_of(inlined, DW_AT_call_file);
	if (dwarf_getsrcfiles(&unit->code, &files, &count) == 0 && (size_t)index < count)
		file = dwarf_filesrc(files, (size_t)index, NULL, NULL);
	print_file(unit, file, number_of(inlined, DW_AT_call_line));
}

/* Whether an address is in no other function than another one is, the inlined ones among them. */
static bool is_in(struct unit *unit, Dwarf_Addr address, Dwarf_Die *function)
{
	Dwarf_Die functions[MOST_FUNCTIONS];
	int count = 0;
	return descend(&unit->code, address, functions, &count) && count > 0 &&
			dwarf_dieoffset(&functions[count - 1]) == dwarf_dieoffset(function);
}

/* The next row of a table of lines, in one direction, that has a line of the function. NULL if there is none. */
static Dwarf_Line *next_of(struct unit *unit, Dwarf_Lines *rows, size_t at, int step, Dwarf_Die *functions, int count)
{
	Dwarf_Line *row;
	Dwarf_Addr address;
	int number;
	while ((row = dwarf_onesrcline(rows, at += (size_t)step)) != NULL && dwarf_lineaddr(row, &address) == 0 &&
			dwarf_haspc(&functions[0], address) > 0)
		if (dwarf_lineno(row, &number) == 0 && number > 0 && is_in(unit, address, &functions[count - 1]))
			return row;
	return NULL;
}

/*
 * Code that a compiler merged from several lines has line 0. It is rather of the line before it in the function, or of
 * that behind it, than of none.
 */
static Dwarf_Line *with_number(struct unit *unit, Dwarf_Line *line, Dwarf_Die *functions, int count)
{
	Dwarf_Lines *rows;
	size_t row_count;
	size_t at = 0;
	if (dwarf_getsrclines(&unit->lines, &rows, &row_count) != 0)
		return line;
	while (at < row_count && dwarf_onesrcline(rows, at) != line)
		at++;
	Dwarf_Line *other = next_of(unit, rows, at, -1, functions, count);
	if (other == NULL)
		other = next_of(unit, rows, at, 1, functions, count);
	return other == NULL ? line : other;
}

static void print_place(struct unit *unit, Dwarf_Addr address, Dwarf_Die *functions, int count)
{
	int number = 0;
	Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address);
	if (line != NULL && dwarf_lineno(line, &number) == 0 && number == 0) {
		line = with_number(unit, line, functions, count);
		dwarf_lineno(line, &number);
	}
	print_file(unit, line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL), number);
}

static void answer(struct unit *unit, Dwarf_Addr address)
{
	Dwarf_Die functions[MOST_FUNCTIONS];
	int count = 0;
	descend(&unit->code, address, functions, &count);
	for (int i = count - 1; i >= 0; i--) {
		print_name(&functions[i]);
		if (i == count - 1)
			print_place(unit, address, functions, count);
		else
			print_call(unit, &functions[i + 1]);
	}
}

static const char usage[] = "usage: powercut-inlined FILE [BUILD-ID] [@ADDRESSES | --sources]";

static bool is_build(Elf *elf, const char *wanted)
{
	const void *id;
	ssize_t length = dwelf_elf_gnu_build_id(elf, &id);
	if (length < 0 || (size_t)length * 2 != strlen(wanted))
		return false;
	for (ssize_t i = 0; i < length; i++) {
		char byte[3];
		snprintf(byte, sizeof byte, "%02x", ((const unsigned char *)id)[i]);
		if (strncmp(byte, wanted + 2 * i, 2) != 0)
			return false;
	}
	return true;
}

/* Of a file or, if it was stripped, of another one that it names. */
static void open_debug_information(const char *path, const char *build_id)
{
	static const Dwfl_Callbacks callbacks = {
			.find_elf = dwfl_build_id_find_elf,
			.find_debuginfo = dwfl_standard_find_debuginfo,
			.section_address = dwfl_offline_section_address,
	};
	GElf_Addr bias;
	unsetenv("DEBUGINFOD_URLS"); /* Nobody waits for the network here. */
	Dwfl *files = dwfl_begin(&callbacks);
	Dwfl_Module *module = files == NULL ? NULL : dwfl_report_offline(files, path, path, -1);
	if (module == NULL || dwfl_report_end(files, NULL, NULL) != 0)
		return;
	Elf *elf = dwfl_module_getelf(module, &bias);
	Dwarf *debug = dwfl_module_getdwarf(module, &bias);
	if (debug != NULL && (build_id == NULL || is_build(elf, build_id)))
		find_units(debug);
}

int main(int argc, char **argv)
{
	char text[64];
	bool is_for_sources = false;
	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return puts(usage) < 0;
	if (argc > 2 && argv[argc - 1][0] == '@') {
		if (freopen(argv[argc - 1] + 1, "re", stdin) == NULL)
			err(2, "%s", argv[argc - 1] + 1);
		argc--;
	} else if (argc > 2 && strcmp(argv[argc - 1], "--sources") == 0) {
		is_for_sources = true;
		argc--;
	}
	if (argc != 2 && argc != 3)
		errx(2, "%s", usage);
	/* Ctrl-C in a terminal reaches this process, too, while the one that asks goes on for a while. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	open_debug_information(argv[1], argc == 3 ? argv[2] : NULL);
	if (is_for_sources) {
		print_sources();
		return fflush(stdout) != 0;
	}
	while (fgets(text, sizeof text, stdin) != NULL) {
		Dwarf_Addr address = strtoull(text, NULL, 16);
		for (size_t i = 0; i < unit_count; i++) {
			if (address >= units[i].begin && address < units[i].end) {
				answer(&units[i], address);
				break;
			}
		}
		putchar('\n');
		if (fflush(stdout) != 0)
			return 1;
	}
	return 0;
}
