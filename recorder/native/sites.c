/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sites: places in the code, as (module, offset in the module), with names and lines for people.
 *
 * A site is created when code is translated or a stack is first seen. Most are never needed, so what a site means is
 * looked up only when an event needs it. Places in scripts have names, but no address; their file is their module.
 */
#include "sites.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"
#include <elf.h>

#include "core_api.h"
#include "hashmap.h"
#include "options.h"
#include "paths.h"
#include "stacks.h"
#include "trace.h"

/* A file that code comes from. The list's entry 0 stands for code outside any file. */
typedef struct {
	ULong device;
	ULong inode;
	HChar *path;
	const HChar *base_name;
	HChar *name; /* in failure point ids: the base name, unless another module took it */
	CodeOwner owner;
	Bool is_source; /* a script */
	UInt id; /* in the trace; 0 = not defined there yet */
	UInt segment_count;
	struct {
		ULong offset;
		ULong size;
		ULong address;
	} segments[16];
	UInt build_id_length;
	UChar build_id[64];
} Module;

/* A place in a script. The list's entry 0 stands for none. */
typedef struct {
	HChar *function;
	UInt line;
} Source;

static XArray *modules; /* of Module* */
static XArray *sources; /* of Source */
static HashMap source_map; /* from hash over all of it to its site */
static Site *sites;
static SizeT site_count;
static SizeT site_capacity;
static HashMap site_map;

/* -------------------------------------------------------------- modules */

static Bool read_at(Int fd, void *to, SizeT size, ULong offset)
{
	SysRes read = VG_(do_syscall)(__NR_pread64, (UWord)fd, (UWord)to, size, offset, 0, 0, 0, 0);
	return !sr_isError(read) && sr_Res(read) == size;
}

static void read_build_id(Module *module, Int fd, const Elf64_Phdr *header)
{
	UChar notes[1024];
	SizeT size = header->p_filesz < sizeof notes ? header->p_filesz : sizeof notes;
	if (!read_at(fd, notes, size, header->p_offset))
		return;
	for (SizeT at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
		const Elf64_Nhdr *note = (const Elf64_Nhdr *)(notes + at);
		SizeT name = at + sizeof *note;
		SizeT data = name + ((note->n_namesz + 3UL) & ~3UL);
		SizeT end = data + ((note->n_descsz + 3UL) & ~3UL);
		if (end > size)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && VG_(memcmp)(notes + name, "GNU", 4) == 0 &&
				note->n_descsz <= sizeof module->build_id) {
			module->build_id_length = note->n_descsz;
			VG_(memcpy)(module->build_id, notes + data, note->n_descsz);
			return;
		}
		at = end;
	}
}

/* Where the linker put each part of the file. A file that is not ELF has no segments; its offsets are file offsets. */
static void read_elf(Module *module)
{
	Elf64_Ehdr elf;
	Int fd = VG_(fd_open)(module->path, VKI_O_RDONLY, 0);
	if (fd < 0)
		return;
	if (read_at(fd, &elf, sizeof elf, 0) && VG_(memcmp)(elf.e_ident, ELFMAG, SELFMAG) == 0 &&
			elf.e_phentsize == sizeof(Elf64_Phdr)) {
		for (UInt i = 0; i < elf.e_phnum; i++) {
			Elf64_Phdr header;
			if (!read_at(fd, &header, sizeof header, elf.e_phoff + i * sizeof header))
				break;
			if (header.p_type == PT_NOTE && module->build_id_length == 0)
				read_build_id(module, fd, &header);
			if (header.p_type != PT_LOAD || module->segment_count == 16)
				continue;
			module->segments[module->segment_count].offset = header.p_offset;
			module->segments[module->segment_count].size = header.p_filesz;
			module->segments[module->segment_count].address = header.p_vaddr;
			module->segment_count++;
		}
	}
	VG_(close)(fd);
}

static ULong link_time_address(const Module *module, ULong file_offset)
{
	for (UInt i = 0; i < module->segment_count; i++) {
		/* The loader maps whole pages, so a segment begins at its page. */
		ULong begin = module->segments[i].offset & ~0xfffULL;
		if (file_offset >= begin && file_offset < module->segments[i].offset + module->segments[i].size)
			return module->segments[i].address + (file_offset - module->segments[i].offset);
	}
	return file_offset;
}

