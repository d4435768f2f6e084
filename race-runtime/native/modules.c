/* SPDX-License-Identifier: Apache-2.0 */
#include "modules.h"

#include "keys.h"
#include "pages.h"
#include "spin.h"
#include "tags.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define MOST_MODULES 1024

static struct module modules[MOST_MODULES];
static atomic_int count;
static struct lone_spin lock;

static const char *path_of(const char *name)
{
	char path[4096];
	ssize_t length = -1;
	if (name[0] == '\0')
		length = readlink("/proc/self/exe", path, sizeof path - 1);
	else if (strlen(name) < sizeof path)
		length = (ssize_t)strlen(strcpy(path, name));
	if (length < 0)
		return "";
	path[length] = '\0';
	return strcpy(pages_keep((size_t)length + 1), path);
}

static void append(const char *path, uintptr_t base, uintptr_t low, uintptr_t high, bool watched)
{
	int known = atomic_load(&count);
	if (known == MOST_MODULES)
		return;
	modules[known] = (struct module){.path = path, .base = base, .low = low, .high = high, .watched = watched};
	atomic_store(&count, known + 1);
}

void module_add(const char *path, uintptr_t base, uintptr_t low, uintptr_t high)
{
	spin_lock(&lock.spin);
	append(path, base, low, high, true);
	spin_unlock(&lock.spin);
}

static int add(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	uintptr_t low = UINTPTR_MAX, high = 0;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type != PT_LOAD)
			continue;
		uintptr_t begin = info->dlpi_addr + header->p_vaddr;
		if (begin < low)
			low = begin;
		if (begin + header->p_memsz > high)
			high = begin + header->p_memsz;
	}
	spin_lock(&lock.spin);
	int known = atomic_load(&count);
	bool is_new = true;
	for (int i = 0; i < known; i++)
		is_new &= !(modules[i].low == low && modules[i].high == high &&
				(info->dlpi_name[0] == '\0' || strcmp(modules[i].path, info->dlpi_name) == 0));
	if (is_new && high > low)
		append(path_of(info->dlpi_name), info->dlpi_addr, low, high, false);
	spin_unlock(&lock.spin);
	return 0;
}

void modules_refresh(void)
{
	dl_iterate_phdr(add, NULL);
}

int module_of(uintptr_t address)
{
	for (int i = atomic_load_explicit(&count, memory_order_acquire) - 1; i >= 0; i--)
		if (address >= modules[i].low && address < modules[i].high)
			return i;
	return -1;
}

bool module_is(int number)
{
	return number < atomic_load(&count);
}

struct module *module_get(int number)
{
	return &modules[number];
}

void module_watch(uintptr_t address)
{
	int number = module_of(address);
	if (number < 0) {
		modules_refresh();
		number = module_of(address);
	}
	if (number < 0 || modules[number].watched)
		return;
	modules[number].watched = true;
	tags_enable_module(modules[number].low, modules[number].high);
	keys_module(number);
}

bool is_watched_code(uintptr_t address)
{
	int number = module_of(address);
	return number >= 0 && modules[number].watched;
}

void modules_after_fork(void)
{
	spin_unlock(&lock.spin);
}
