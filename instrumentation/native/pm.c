/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PM files and where they are mapped. A PM file is a regular file below --pm-dir. */
#include "recorder.h"

#define HULL_SLACK 4096UL /* an unaligned store may begin this much in front of a mapping */
#define STACK_SLACK 4096UL /* a stack that begins where a mapping ends is in that mapping */
#define MAX_MAPPINGS 4096
#define FILE_HAD_NAMES 4U /* in a file's state */
#define FILE_LEFT 8U

Bool pc_stack_in_pm;

static Hull hull;

typedef struct {
	Addr start;
	SizeT size;
} AlternateStack;

static AlternateStack *alternate_stacks; /* by thread */
static Mapping mappings[MAX_MAPPINGS]; /* sorted, no overlaps */
static Int mapping_count;
static ULong pm_device;
static SizeT pm_dir_length;

/* ------------------------------------------------------------- mappings */

const Mapping *pc_mapping_from(Addr address)
{
	static Int last;
	if (last < mapping_count && mappings[last].start <= address && address < mappings[last].end)
		return &mappings[last];
	Int low = 0;
	Int high = mapping_count;
	while (low < high) {
		Int middle = (low + high) / 2;
		if (mappings[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == mapping_count)
		return NULL;
	last = low;
	return &mappings[low];
}

const Mapping *pc_mapping_at(Int index)
{
	return index < mapping_count ? &mappings[index] : NULL;
}

Int pc_mappings_in(Addr start, SizeT size, Mapping *pieces, Int limit)
{
	Addr end = start + size;
	Int count = 0;
	for (Int i = 0; i < mapping_count && count < limit; i++) {
		if (mappings[i].end <= start || mappings[i].start >= end)
			continue;
		Mapping piece = mappings[i];
		if (piece.start < start) {
			piece.offset += start - piece.start;
			piece.start = start;
		}
		if (piece.end > end)
			piece.end = end;
		pieces[count++] = piece;
	}
	return count;
}

static void update_hull(void)
{
	if (mapping_count == 0) {
		hull.length = 0;
		return;
	}
	hull.start = mappings[0].start - HULL_SLACK;
	hull.length = mappings[mapping_count - 1].end - hull.start;
}

void pc_hull_to(ThreadId tid)
{
	VG_(set_shadow_regs_area)(tid, 1, SHADOW_OFFSET_HULL - SHADOW_OFFSET_TOP, sizeof hull, (const UChar *)&hull);
}

static void look_for_stack(Addr start, Addr end)
{
	const Mapping *mapping = pc_mapping_from(start);
	if (pc_stack_in_pm || mapping == NULL || mapping->start > end)
		return;
	pc_stack_in_pm = True;
	VG_(discard_translations)(0, ~0ULL, "a stack lies in PM");
}

void pc_stack_is_at(Addr sp)
{
	look_for_stack(sp - STACK_SLACK, sp);
}

void pc_alternate_stack(ThreadId tid, Addr start, SizeT size)
{
	alternate_stacks[tid] = (AlternateStack){start, size};
	if (size != 0)
		look_for_stack(start, start + size);
}

Addr pc_end_of_alternate_stack(ThreadId tid)
{
	return alternate_stacks[tid].start + alternate_stacks[tid].size;
}

static void insert(Mapping mapping)
{
	Int at = mapping_count;
	if (mapping_count == MAX_MAPPINGS)
		pc_give_up("the target has more than %d mappings of PM files at once, which the recorder cannot follow",
				MAX_MAPPINGS);
	while (at > 0 && mappings[at - 1].start > mapping.start) {
		mappings[at] = mappings[at - 1];
		at--;
	}
	mappings[at] = mapping;
	mapping_count++;
}

static void append_map(ThreadId tid, UInt kind, UInt file, ULong offset, Addr start, SizeT size)
{
	if (!pc_options.record)
		return;
	pc_lock();
	struct powercut_map *record = pc_append(kind, 0, tid, sizeof *record);
	record->file = file;
	record->pid = (UInt)VG_(getpid)();
	record->offset = offset;
	record->address = start;
	record->size = size;
	pc_commit();
	pc_unlock();
}

/* Takes [start, end) out of the table; what is left of a mapping on both sides stays. */
static Bool cut_out(Addr start, Addr end)
{
	Bool found = False;
	for (Int i = 0; i < mapping_count;) {
		Mapping old = mappings[i];
		if (old.end <= start || old.start >= end) {
			i++;
			continue;
		}
		found = True;
		mapping_count--;
		for (Int k = i; k < mapping_count; k++)
			mappings[k] = mappings[k + 1];
		if (old.start < start) {
			Mapping left = old;
			left.end = start;
			insert(left);
			i++;
		}
		if (old.end > end) {
			Mapping right = old;
			right.start = end;
			right.offset += end - old.start;
			insert(right);
			i++;
		}
	}
	return found;
}

void pc_mapping_remove(ThreadId tid, Addr start, SizeT size)
{
	SizeT pages = (size + VKI_PAGE_SIZE - 1) & ~(SizeT)(VKI_PAGE_SIZE - 1);
	if (!cut_out(start, start + pages))
		return;
	update_hull();
	append_map(tid, POWERCUT_UNMAP, 0, 0, start, pages);
}

static void count_mapped_file(UInt file)
{
	for (UInt i = 0; i < POWERCUT_MAX_FILES; i++) {
		if (pc_control->files[i].id == file && (pc_control->files[i].state & 2) == 0) {
			pc_control->files[i].state |= 2;
			pc_control->mapped_files++;
		}
	}
}

void pc_mapping_add(ThreadId tid, Addr start, SizeT size, UInt file, ULong offset)
{
	SizeT pages = (size + VKI_PAGE_SIZE - 1) & ~(SizeT)(VKI_PAGE_SIZE - 1);
	Mapping mapping = {start, start + pages, file, offset};
	insert(mapping);
	update_hull();
	pc_stack_is_at(VG_(get_SP)(tid));
	for (ThreadId other = 1; other < VG_N_THREADS && !pc_stack_in_pm; other++) {
		if (alternate_stacks[other].size != 0)
			look_for_stack(alternate_stacks[other].start, pc_end_of_alternate_stack(other));
	}
	count_mapped_file(file);
	append_map(tid, POWERCUT_MAP, file, offset, start, pages);
}

/* ---------------------------------------------------------------- paths */

Bool pc_path_of_fd(Int fd, HChar *result)
{
	HChar link[64];
	VG_(sprintf)(link, "/proc/self/fd/%d", fd);
	SSizeT length = VG_(readlink)(link, result, PATH_SIZE - 1);
	if (length <= 0)
		return False;
	result[length] = 0;
	return result[0] == '/';
}

Bool pc_absolute(Int dirfd, const HChar *path, HChar *result)
{
	HChar parent[PATH_SIZE];
	SizeT length = VG_(strlen)(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	SizeT slash = length;
	while (slash > 0 && path[slash - 1] != '/')
		slash--;
	if (length == 0 || length >= PATH_SIZE)
		return False;
	VG_(memcpy)(parent, path, slash);
	parent[slash] = 0;
	SysRes opened = VG_(do_syscall)(__NR_openat, (UWord)(Word)dirfd, (UWord)(slash == 0 ? "." : parent),
			010000000 /* O_PATH */ | 0200000 /* O_DIRECTORY */ | VKI_O_CLOEXEC, 0, 0, 0, 0, 0);
	if (sr_isError(opened))
		return False;
	Bool found = pc_path_of_fd((Int)sr_Res(opened), result);
	VG_(close)((Int)sr_Res(opened));
	SizeT at = VG_(strlen)(result);
	if (!found || at + 1 + (length - slash) >= PATH_SIZE)
		return False;
	if (at > 1)
		result[at++] = '/';
	VG_(memcpy)(result + at, path + slash, length - slash);
	result[at + length - slash] = 0;
	return True;
}

const HChar *pc_relative(const HChar *absolute)
{
	if (VG_(strncmp)(absolute, pc_options.pm_dir, pm_dir_length) != 0)
		return NULL;
	if (absolute[pm_dir_length] == 0)
		return absolute + pm_dir_length;
	return absolute[pm_dir_length] == '/' ? absolute + pm_dir_length + 1 : NULL;
}

void pc_pm_init(void)
{
	HChar path[PATH_SIZE];
	struct vg_stat status;
	Int fd = VG_(fd_open)(pc_options.pm_dir, 0200000 /* O_DIRECTORY */, 0);
	if (fd < 0 || VG_(fstat)(fd, &status) != 0 || !pc_path_of_fd(fd, path))
		pc_give_up("--pm-dir=%s is not a directory that can be opened", pc_options.pm_dir);
	VG_(close)(fd);
	pm_device = status.dev;
	pc_options.pm_dir = VG_(strdup)("pc.pm_dir", path);
	pm_dir_length = VG_(strlen)(path);
	alternate_stacks = VG_(calloc)("pc.alternate_stacks", VG_N_THREADS, sizeof(AlternateStack));
}

ULong pc_pm_device(void)
{
	return pm_device;
}

/* ---------------------------------------------------------------- files */

UInt pc_file_known(ULong device, ULong inode)
{
	for (UInt i = 0; i + 1 < pc_control->next_file && i < POWERCUT_MAX_FILES; i++) {
		if (pc_control->files[i].inode == inode && pc_control->files[i].device == device)
			return pc_control->files[i].id;
	}
	return 0;
}

void pc_file_deleted(ULong device, ULong inode)
{
	for (UInt i = 0; i + 1 < pc_control->next_file && i < POWERCUT_MAX_FILES; i++) {
		if (pc_control->files[i].inode == inode && pc_control->files[i].device == device)
			pc_control->files[i].state |= 1;
	}
}

void pc_file_gets_name(UInt file)
{
	pc_control->files[file - 1].state = (pc_control->files[file - 1].state & ~1U) | FILE_HAD_NAMES;
}

void pc_file_left(UInt file)
{
	pc_control->files[file - 1].state |= FILE_LEFT;
}

Bool pc_file_has_left(UInt file)
{
	return (pc_control->files[file - 1].state & FILE_LEFT) != 0;
}

Bool pc_file_has_more_names(UInt file)
{
	return (pc_control->files[file - 1].state & FILE_HAD_NAMES) != 0;
}

/*
 * A number that was a deleted file's may come back as a new file's: the old one keeps its id, but is not found any
 * more.
 */
static void forget_reused(const struct vg_stat *status)
{
	for (UInt i = 0; i + 1 < pc_control->next_file && i < POWERCUT_MAX_FILES; i++) {
		if (pc_control->files[i].inode == status->ino && pc_control->files[i].device == status->dev)
			pc_control->files[i].inode = 0;
	}
}

UInt pc_file_define(ThreadId tid, const struct vg_stat *status, const HChar *relative, ULong size, UInt flags)
{
	SizeT path_length = VG_(strlen)(relative);
	pc_lock();
	UInt id = pc_file_known(status->dev, status->ino);
	if (id != 0 && (flags & POWERCUT_FILE_NEW) == 0) {
		pc_unlock();
		return id; /* another process was first */
	}
	forget_reused(status);
	if (pc_control->next_file > POWERCUT_MAX_FILES)
		pc_give_up("the target uses more than %d files below %s, which the recorder cannot follow", POWERCUT_MAX_FILES,
				pc_options.pm_dir);
	id = pc_control->next_file++;
	struct powercut_file *file = &pc_control->files[id - 1];
	file->device = status->dev;
	file->inode = status->ino;
	file->id = id;
	file->state = status->nlink > 1 ? FILE_HAD_NAMES : 0;
	pc_control->seen_files++;
	if (pc_records_files()) {
		struct powercut_file_def *record =
				pc_append(POWERCUT_FILE_DEF, flags, tid, pc_round8(sizeof *record + path_length));
		record->file = id;
		record->path_length = (UInt)path_length;
		record->size = size;
		VG_(memcpy)(record->path, relative, path_length);
		pc_commit();
	}
	pc_unlock();
	return id;
}

UInt pc_file_of(ThreadId tid, Int fd, const struct vg_stat *status, ULong size, Bool is_new)
{
	HChar path[PATH_SIZE];
	if (status->dev != pm_device || !VKI_S_ISREG(status->mode))
		return 0;
	UInt known = is_new ? 0 : pc_file_known(status->dev, status->ino);
	/* A number that was a deleted file's may be that of any file now. */
	Bool doubtful = known != 0 && (pc_control->files[known - 1].state & 1) != 0 && status->nlink > 0;
	if (known != 0 && !doubtful)
		return known;
	if (!pc_path_of_fd(fd, path))
		return 0;
	const HChar *relative = pc_relative(path);
	if (doubtful) {
		if (relative == NULL)
			return 0;
		forget_reused(status);
	}
	if (relative == NULL)
		return 0;
	UInt flags = is_new ? POWERCUT_FILE_NEW : 0;
	if (status->nlink == 0) {
		flags |= POWERCUT_FILE_UNNAMED;
		relative = "";
	}
	return pc_file_define(tid, status, relative, size, flags);
}

UInt pc_file_of_fd(ThreadId tid, Int fd, Bool is_new)
{
	struct vg_stat status;
	if (fd < 0 || VG_(fstat)(fd, &status) != 0)
		return 0;
	return pc_file_of(tid, fd, &status, (ULong)status.size, is_new);
}