static ULong hash_bytes(const UChar *bytes, SizeT size)
{
	ULong hash = POWERCUT_FNV_BASIS;
	for (SizeT i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * POWERCUT_FNV_PRIME;
	return hash | 1;
}

/* Two libraries may have the same base name. The first one seen gets it; the other gets a suffix from its build id. */
static void name_module(Module *module)
{
	ULong name = hash_bytes((const UChar *)module->base_name, VG_(strlen)(module->base_name));
	ULong identity = module->build_id_length != 0 ? hash_bytes(module->build_id, module->build_id_length)
												  : hash_bytes((const UChar *)module->path, VG_(strlen)(module->path));
	HChar text[PATH_SIZE + 32];
	UInt at = 0;
	pc_lock();
	struct powercut_module_name *names = pc_control->names;
	while (at < POWERCUT_MAX_MODULE_NAMES && names[at].name != name && names[at].name != 0)
		at++;
	Bool is_other = at < POWERCUT_MAX_MODULE_NAMES && names[at].name == name && names[at].module != identity;
	if (at < POWERCUT_MAX_MODULE_NAMES && names[at].name == 0) {
		names[at].name = name;
		names[at].module = identity;
	}
	pc_unlock();
	if (is_other)
		VG_(snprintf)(text, sizeof text, "%s~%08llx", module->base_name, identity >> 32);
	module->name = VG_(strdup)("pc.module", is_other ? text : module->base_name);
}

/* By the name that the linker gave it, which remains when the file is renamed or stripped. */
static CodeOwner owner_of(Addr address)
{
	const DebugInfo *object = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), address);
	const HChar *name = object == NULL ? NULL : VG_(DebugInfo_get_soname)(object);
	if (name == NULL)
		return OF_THE_TARGET;
	if (VG_(strncmp)(name, "ld-linux", 8) == 0)
		return OF_THE_LOADER;
	if (VG_STREQ(name, "libgomp.so.1"))
		return OF_OPENMP;
	return VG_STREQ(name, "libc.so.6") || VG_STREQ(name, "libpthread.so.0") ? OF_THE_C_LIBRARY : OF_THE_TARGET;
}

/* With a copy of the path. VG_(basename) would return a buffer that its next call overwrites. */
static Module *new_module(const HChar *path)
{
	Module *module = VG_(calloc)("pc.module", 1, sizeof(Module));
	module->path = VG_(strdup)("pc.module", path);
	const HChar *slash = VG_(strrchr)(module->path, '/');
	module->base_name = slash == NULL ? module->path : slash + 1;
	return module;
}

static void open_modules(void)
{
	if (modules != NULL)
		return;
	modules = VG_(newXA)(VG_(malloc), "pc.modules", VG_(free), sizeof(Module *));
	Module *none = new_module("");
	none->name = none->path;
	VG_(addToXA)(modules, &none);
}

static Module *module_at(UInt index)
{
	return *(Module **)VG_(indexXA)(modules, index);
}

static UInt module_of(const NSegment *segment, Addr address)
{
	open_modules();
	const HChar *path = segment->kind == SkFileC || segment->kind == SkFileV ? VG_(am_get_filename)(segment) : NULL;
	if (path == NULL)
		return 0;
	for (Word i = 1; i < VG_(sizeXA)(modules); i++) {
		const Module *module = module_at((UInt)i);
		if (module->device == segment->dev && module->inode == segment->ino && VG_STREQ(module->path, path))
			return (UInt)i;
	}
	Module *module = new_module(path);
	module->device = segment->dev;
	module->inode = segment->ino;
	read_elf(module);
	name_module(module);
	module->owner = owner_of(address);
	return (UInt)VG_(addToXA)(modules, &module);
}

/* Many files of a package are called this: their folder is part of the name. */
static Bool is_common(const HChar *base_name)
{
	return VG_STREQ(base_name, "__init__.py") || VG_STREQ(base_name, "__main__.py");
}

