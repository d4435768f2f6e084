/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappings that come, go and move; processes and signals. */
#include "random.h"

#include <setjmp.h>
#include <signal.h>

static long pages(long size)
{
	return (size + PAGE - 1) & -PAGE;
}

long own_size(const Actor *a)
{
	struct stat status;
	CHECK(fstat(a->own, &status) == 0);
	return status.st_size;
}

long usable(Actor *a, const Map *map)
{
	if (map->file == THE_POOL)
		return map->size;
	long there = pages(own_size(a)) - map->offset;
	return there < map->size ? there : map->size;
}

void add_map(Actor *a, char *start, long size, int file, long offset, int own)
{
	CHECK(a->map_count < MOST_MAPS);
	a->maps[a->map_count++] = (Map){start, size, file, offset, own};
}

void cut_maps(Actor *a, char *start, long size)
{
	char *end = start + size;
	int count = a->map_count;
	a->map_count = 0;
	Map old[MOST_MAPS];
	memcpy(old, a->maps, sizeof old);
	for (int i = 0; i < count; i++) {
		Map m = old[i];
		char *m_end = m.start + m.size;
		if (m_end <= start || m.start >= end) {
			add_map(a, m.start, m.size, m.file, m.offset, m.own);
			continue;
		}
		if (m.start < start)
			add_map(a, m.start, start - m.start, m.file, m.offset, m.own);
		if (m_end > end)
			add_map(a, end, m_end - end, m.file, m.offset + (end - m.start), m.own);
	}
}

/* A mapping that is the actor's alone, or NULL. */
static Map *own_map(Actor *a)
{
	int first = (int)below(a, a->map_count);
	for (int i = 0; i < a->map_count; i++) {
		Map *map = &a->maps[(first + i) % a->map_count];
		if (map->own == a->number)
			return map;
	}
	return NULL;
}

/* A range of whole pages in it. */
static Map part_of(Actor *a, const Map *map)
{
	long first = below(a, map->size / PAGE);
	long count = 1 + below(a, map->size / PAGE - first);
	return (Map){map->start + first * PAGE, count * PAGE, map->file, map->offset + first * PAGE, map->own};
}

static void map_at(Actor *a, char *place, long size)
{
	int is_own = chance(a, 70);
	long offset = PAGE * below(a, is_own ? OWN / PAGE : POOL / PAGE);
	if (!is_own && offset + size > POOL)
		size = POOL - offset;
	int type = chance(a, 20) ? MAP_SHARED_VALIDATE : MAP_SHARED;
	char *start = mmap(place, (size_t)size, PROT_READ | PROT_WRITE, type | (place != NULL ? MAP_FIXED : 0),
			is_own ? a->own : a->pool, offset);
	CHECK(start != MAP_FAILED && (place == NULL || place == start));
	add_map(a, start, pages(size), is_own ? a->own_file : THE_POOL, offset, a->number);
}

void op_map(Actor *a)
{
	if (a->map_count > MOST_MAPS / 2)
		return;
	if (chance(a, 30)) { /* over a mapping that is there, maybe with something else */
		Map *over = own_map(a);
		if (over == NULL)
			return;
		Map part = part_of(a, over);
		cut_maps(a, part.start, part.size);
		if (chance(a, 30)) {
			int flags = MAP_FIXED | MAP_PRIVATE | (chance(a, 50) ? MAP_ANONYMOUS : 0);
			char *p = mmap(part.start, (size_t)part.size, PROT_READ | PROT_WRITE, flags,
					(flags & MAP_ANONYMOUS) != 0 ? -1 : a->pool, 0);
			CHECK(p == part.start);
			*(volatile long *)p = 5; /* no PM */
			CHECK(munmap(p, (size_t)part.size) == 0);
		} else {
			map_at(a, part.start, part.size);
		}
		return;
	}
	map_at(a, NULL, PAGE * (1 + below(a, 4)) - (chance(a, 30) ? below(a, PAGE) : 0));
}

void op_unmap(Actor *a)
{
	Map *map = own_map(a);
	if (map == NULL)
		return;
	Map part = chance(a, 40) ? *map : part_of(a, map);
	CHECK(munmap(part.start, (size_t)(part.size - (chance(a, 30) ? below(a, PAGE) : 0))) == 0);
	cut_maps(a, part.start, part.size);
}

