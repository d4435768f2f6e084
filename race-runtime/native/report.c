/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include "detector.h"
#include "locksets.h"
#include "mappings.h"
#include "modules.h"
#include "objects.h"
#include "spin.h"
#include "stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_REPORTS 1000
#define PAIRS 8192
#define LINE (1 << 17)

static int file = -1;
static bool is_over;
static struct lone_spin lock;
static unsigned reports;
static struct {
	uintptr_t one, other;
	const char *detector;
} pairs[PAIRS];
static char line[LINE];
static size_t length;
static char mapped[4096]; /* path of a file */

static void __attribute__((format(printf, 1, 2))) add(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int added = vsnprintf(line + length, LINE - length, format, arguments);
	va_end(arguments);
	if (added > 0)
		length += (size_t)added < LINE - length ? (size_t)added : LINE - length - 1;
}

static void add_text(const char *text)
{
	add("\"");
	for (const char *at = text; *at != '\0'; at++) {
		unsigned char letter = (unsigned char)*at;
		if (letter < 0x20 || letter == '"' || letter == '\\')
			add("\\u%04x", letter);
		else
			add("%c", letter);
	}
	add("\"");
}

static void write_line(void)
{
	if (length > LINE - 2)
		length = LINE - 2;
	line[length++] = '\n';
	for (size_t done = 0; done < length;) {
		ssize_t part = write(file, line + done, length - done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			break;
		done += (size_t)part;
	}
	length = 0;
}

static void write_process(void)
{
	char path[4096];
	ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
	path[size < 0 ? 0 : size] = '\0';
	length = 0;
	add("{\"line\":\"process\",\"pid\":%d,\"program\":", getpid());
	add_text(path);
	add("}");
	write_line();
}

bool report_start(void)
{
	const char *path = getenv("POWERCUT_RACES");
	if (path == NULL || path[0] == '\0')
		return false;
	int opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (opened < 0) {
		fprintf(stderr, "powercut: cannot write races to %s: %s\n", path, strerror(errno));
		return false;
	}
	/* Out of the way of programs that count on the numbers of their files. */
	file = fcntl(opened, F_DUPFD_CLOEXEC, 900);
	if (file < 0)
		file = opened;
	else
		close(opened);
	write_process();
	return true;
}

static void add_place(uintptr_t pc)
{
	int number = module_of(pc);
	if (number < 0) {
		add("[-1,%lu]", (unsigned long)pc);
		return;
	}
	add("[%d,%lu]", number, (unsigned long)(pc - module_get(number)->base));
}

static void add_stack(uint32_t node)
{
	add("[");
	for (unsigned i = 0; i < STACK_MOST && node != STACK_NONE; i++) {
		uint32_t parent;
		uintptr_t pc = stack_place(node, &parent);
		if (i > 0)
			add(",");
		add_place(pc - 1);
		node = parent;
	}
	add("]");
}

static void add_object(uintptr_t address)
{
	struct object object;
	long owner;
	int number;
	uint64_t offset;
	if (object_at(address, &object)) {
		add("{\"kind\":\"heap\",\"size\":%zu,\"offset\":%zu,\"thread\":%u,\"stack\":", object.size,
				(size_t)(address - object.address), object.thread);
		add_stack(object.where);
		add("}");
	} else if ((number = module_of(address)) >= 0) {
		add("{\"kind\":\"global\",\"place\":");
		add_place(address);
		add("}");
	} else if ((owner = thread_with_stack(address)) >= 0) {
		add("{\"kind\":\"stack\",\"thread\":%ld}", owner);
	} else if (mapping_at(address, mapped, sizeof mapped, &offset)) {
		add("{\"kind\":\"file\",\"offset\":%lu,\"path\":", (unsigned long)offset);
		add_text(mapped);
		add("}");
	} else {
		add("{\"kind\":\"unknown\"}");
	}
}

static void add_lock(uintptr_t address, enum lock_mode mode, uint32_t where)
{
	add("{\"address\":\"0x%lx\",\"mode\":\"%s\",\"object\":", (unsigned long)address,
			mode == LOCK_SHARED ? "shared" : "exclusive");
	add_object(address);
	add(",\"stack\":");
	add_stack(where);
	add("}");
}

static uint32_t where_taken(const struct thread *me, uintptr_t address)
{
	for (unsigned i = 0; me != NULL && i < me->held_count; i++)
		if (me->held[i].lock == address)
			return me->held[i].where;
	return STACK_NONE;
}

static void add_access(const struct racing_access *access, const struct thread *me, const char *kind)
{
	add("{\"kind\":\"%s\",\"atomic\":%s,\"address\":\"0x%lx\",\"size\":%u,\"thread\":%u,\"parent\":%u,\"created\":",
			kind, (access->kind & ACCESS_ATOMIC) != 0 ? "true" : "false", (unsigned long)access->address, access->size,
			access->thread, access->parent);
	add_stack(access->created);
	add(",\"stack\":");
	add_stack(access->where);
	add(",\"locks\":[");
	for (unsigned i = 0; i < lockset_size(access->locks); i++) {
		enum lock_mode mode;
		uintptr_t address = lockset_lock(access->locks, i, &mode);
		if (i > 0)
			add(",");
		add_lock(address, mode, where_taken(me, address));
	}
	add("]}");
}

static const char *kind_of(const struct racing_access *access)
{
	return (access->kind & ACCESS_WRITE) != 0 ? "write" : "read";
}

/* What the memory holds when the second access is about to happen: what the first one stored, if it stored. */
static void add_memory(const struct race *race)
{
	unsigned size = race->size;
	add(",\"memory\":\"");
	for (unsigned i = size < 16 ? size : 16; i > 0; i--)
		add("%02x", ((volatile unsigned char *)race->address)[i - 1]);
	add("\"");
}

static unsigned place_of(uintptr_t low, uintptr_t high, unsigned attempt)
{
	uint64_t mixed = (low * 31 ^ high) * 0x9e3779b97f4a7c15u;
	return (unsigned)((mixed >> 40) + attempt) % PAIRS;
}

#define ATTEMPTS 16

/* Pairs stay, so that one which is found needs no lock. */
static bool is_known(uintptr_t low, uintptr_t high, const char *detector)
{
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		unsigned place = place_of(low, high, i);
		if (pairs[place].one == low && pairs[place].other == high && pairs[place].detector == detector)
			return true;
	}
	return false;
}

