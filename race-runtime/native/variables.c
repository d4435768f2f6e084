/* SPDX-License-Identifier: Apache-2.0 */
#include "variables.h"

#include "modules.h"
#include "pages.h"
#include "spin.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_MODULES 64

struct variable {
	uintptr_t begin;
	size_t size;
};

struct table {
	bool read;
	size_t count;
	struct variable *variables; /* sorted */
};

static struct table tables[MOST_MODULES];
static struct lone_spin lock;

static void sort(struct variable *variables, size_t count)
{
	/* Heap sort: qsort() may allocate. */
	for (size_t end = count, start = count / 2; end > 1;) {
		struct variable moved;
		if (start > 0) {
			moved = variables[--start];
		} else {
			moved = variables[--end];
			variables[end] = variables[0];
		}
		size_t root = start, child;
		while ((child = root * 2 + 1) < end) {
			if (child + 1 < end && variables[child].begin < variables[child + 1].begin)
				child++;
			if (moved.begin >= variables[child].begin)
				break;
			variables[root] = variables[child];
			root = child;
		}
		variables[root] = moved;
	}
}

/* Whether the program may write there once it has started. */
static bool is_writable(const Elf64_Shdr *section, const char *names)
{
	static const char relocated[] = ".data.rel.ro";
	return (section->sh_flags & SHF_WRITE) != 0 &&
			strncmp(names + section->sh_name, relocated, sizeof relocated - 1) != 0;
}

static void read_symbols(struct table *table, const unsigned char *file, size_t length, uintptr_t base)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	if (length < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
			header->e_ident[EI_CLASS] != ELFCLASS64 ||
			header->e_shoff + (size_t)header->e_shnum * sizeof(Elf64_Shdr) > length)
		return;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
	const char *names = (const char *)file + sections[header->e_shstrndx].sh_offset;
	for (unsigned i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_offset + sections[i].sh_size > length)
			continue;
		const Elf64_Sym *symbols = (const Elf64_Sym *)(file + sections[i].sh_offset);
		size_t count = sections[i].sh_size / sizeof *symbols;
		table->variables = pages_keep((count + 1) * sizeof *table->variables);
		for (size_t j = 0; j < count; j++)
			if (ELF64_ST_TYPE(symbols[j].st_info) == STT_OBJECT && symbols[j].st_size > 0 &&
					symbols[j].st_shndx != SHN_UNDEF && symbols[j].st_shndx < header->e_shnum &&
					is_writable(&sections[symbols[j].st_shndx], names))
				table->variables[table->count++] = (struct variable){base + symbols[j].st_value, symbols[j].st_size};
		sort(table->variables, table->count);
		return;
	}
}

static void read_file(struct table *table, const struct module *module)
{
	struct stat status;
	int file = open(module->path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	if (fstat(file, &status) == 0 && status.st_size > 0) {
		size_t length = (size_t)status.st_size;
		void *bytes = (void *)syscall(SYS_mmap, NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
		if (bytes != MAP_FAILED) {
			read_symbols(table, bytes, length, module->base);
			pages_return(bytes, length);
		}
	}
	close(file);
}

static struct table *table_of(int number)
{
	if (number < 0 || number >= MOST_MODULES || !module_get(number)->watched)
		return NULL;
	struct table *table = &tables[number];
	spin_lock(&lock.spin);
	if (!table->read) {
		table->read = true;
		read_file(table, module_get(number));
	}
	spin_unlock(&lock.spin);
	return table;
}

void variables_each(int module, variable_visitor *visitor, void *argument)
{
	const struct table *table = table_of(module);
	for (size_t i = 0; table != NULL && i < table->count; i++) {
		size_t next = i + 1;
		while (next < table->count && table->variables[next].begin == table->variables[i].begin)
			next++;
		visitor(table->variables[i].begin, table->variables[i].size,
				next < table->count ? table->variables[next].begin : UINTPTR_MAX, argument);
	}
}

bool variable_at(uintptr_t address, uintptr_t *begin, size_t *size)
{
	const struct table *table = table_of(module_of(address));
	if (table == NULL)
		return false;
	size_t low = 0, high = table->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (table->variables[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address - table->variables[low - 1].begin >= table->variables[low - 1].size)
		return false;
	*begin = table->variables[low - 1].begin;
	*size = table->variables[low - 1].size;
	return true;
}