/* Moved, grown, shrunk, doubled, and onto another one. */
void op_remap(Actor *a)
{
	Map *map = own_map(a);
	if (map == NULL || a->map_count > MOST_MAPS / 2)
		return;
	Map old = chance(a, 50) ? *map : part_of(a, map);
	long size = PAGE * (1 + below(a, 5));
	char *start;
	if (old.file == THE_POOL && size > POOL - old.offset)
		size = POOL - old.offset;
	switch (pick(a, 4)) {
	case 0: /* onto a mapping of PM, or of something else */
		map = own_map(a);
		char *place = map->start;
		long room = map->size;
		if (place < old.start + old.size && place + room > old.start) { /* not onto itself */
			room = 8 * PAGE;
			place = mmap(NULL, (size_t)room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			CHECK(place != MAP_FAILED);
			if (chance(a, 50))
				CHECK(munmap(place, (size_t)room) == 0);
		}
		if (size > room)
			size = room;
		start = mremap(old.start, (size_t)old.size, (size_t)size, MREMAP_MAYMOVE | MREMAP_FIXED, place);
		break;
	case 1: /* a second one of the same */
		start = mremap(old.start, 0, (size_t)size, MREMAP_MAYMOVE);
		if (start != MAP_FAILED)
			add_map(a, start, size, old.file, old.offset, a->number);
		return;
	case 2: start = mremap(old.start, (size_t)old.size, (size_t)size, 0); break;
	default: start = mremap(old.start, (size_t)old.size, (size_t)size, MREMAP_MAYMOVE); break;
	}
	if (start == MAP_FAILED)
		return;
	cut_maps(a, old.start, old.size);
	cut_maps(a, start, size);
	add_map(a, start, size, old.file, old.offset, a->number);
}

void op_advise(Actor *a)
{
	Map *map = own_map(a);
	if (map == NULL)
		return;
	Map part = part_of(a, map);
	switch (pick(a, 4)) {
	case 0: CHECK(madvise(part.start, (size_t)part.size, MADV_REMOVE) == 0); break;
	case 1:
		CHECK(madvise(part.start, (size_t)part.size, MADV_DONTNEED) == 0);
		break; /* takes nothing from a shared mapping */
	default:
		CHECK(mprotect(part.start, (size_t)part.size, PROT_READ) == 0);
		CHECK(mprotect(part.start, (size_t)part.size, PROT_READ | PROT_WRITE) == 0);
	}
}

/* ------------------------------------------------------------ processes */

void op_fork(Actor *a)
{
	if (a->children == 0)
		return;
	a->children--;
	expect_anything(a);
	if (chance(a, 30)) {
		volatile uint64_t *p = (volatile uint64_t *)spot(a, 8, 1);
		pid_t child = vfork();
		if (child == 0) {
			*p = 77;
			_exit(0);
		}
		CHECK(child > 0 && waitpid(child, NULL, 0) == child);
		return;
	}
	Actor copy = *a;
	copy.number += ACTORS / 2;
	for (int i = 0; i < copy.map_count; i++) {
		if (copy.maps[i].own == a->number)
			copy.maps[i].own = copy.number;
	}
	long operations = 1 + below(a, 6);
	copy.state ^= 0x123456789;
	copy.children = 0;
	copy.operation = a->operation * 100;
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		operate(&copy, (int)operations);
		if (chance(&copy, 30))
			raise(SIGKILL);
		_exit(0);
	}
	char *status = spot(a, 4, 4);
	if (waitpid(child, (int *)status, 0) != child) /* the child cut the file there */
		CHECK(errno == EFAULT && waitpid(child, NULL, 0) <= 0);
}

/* -------------------------------------------------------------- signals */

static __thread Actor *interrupted;
static __thread sigjmp_buf out_of_handler;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)context;
	Actor *a = interrupted;
	CHECK(a != NULL);
	volatile uint64_t *p = (volatile uint64_t *)spot(a, 8, 1);
	*p = (uint64_t)info->si_signo;
	expect_at(a, STORED, 0, (const void *)p, 8, 0);
	if (signal == SIGUSR1 && chance(a, 30))
		raise(SIGUSR2);
	if (signal == SIGSEGV || chance(a, 30))
		siglongjmp(out_of_handler, 1);
}

void op_signal(Actor *a)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGUSR2, &action, NULL) == 0 &&
			sigaction(SIGSEGV, &action, NULL) == 0);
	interrupted = a;
	if (sigsetjmp(out_of_handler, 1) != 0) {
		interrupted = NULL;
		return;
	}
	switch (pick(a, 3)) {
	case 0: {
		volatile int *nowhere = (volatile int *)(uintptr_t)(8 + 8 * a->number);
		*nowhere = 1;
		break;
	}
	case 1: raise(SIGUSR2); break;
	default: raise(SIGUSR1); break;
	}
	interrupted = NULL;
}