static UInt module_of_source(const HChar *path)
{
	open_modules();
	for (Word i = 1; i < VG_(sizeXA)(modules); i++) {
		if (module_at((UInt)i)->is_source && VG_STREQ(module_at((UInt)i)->path, path))
			return (UInt)i;
	}
	Module *module = new_module(path);
	module->is_source = True;
	if (is_common(module->base_name)) {
		const HChar *from = module->base_name - (module->base_name > module->path ? 1 : 0);
		while (from > module->path && from[-1] != '/')
			from--;
		module->base_name = from;
	}
	name_module(module);
	return (UInt)VG_(addToXA)(modules, &module);
}

static UInt module_id(UInt index, const Site *site)
{
	if (index == 0)
		return 0;
	Module *module = module_at(index);
	if (module->id != 0)
		return module->id;
	SizeT path_length = VG_(strlen)(module->path);
	SizeT name_length = VG_(strlen)(module->name);
	UInt id = pc_control->next_module++;
	struct powercut_module_def *record = pc_append(POWERCUT_MODULE_DEF, module->is_source ? POWERCUT_MODULE_SOURCE : 0,
			VG_(get_running_tid)(), pc_round8(sizeof *record + path_length + module->build_id_length + name_length));
	record->module = id;
	record->path_length = (UInt)path_length;
	record->build_id_length = module->build_id_length;
	record->name_length = (UInt)name_length;
	record->load_bias = module->is_source ? 0 : site->address - site->offset;
	VG_(memcpy)(record->path, module->path, path_length);
	VG_(memcpy)(record->path + path_length, module->build_id, module->build_id_length);
	VG_(memcpy)(record->path + path_length + module->build_id_length, module->name, name_length);
	pc_commit();
	module->id = id;
	return id;
}

/* ---------------------------------------------------------------- sites */

static SiteIndex new_site(void)
{
	if (site_count == site_capacity) {
		site_capacity = site_capacity == 0 ? 4096 : site_capacity * 2;
		sites = VG_(realloc)("pc.sites", sites, site_capacity * sizeof(Site));
	}
	VG_(memset)(&sites[site_count], 0, sizeof(Site));
	return (SiteIndex)site_count++;
}

SiteIndex pc_site_of(Addr address)
{
	UInt found = pc_map_get(&site_map, address);
	if (found != HASHMAP_ABSENT)
		return found;
	SiteIndex index = new_site();
	sites[index].address = address;
	pc_map_put(&site_map, address, index);
	return index;
}

static const Source *source_at(UInt index)
{
	return VG_(indexXA)(sources, index);
}

static Bool is_source(SiteIndex index, const HChar *file, const HChar *function, UInt line, ULong offset)
{
	const Site *site = &sites[index];
	const Source *source = source_at(site->source);
	return site->offset == offset && source->line == line && VG_STREQ(source->function, function) &&
			VG_STREQ(module_at(site->module)->path, file);
}

static ULong hash_text(ULong hash, const HChar *text)
{
	for (; *text != 0; text++)
		hash = (hash ^ (UChar)*text) * POWERCUT_FNV_PRIME;
	return hash;
}

SiteIndex pc_site_of_source(const HChar *file, const HChar *function, UInt line, ULong offset)
{
	ULong key = hash_text(hash_text(POWERCUT_FNV_BASIS, file) ^ line, function);
	key = (key ^ offset) * HASH_MULTIPLIER | 1;
	UInt found = pc_map_get(&source_map, key);
	while (found != HASHMAP_ABSENT && !is_source(found, file, function, line, offset)) {
		key += 2;
		found = pc_map_get(&source_map, key);
	}
	if (found != HASHMAP_ABSENT)
		return found;
	if (sources == NULL) {
		Source none = {NULL, 0};
		sources = VG_(newXA)(VG_(malloc), "pc.sources", VG_(free), sizeof(Source));
		VG_(addToXA)(sources, &none);
	}
	Source source = {VG_(strdup)("pc.source", function), line};
	SiteIndex index = new_site();
	sites[index].resolved = True;
	sites[index].module = module_of_source(file);
	sites[index].offset = offset;
	sites[index].source = (UInt)VG_(addToXA)(sources, &source);
	pc_map_put(&source_map, key, index);
	return index;
}

