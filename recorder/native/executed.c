/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which code of the target was executed (--executed=yes). Code is translated just before its first execution, so noting
 * that is enough. The file "executed" in the trace's directory has a line for each piece of translated code: phase (1:
 * between --begin and --end), link-time address, length, path of the file. Numbers are hexadecimal. System libraries
 * are left out.
 */
#include "executed.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"

#include "core_api.h"
#include "options.h"
#include "paths.h"
#include "sites.h"
#include "trace.h"

#define LINE_SIZE (PATH_SIZE + 64)
/* How often all code is translated again, to see what of it runs after --begin. */
#define MOST_DISCARDS 16

static Int file = -1;
static HChar path[PATH_SIZE];
static UInt discards;
static Bool outside; /* code was translated that may run again after --begin */

void pc_executed_init(void)
{
	if (!pc_options.executed)
		return;
	VG_(snprintf)(path, sizeof path, "%s/executed", pc_options.trace_dir);
	Int opened = VG_(fd_open)(path, VKI_O_CREAT | VKI_O_WRONLY | VKI_O_APPEND, 0600);
	if (opened < 0)
		pc_give_up("cannot open %s for writing", path);
	file = VG_(safe_fd)(opened);
}

/* Half a file would report executed code as never executed, so there is none then. */
static void put(const HChar *line, UInt length)
{
	if (VG_(write)(file, line, (Int)length) == (Int)length)
		return;
	VG_(close)(file);
	VG_(unlink)(path);
	file = -1;
}

static Bool begins_with(const HChar *text, const HChar *prefix)
{
	return VG_(strncmp)(text, prefix, VG_(strlen)(prefix)) == 0;
}

static Bool is_of_system(const HChar *module)
{
	return begins_with(module, "/usr/lib") || begins_with(module, "/lib/") || begins_with(module, "/lib64/") ||
			VG_(strstr)(module, "/vgpreload") != NULL;
}

void pc_executed(const VexGuestExtents *extents, Bool begins)
{
	if (file < 0)
		return;
	UInt phase = pc_control->active || begins || discards >= MOST_DISCARDS;
	for (Int i = 0; i < extents->n_used && file >= 0; i++) {
		const Site *site = pc_site(pc_site_of(extents->base[i]));
		const HChar *module = pc_module_path(site->module);
		if (module[0] == 0 || is_of_system(module))
			continue;
		HChar line[LINE_SIZE];
		UInt length =
				VG_(snprintf)(line, sizeof line, "%u %llx %x %s\n", phase, site->offset, (UInt)extents->len[i], module);
		put(line, length < sizeof line ? length : (UInt)sizeof line - 1);
		outside |= phase == 0;
	}
}

void pc_executed_begins(void)
{
	if (!outside || file < 0)
		return;
	outside = False;
	discards++;
	VG_(discard_translations)(0, ~0ULL, "powercut, which code runs from here on");
}