static bool is_new(uintptr_t low, uintptr_t high, const char *detector)
{
	for (unsigned i = 0; i < ATTEMPTS && !is_known(low, high, detector); i++) {
		unsigned place = place_of(low, high, i);
		if (pairs[place].detector != NULL)
			continue;
		pairs[place].one = low;
		pairs[place].other = high;
		pairs[place].detector = detector;
		return true;
	}
	return false;
}

static void write_modules(void)
{
	for (int i = 0; module_is(i); i++) {
		struct module *module = module_get(i);
		if (module->listed)
			continue;
		module->listed = true;
		add("{\"line\":\"module\",\"pid\":%d,\"module\":%d,\"path\":", getpid(), i);
		add_text(module->path);
		add("}");
		write_line();
	}
}

static void write_race(struct thread *me, const struct race *race, uintptr_t low, uintptr_t high, const char *detector)
{
	spin_lock(&lock.spin);
	/* Without a second access there is nothing to be seen in a recording. */
	bool wanted = !(is_over && race->unconfirmed) && reports < MOST_REPORTS && is_new(low, high, detector);
	reports += wanted;
	spin_unlock(&lock.spin);
	if (!wanted)
		return;
	/* Before the lock: the loader's own lock may be held by a thread that waits for this one. */
	if (!is_over)
		modules_refresh();
	spin_lock(&lock.spin);
	length = 0;
	write_modules();
	add("{\"line\":\"race\",\"pid\":%d,\"detector\":\"%s%s\",\"address\":\"0x%lx\",\"size\":%u", getpid(),
			race->detector, is_over ? " on a recording" : "", (unsigned long)race->address, race->size);
	if (race->unconfirmed || is_over)
		add(",\"unconfirmed\":true");
	if (!race->freed && !is_over)
		add_memory(race);
	add(",\"object\":");
	add_object(race->address);
	add(",\"first\":");
	add_access(&race->first, NULL, kind_of(&race->first));
	add(",\"second\":");
	add_access(&race->second, me, race->freed ? "free" : kind_of(&race->second));
	add("}");
	write_line();
	spin_unlock(&lock.spin);
}

void report_race(struct thread *me, const struct race *race)
{
	uint32_t unused;
	uintptr_t first = stack_place(race->first.where, &unused), second = stack_place(race->second.where, &unused);
	uintptr_t low = first < second ? first : second, high = first < second ? second : first;
	const char *detector = race->unconfirmed ? "unconfirmed" : race->detector;
	if (is_known(low, high, detector))
		return;
	/* A handler that jumps out of a report would leave it half-way. */
	bool kept = spin_begin();
	write_race(me, race, low, high, detector);
	spin_done(kept);
}

void report_without_memory(void)
{
	is_over = true;
}

void report_backend(const char *name)
{
	add("{\"line\":\"backend\",\"pid\":%d,\"name\":", getpid());
	add_text(name);
	add("}");
	write_line();
}

void report_unavailable(const char *text)
{
	add("{\"line\":\"unavailable\",\"pid\":%d,\"text\":", getpid());
	add_text(text);
	add("}");
	write_line();
}

void report_limit(const char *text)
{
	spin_lock(&lock.spin);
	length = 0;
	add("{\"line\":\"limit\",\"pid\":%d,\"text\":", getpid());
	add_text(text);
	add("}");
	write_line();
	spin_unlock(&lock.spin);
}

void report_after_fork(void)
{
	spin_unlock(&lock.spin);
	length = 0;
	for (int i = 0; module_is(i); i++)
		module_get(i)->listed = false;
	memset(pairs, 0, sizeof pairs);
	reports = 0;
	if (file >= 0)
		write_process();
}