/* ---------------------------------------------------- code made at run time */

#define MAX_PERF_MAP (64UL << 20)

/*
 * What a just-in-time compiler reports of its code, in the form that perf reads: /tmp/perf-PID.map, lines of "START
 * SIZE NAME" in hexadecimal. It is read again when it has grown; the last line for an address counts.
 */
static Bool find_in_perf_map(Addr address, Addr *start, HChar *name, SizeT size)
{
	static HChar *text;
	static SizeT length;
	HChar path[64];
	struct vg_stat status;
	Bool found = False;
	VG_(sprintf)(path, "/tmp/perf-%d.map", VG_(getpid)());
	if (sr_isError(VG_(stat)(path, &status)) || status.size <= 0 || (SizeT)status.size > MAX_PERF_MAP)
		return False;
	if ((SizeT)status.size != length) {
		Int fd = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
		text = VG_(realloc)("pc.perf", text, (SizeT)status.size + 1);
		length = fd >= 0 && read_at(fd, text, (SizeT)status.size, 0) ? (SizeT)status.size : 0;
		text[length] = 0;
		if (fd >= 0)
			VG_(close)(fd);
	}
	for (const HChar *line = text; length != 0 && *line != 0;) {
		HChar *rest;
		Addr from = (Addr)VG_(strtoll16)(line, &rest);
		SizeT bytes = (SizeT)VG_(strtoll16)(rest[0] == ' ' ? rest + 1 : rest, &rest);
		const HChar *end = VG_(strchr)(rest, '\n');
		SizeT rest_length = end == NULL ? VG_(strlen)(rest) : (SizeT)(end - rest);
		if (address - from < bytes && rest_length > 1) {
			SizeT used = rest_length - 1 < size - 1 ? rest_length - 1 : size - 1;
			VG_(memcpy)(name, rest + 1, used);
			name[used] = 0;
			*start = from;
			found = True;
		}
		if (end == NULL)
			break;
		line = end + 1;
	}
	return found;
}

/* An offset that distinguishes code outside any file: by its function's name if known, else by its address. */
static ULong offset_at_run_time(Addr address)
{
	HChar name[256];
	Addr start;
	if (!find_in_perf_map(address, &start, name, sizeof name))
		return address;
	return hash_bytes((const UChar *)name, VG_(strlen)(name)) << 16 ^ (address - start);
}

static Site *resolved(SiteIndex index)
{
	Site *site = &sites[index];
	if (site->resolved)
		return site;
	site->resolved = True;
	const NSegment *segment = VG_(am_find_nsegment)(site->address);
	if (segment != NULL)
		site->module = module_of(segment, site->address);
	if (site->module == 0)
		site->offset = offset_at_run_time(site->address);
	if (site->module != 0)
		site->offset =
				link_time_address(module_at(site->module), (ULong)segment->offset + (site->address - segment->start));
	return site;
}

const Site *pc_site(SiteIndex index)
{
	return resolved(index);
}

const HChar *pc_module_path(UInt index)
{
	return index == 0 ? "" : module_at(index)->path;
}

static ULong hash_byte(ULong hash, UChar byte)
{
	return (hash ^ byte) * POWERCUT_FNV_PRIME;
}

ULong pc_site_hash(ULong hash, SiteIndex index)
{
	const Site *site = resolved(index);
	if (site->module != 0) {
		for (const HChar *c = module_at(site->module)->name; *c != 0; c++)
			hash = hash_byte(hash, (UChar)*c);
	}
	hash = hash_byte(hash, 0);
	for (UInt i = 0; i < 8; i++)
		hash = hash_byte(hash, (UChar)(site->offset >> (8 * i)));
	return hash;
}

void pc_sites_forget(Addr start, SizeT size)
{
	/* The map cannot remove single keys; filling it again is rare (dlclose). */
	Bool found = False;
	for (SizeT i = 0; i < site_count && !found; i++)
		found = sites[i].address - start < size;
	if (!found)
		return;
	for (SizeT i = 0; i < site_count; i++) {
		if (sites[i].address - start < size)
			sites[i].address = 0; /* its translations are gone, so nobody looks it up any more */
	}
	pc_map_clear(&site_map);
	for (SizeT i = 0; i < site_count; i++) {
		if (sites[i].address != 0)
			pc_map_put(&site_map, sites[i].address, (UInt)i);
	}
	pc_stacks_forget();
}

