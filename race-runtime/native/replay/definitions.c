/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the place of stacks.c: stacks are those of the trace. */
#include "replay.h"

#include "../modules.h"
#include "../pages.h"
#include "../stacks.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST ((size_t)1 << 28)

struct node {
	uintptr_t pc;
	uint32_t parent;
};

/* By their numbers in the trace. Address space that takes memory where it is used. */
static uint64_t *biases; /* of modules */
static uintptr_t *sites; /* addresses */
static uint32_t *stacks; /* nodes */
static struct node *nodes;
static bool orders[1u << 16]; /* modules whose accesses only order threads */
static bool *ordering; /* sites */
static uint32_t count = 1;

void stacks_start(void)
{
	biases = pages_reserve((1u << 16) * sizeof *biases);
	sites = pages_reserve(MOST * sizeof *sites);
	ordering = pages_reserve(MOST * sizeof *ordering);
	stacks = pages_reserve(MOST * sizeof *stacks);
	nodes = pages_reserve(MOST * sizeof *nodes);
}

/* Where the file's segments were, as far as it still says so. */
static void add_module(const char *path, uint64_t bias)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat about;
	if (file < 0 || fstat(file, &about) != 0 || about.st_size < (off_t)sizeof(Elf64_Ehdr)) {
		if (file >= 0)
			close(file);
		return;
	}
	size_t size = (size_t)about.st_size;
	const char *content = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	if (content == MAP_FAILED)
		return;
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)content;
	uintptr_t low = UINTPTR_MAX, high = 0;
	bool is_elf = memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
			header->e_phoff + header->e_phnum * sizeof(Elf64_Phdr) <= size;
	for (unsigned i = 0; is_elf && i < header->e_phnum; i++) {
		const Elf64_Phdr *segment = (const Elf64_Phdr *)(content + header->e_phoff) + i;
		if (segment->p_type != PT_LOAD)
			continue;
		low = bias + segment->p_vaddr < low ? bias + segment->p_vaddr : low;
		high = bias + segment->p_vaddr + segment->p_memsz > high ? bias + segment->p_vaddr + segment->p_memsz : high;
	}
	munmap((void *)content, size);
	if (high > low)
		module_add(path, bias, low, high);
}

bool is_unknown_library;

void define_module(const struct module_def *definition)
{
	char *path = pages_keep(definition->path_length + 1);
	memcpy(path, definition->path, definition->path_length);
	biases[definition->module & 0xffff] = definition->load_bias;
	orders[definition->module & 0xffff] = strstr(path, "/libgomp.so") != NULL;
	is_unknown_library |= strstr(path, "/libomp.so") != NULL;
	add_module(path, definition->load_bias);
}

void define_site(const struct site_def *definition)
{
	/* Reports show the place before a return address. */
	sites[definition->site % MOST] = biases[definition->module & 0xffff] + definition->offset + 1;
	ordering[definition->site % MOST] = orders[definition->module & 0xffff];
}

void define_stack(const struct stack_def *definition)
{
	uint32_t parent = STACK_NONE;
	for (uint32_t i = definition->depth; i > 0 && count < MOST; i--) {
		nodes[count] = (struct node){sites[definition->sites[i - 1] % MOST], parent};
		parent = count++;
	}
	stacks[definition->stack % MOST] = parent;
}

bool only_orders(uint32_t site)
{
	return ordering[site % MOST];
}

uint32_t node_of(uint32_t stack)
{
	return stacks[stack % MOST];
}

/* A site of an access is a node here. */
uint32_t stack_find(struct thread *me, uintptr_t pc, uintptr_t sp)
{
	(void)me, (void)sp;
	return (uint32_t)pc;
}

uintptr_t stack_place(uint32_t node, uint32_t *parent)
{
	*parent = nodes[node].parent;
	return nodes[node].pc;
}