/* ---------------------------------------------------------------- names */

#define MAX_FRAMES 32
#define TEXT_SIZE 8192

typedef struct {
	UInt count;
	SizeT used;
	struct powercut_site_frame frames[MAX_FRAMES];
	HChar text[TEXT_SIZE];
} Names;

static UInt add_text(Names *names, const HChar *text, SizeT limit)
{
	SizeT length = VG_(strlen)(text);
	if (length > limit)
		length = limit;
	if (length > sizeof names->text - names->used)
		length = sizeof names->text - names->used;
	VG_(memcpy)(names->text + names->used, text, length);
	names->used += length;
	return (UInt)length;
}

static void add_frame(Names *names, Addr address, Bool is_of_no_file)
{
	DiEpoch now = VG_(current_DiEpoch)();
	struct powercut_site_frame *frame = &names->frames[names->count++];
	const HChar *text;
	const HChar *directory;
	UInt line;
	VG_(memset)(frame, 0, sizeof *frame);
	HChar name[256];
	Addr start;
	if (VG_(get_fnname)(now, address, &text))
		frame->function_length = add_text(names, text, TEXT_SIZE / 2);
	else if (is_of_no_file && find_in_perf_map(address, &start, name, sizeof name))
		frame->function_length = add_text(names, name, TEXT_SIZE / 2);
	if (VG_(get_filename_linenum)(now, address, &text, &directory, &line)) {
		if (directory[0] != 0 && text[0] != '/') {
			frame->file_length = add_text(names, directory, PATH_SIZE / 2);
			frame->file_length += add_text(names, "/", 1);
		}
		frame->file_length += add_text(names, text, PATH_SIZE / 2);
		frame->line = line;
	}
}

/* Parses "0x401005: function (file:line)", as Valgrind describes an address. False when there is no file and line. */
static Bool add_described(Names *names, const HChar *text)
{
	struct powercut_site_frame *frame = &names->frames[names->count];
	const HChar *function = VG_(strstr)(text, ": ");
	const HChar *file = VG_(strrchr)(text, '(');
	const HChar *line = VG_(strrchr)(text, ':');
	if (function == NULL || file == NULL || line == NULL || function + 2 >= file || line < file)
		return False;
	function += 2;
	VG_(memset)(frame, 0, sizeof *frame);
	frame->function_length = add_text(names, function, (SizeT)(file - 1 - function));
	frame->file_length = add_text(names, file + 1, (SizeT)(line - file - 1));
	frame->line = (UInt)VG_(strtoll10)(line + 1, NULL);
	names->count++;
	return True;
}

/* What the compiler inlined there, innermost first, then the function itself. False when nothing was inlined. */
static Bool add_inlined_frames(Names *names, Addr address)
{
	InlIPCursor *cursor = VG_(new_IIPC)(VG_(current_DiEpoch)(), address);
	Bool found = cursor != NULL;
	while (found && names->count < MAX_FRAMES) {
		found = add_described(names, VG_(describe_IP)(VG_(current_DiEpoch)(), address, cursor));
		if (!VG_(next_IIPC)(cursor))
			break;
	}
	if (cursor != NULL)
		VG_(delete_IIPC)(cursor);
	return found && names->count > 1;
}

static void add_frames(Names *names, Addr address, Bool is_of_no_file)
{
	names->count = 0;
	names->used = 0;
	if (add_inlined_frames(names, address))
		return;
	names->count = 0;
	names->used = 0;
	add_frame(names, address, is_of_no_file);
}

/* "function (file:line)" of a frame that add_inlined_frames found. */
static void describe_inlined(const Names *names, UInt frame, HChar *text, SizeT size)
{
	HChar function[256];
	HChar file[256];
	SizeT at = 0;
	for (UInt i = 0; i < frame; i++)
		at += names->frames[i].function_length + names->frames[i].file_length;
	const struct powercut_site_frame *one = &names->frames[frame];
	SizeT function_length = one->function_length < sizeof function ? one->function_length : sizeof function - 1;
	SizeT file_length = one->file_length < sizeof file ? one->file_length : sizeof file - 1;
	VG_(memcpy)(function, names->text + at, function_length);
	function[function_length] = 0;
	VG_(memcpy)(file, names->text + at + one->function_length, file_length);
	file[file_length] = 0;
	const HChar *slash = VG_(strrchr)(file, '/');
	VG_(snprintf)(text, (Int)size, "%s (%s:%u)", function, slash == NULL ? file : slash + 1, one->line);
}

UInt pc_describe(Addr address, UInt frame, HChar *text, SizeT size)
{
	static Names names;
	DiEpoch now = VG_(current_DiEpoch)();
	const HChar *found;
	const HChar *directory;
	UInt line;
	HChar function[256] = "an unknown function";
	names.count = 0;
	names.used = 0;
	if (add_inlined_frames(&names, address)) {
		describe_inlined(&names, frame, text, size);
		return names.count;
	}
	if (VG_(get_fnname)(now, address, &found)) {
		VG_(strncpy)(function, found, sizeof function - 1);
		function[sizeof function - 1] = 0;
	}
	if (VG_(get_filename_linenum)(now, address, &found, &directory, &line))
		VG_(snprintf)(text, (Int)size, "%s (%s:%u)", function, found, line);
	else if (VG_(get_objname)(now, address, &found))
		VG_(snprintf)(text, (Int)size, "%s (in %s)", function, found);
	else
		VG_(snprintf)(text, (Int)size, "%s", function);
	return 1;
}

static void add_source(Names *names, const Site *site)
{
	const Source *source = source_at(site->source);
	struct powercut_site_frame *frame = &names->frames[0];
	VG_(memset)(frame, 0, sizeof *frame);
	names->count = 1;
	names->used = 0;
	frame->function_length = add_text(names, source->function, TEXT_SIZE / 2);
	frame->file_length = add_text(names, module_at(site->module)->path, TEXT_SIZE / 2);
	frame->line = source->line;
}

static Bool is_excluded(const Site *site)
{
	const HChar *name;
	if (VG_(sizeXA)(pc_options.exclude) == 0)
		return False;
	if (site->source != 0)
		return pc_matches(pc_options.exclude, source_at(site->source)->function);
	return VG_(get_fnname)(VG_(current_DiEpoch)(), site->address, &name) && pc_matches(pc_options.exclude, name);
}

static void define(Site *site)
{
	static Names names;
	UInt module = module_id(site->module, site);
	if (site->source != 0)
		add_source(&names, site);
	else
		add_frames(&names, site->address, site->module == 0);
	SizeT frames_size = names.count * sizeof(struct powercut_site_frame);
	struct powercut_site_def *record = pc_append(POWERCUT_SITE_DEF, 0, VG_(get_running_tid)(),
			pc_round8(sizeof *record + frames_size + names.used));
	record->site = pc_control->next_site++;
	record->module = module;
	record->offset = site->offset;
	record->frame_count = names.count;
	record->text_length = (UInt)names.used;
	VG_(memcpy)(record + 1, names.frames, frames_size);
	VG_(memcpy)((HChar *)(record + 1) + frames_size, names.text, names.used);
	pc_commit();
	site->id = record->site;
}

UInt pc_site_id(SiteIndex index)
{
	if (sites[index].id == 0)
		define(resolved(index));
	return sites[index].id;
}

CodeOwner pc_site_owner(SiteIndex index)
{
	UInt module = resolved(index)->module;
	return module == 0 ? OF_THE_TARGET : module_at(module)->owner;
}

Bool pc_site_is_watched(SiteIndex index)
{
	CodeOwner owner = pc_site_owner(index);
	return owner == OF_THE_TARGET || owner == OF_OPENMP;
}

void pc_site_is_lock(SiteIndex index)
{
	sites[index].is_lock = True;
}

Bool pc_site_excluded(SiteIndex index)
{
	Site *site = resolved(index);
	site->excluded = is_excluded(site);
	return site->excluded;
}
