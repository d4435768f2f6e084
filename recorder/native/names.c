/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that create, delete and move files, directories and symbolic links below --pm-dir, and calls that change
 * their attributes.
 *
 * A call that names something below --pm-dir is kept from blocking, and holds the trace's lock from the look at what is
 * there to its records, like the writes in syscalls.c. So what was there before the call is still there when it runs.
 */
#include "names.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "attributes.h"
#include "core_api.h"
#include "events.h"
#include "files.h"
#include "kernel.h"
#include "kernel_abi.h"
#include "memory.h"
#include "options.h"
#include "paths.h"
#include "reads.h"
#include "trace.h"

#define O_TMPFILE_ 020200000
#define AT_SYMLINK_FOLLOW_ 0x400
#define RENAME_EXCHANGE_ 2
#define EXCHANGE_NAME ".powercut-exchange"

/* Something with a name, as it is before the call. */
typedef struct {
	Bool below; /* its directory lies below --pm-dir, or is it */
	Bool lost; /* there is no such directory, unless another thread is creating it */
	Bool exists;
	struct vg_stat status;
	UInt file; /* a regular file below --pm-dir: its id */
	HChar path[PATH_SIZE]; /* absolute */
} Entry;

/* The current call. While it runs, no other thread of this process does, so one is enough. */
static struct {
	Bool busy;
	ThreadId tid;
	Entry entry;
	Entry other;
	Int target; /* whose attributes change */
} call;

static const HChar *relative(const Entry *entry)
{
	return pc_relative(entry->path);
}

static const HChar *below(const Entry *entry)
{
	return entry->below ? relative(entry) : NULL;
}

/* -------------------------------------------------------------- entries */

static void look(Entry *entry)
{
	entry->exists = False;
	if (entry->lost)
		return;
	SysRes opened = VG_(open)(entry->path, O_PATH_ | O_NOFOLLOW_ | VKI_O_CLOEXEC, 0);
	entry->file = 0;
	entry->exists = !sr_isError(opened) && VG_(fstat)((Int)sr_Res(opened), &entry->status) == 0;
	if (!sr_isError(opened))
		VG_(close)((Int)sr_Res(opened));
}

/*
 * Finds out what (dirfd, path) names; False when that is of no interest. What is missing now must still be missing when
 * the call runs.
 */
static Bool find(Entry *entry, Int dirfd, UWord path)
{
	HChar text[PATH_SIZE];
	entry->below = False;
	entry->exists = False;
	entry->lost = False;
	entry->path[0] = 0;
	if (!pc_copy_text(path, text))
		return False;
	entry->lost = !pc_absolute(dirfd, text, entry->path);
	const HChar *below = entry->lost ? NULL : relative(entry);
	entry->below = below != NULL && below[0] != 0;
	return entry->below || entry->lost;
}

/* The entry becomes what the symbolic link leads to. */
static Bool follow(Entry *entry)
{
	SysRes opened = VG_(open)(entry->path, O_PATH_ | VKI_O_CLOEXEC, 0);
	Bool found = !sr_isError(opened) && pc_path_of_fd((Int)sr_Res(opened), entry->path);
	if (!sr_isError(opened))
		VG_(close)((Int)sr_Res(opened));
	const HChar *inside = found ? relative(entry) : NULL;
	entry->below = inside != NULL && inside[0] != 0;
	return entry->below;
}

/* A regular file below --pm-dir gets its id while it still has its name. */
static void define(ThreadId tid, Entry *entry)
{
	if (!entry->below || !entry->exists || !VKI_S_ISREG(entry->status.mode))
		return;
	entry->file = pc_file_known(entry->status.dev, entry->status.ino);
	if (entry->file == 0)
		entry->file = pc_file_define(tid, &entry->status, relative(entry), (ULong)entry->status.size, 0);
	if (entry->status.nlink > 1)
		pc_file_gets_name(entry->file);
}

static void begin(ThreadId tid)
{
	call.busy = True;
	call.tid = tid;
	call.target = -1;
	pc_lock();
}

static void finish(void)
{
	if (call.target >= 0)
		VG_(close)(call.target);
	call.busy = False;
	pc_unlock();
}

/* -------------------------------------------------------------- records */

static void append_file_path(ThreadId tid, UInt kind, UInt flags, UInt file, const HChar *path)
{
	SizeT length = VG_(strlen)(path);
	if (!pc_options.record)
		return;
	struct powercut_file_path *record = pc_append(kind, flags, tid, pc_round8(sizeof *record + length));
	record->file = file;
	record->path_length = (UInt)length;
	VG_(memcpy)(record->path, path, length);
	pc_commit();
}

static void append_paths(ThreadId tid, UInt kind, const HChar *path, const HChar *other)
{
	SizeT length = VG_(strlen)(path);
	SizeT other_length = VG_(strlen)(other);
	if (!(kind == POWERCUT_DIR_RENAME ? pc_records_files() : pc_options.record))
		return;
	struct powercut_paths *record = pc_append(kind, 0, tid, pc_round8(sizeof *record + length + other_length));
	record->path_length = (UInt)length;
	record->other_length = (UInt)other_length;
	VG_(memcpy)(record->path, path, length);
	VG_(memcpy)(record->path + length, other, other_length);
	pc_commit();
}

/* A name below --pm-dir was removed. */
static void append_gone(ThreadId tid, const Entry *entry)
{
	Bool has_names = entry->file != 0 && entry->status.nlink > 1;
	if (VKI_S_ISDIR(entry->status.mode)) {
		append_paths(tid, POWERCUT_DIR_DELETE, relative(entry), "");
		return;
	}
	if (entry->file != 0 && !has_names)
		pc_file_deleted(entry->status.dev, entry->status.ino);
	append_file_path(tid, POWERCUT_FILE_DELETE, has_names ? POWERCUT_DELETE_HAS_NAMES : 0, entry->file,
			relative(entry));
}

static void append_symlink(ThreadId tid, const HChar *at, const HChar *path)
{
	HChar target[PATH_SIZE];
	SSizeT length = VG_(readlink)(at, target, PATH_SIZE - 1);
	if (length < 0)
		return;
	target[length] = 0;
	append_paths(tid, POWERCUT_SYMLINK, path, target);
	pc_attributes_at(tid, at, path);
}

/* A file from elsewhere got a name below --pm-dir: a new file, and its content is a store. */
static void adopt(ThreadId tid, const Entry *entry)
{
	Int fd = VG_(fd_open)(entry->path, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
	if (fd < 0)
		pc_give_up("cannot read %s, which the target moved into --pm-dir", entry->path);
	UInt before = pc_file_known(entry->status.dev, entry->status.ino);
	if (before != 0)
		pc_read(tid, before, 0, (ULong)entry->status.size); /* it had left, and continues with another id */
	UInt file = pc_file_define(tid, &entry->status, relative(entry), 0, POWERCUT_FILE_NEW);
	pc_attributes_append(tid, fd, file, "");
	if (entry->status.size > 0) {
		pc_append_resize(tid, file, (ULong)entry->status.size);
		pc_file_store(tid, fd, file, 0, (ULong)entry->status.size, 0);
	}
	VG_(close)(fd);
	pc_file_adopted(tid);
}

/* A name below --pm-dir for a file from elsewhere, or for one that has or had another name below. */
static void comes_in(ThreadId tid, const Entry *entry)
{
	UInt file = pc_file_known(entry->status.dev, entry->status.ino);
	if (file == 0 || pc_file_has_left(file)) {
		adopt(tid, entry);
		return;
	}
	pc_file_gets_name(file);
	append_file_path(tid, POWERCUT_FILE_LINK, 0, file, relative(entry));
}

/* ---------------------------------------------------------- open, mknod */

static Int flags_of_open(UInt number, const UWord *args)
{
	if (number == __NR_creat)
		return VKI_O_CREAT | VKI_O_WRONLY | VKI_O_TRUNC;
	return (Int)args[number == __NR_openat ? 2 : 1];
}

static Bool is_unnamed(Int flags)
{
	return (flags & O_TMPFILE_) == O_TMPFILE_;
}

/* Says what the call will change, unless it is going to fail. */
static void announce_open(ThreadId tid, Int flags)
{
	Entry *entry = &call.entry;
	if (!entry->exists && (flags & VKI_O_CREAT) != 0 && relative(entry) != NULL)
		pc_metadata(tid, POWERCUT_CREATE, True, relative(entry), NULL);
	else if (entry->exists && (flags & VKI_O_TRUNC) != 0 && (flags & VKI_O_EXCL) == 0 && entry->status.size > 0 &&
			follow(entry))
		pc_metadata(tid, POWERCUT_RESIZE, False, relative(entry), NULL);
}

static void before_open(ThreadId tid, UInt number, const UWord *args)
{
	Int flags = flags_of_open(number, args);
	Int dirfd = number == __NR_openat ? (Int)args[0] : AT_FDCWD_;
	UWord path = args[number == __NR_openat ? 1 : 0];
	HChar text[PATH_SIZE];
	struct vg_stat status;
	if ((flags & (VKI_O_CREAT | VKI_O_TRUNC)) == 0 || is_unnamed(flags))
		return;
	call.entry.exists = False;
	if (!pc_copy_text(path, text))
		return;
	if (!pc_absolute(dirfd, text, call.entry.path)) { /* so that no other thread creates its directory just now */
		begin(tid);
		return;
	}
	/* The last part may be a link into or out of --pm-dir: once the file is open, its path is known. */
	Bool exists = !sr_isError(VG_(stat)(call.entry.path, &status));
	if (exists ? status.dev != pc_pm_device() || !VKI_S_ISREG(status.mode)
			   : relative(&call.entry) == NULL && VG_(readlink)(call.entry.path, text, PATH_SIZE) < 0)
		return;
	begin(tid);
	call.entry.exists = !sr_isError(VG_(stat)(call.entry.path, &call.entry.status));
	announce_open(tid, flags);
}

static void after_open(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	Int flags = flags_of_open(number, args);
	Bool busy = call.busy && call.tid == tid;
	struct vg_stat status;
	if (!sr_isError(result) && VG_(fstat)((Int)sr_Res(result), &status) == 0) {
		Bool is_new = is_unnamed(flags) || (busy && !call.entry.exists);
		Bool cut = busy && call.entry.exists && (flags & VKI_O_TRUNC) != 0 && call.entry.status.size > 0;
		UInt file = pc_file_of(tid, (Int)sr_Res(result), &status,
				is_new ? 0 : (ULong)(cut ? call.entry.status.size : status.size), is_new);
		if (file != 0 && is_new)
			pc_attributes_append(tid, (Int)sr_Res(result), file, "");
		if (file != 0 && cut) {
			pc_append_resize(tid, file, 0);
			pc_attributes_after_write(tid, (Int)sr_Res(result), file, call.entry.status.mode);
		}
	}
	if (busy)
		finish();
}

static void after_mknod(ThreadId tid)
{
	look(&call.entry);
	if (call.entry.exists && VKI_S_ISREG(call.entry.status.mode))
		pc_file_define(tid, &call.entry.status, relative(&call.entry), 0, POWERCUT_FILE_NEW);
	pc_attributes_at(tid, call.entry.path, relative(&call.entry));
}

static void after_mkdir(ThreadId tid)
{
	append_paths(tid, POWERCUT_DIR_CREATE, relative(&call.entry), "");
	pc_attributes_at(tid, call.entry.path, relative(&call.entry));
}

/* --------------------------------------------------------------- rename */

/* Two names of one file: a rename does nothing. */
static Bool is_same(const Entry *a, const Entry *b)
{
	return a->exists && b->exists && a->status.ino == b->status.ino && a->status.dev == b->status.dev;
}

static void before_rename(ThreadId tid, Int old_dirfd, UWord old_path, Int new_dirfd, UWord new_path)
{
	Bool from = find(&call.entry, old_dirfd, old_path);
	Bool to = find(&call.other, new_dirfd, new_path);
	if (!from && !to)
		return;
	begin(tid);
	look(&call.entry);
	look(&call.other);
	define(tid, &call.entry);
	define(tid, &call.other);
	if (call.entry.exists && !is_same(&call.entry, &call.other))
		pc_metadata(tid, POWERCUT_RENAME, False, below(&call.entry), below(&call.other));
}

/* The entry moves from one path to another, both below --pm-dir. `at` is where it is now. */
static void append_move(ThreadId tid, const Entry *entry, const HChar *from, const HChar *to, const HChar *at)
{
	if (VKI_S_ISDIR(entry->status.mode)) {
		append_paths(tid, POWERCUT_DIR_RENAME, from, to);
	} else if (entry->file == 0) {
		if (VKI_S_ISLNK(entry->status.mode))
			append_symlink(tid, at, to);
		append_file_path(tid, POWERCUT_FILE_DELETE, 0, 0, from);
	} else if (pc_file_has_more_names(entry->file) || entry->status.nlink > 1) { /* it would not say which name */
		append_file_path(tid, POWERCUT_FILE_LINK, 0, entry->file, to);
		append_file_path(tid, POWERCUT_FILE_DELETE, POWERCUT_DELETE_HAS_NAMES, entry->file, from);
		pc_file_gets_name(entry->file);
	} else {
		append_file_path(tid, POWERCUT_FILE_RENAME, 0, entry->file, to);
	}
}

static void refuse_directory(const Entry *entry)
{
	if (VKI_S_ISDIR(entry->status.mode))
		pc_give_up(
				"the target moved the directory %s into or out of --pm-dir (%s), which the recorder cannot follow; move "
				"its files one by one, or have both places below --pm-dir",
				entry->path, pc_options.pm_dir);
}

static void after_exchange(ThreadId tid)
{
	const Entry *a = &call.entry;
	const Entry *b = &call.other;
	if (!a->below || !b->below)
		pc_give_up(
				"the target exchanged %s and %s (renameat2), of which one is not below --pm-dir; the recorder cannot "
				"follow that",
				a->path, b->path);
	append_move(tid, a, relative(a), EXCHANGE_NAME, b->path);
	append_move(tid, b, relative(b), relative(a), a->path);
	append_move(tid, a, EXCHANGE_NAME, relative(b), b->path);
}

static void after_rename(ThreadId tid, UWord flags)
{
	const Entry *from = &call.entry;
	Entry *to = &call.other;
	if (is_same(from, to))
		return;
	if ((flags & RENAME_EXCHANGE_) != 0) {
		after_exchange(tid);
		return;
	}
	if (to->below && to->exists)
		append_gone(tid, to);
	if (from->below && to->below) {
		append_move(tid, from, relative(from), relative(to), to->path);
		return;
	}
	refuse_directory(from);
	if (from->below) {
		if (from->file != 0 && from->status.nlink > 1) { /* its other names stay */
			append_file_path(tid, POWERCUT_FILE_DELETE, POWERCUT_DELETE_HAS_NAMES, from->file, relative(from));
		} else if (from->file != 0) {
			append_file_path(tid, POWERCUT_FILE_RENAME, POWERCUT_PATH_OUTSIDE, from->file, to->path);
			pc_file_left(from->file);
		} else
			append_file_path(tid, POWERCUT_FILE_DELETE, 0, 0, relative(from));
		return;
	}
	look(to);
	if (VKI_S_ISLNK(to->status.mode))
		append_symlink(tid, to->path, relative(to));
	else if (to->exists && VKI_S_ISREG(to->status.mode))
		comes_in(tid, to);
}

/* ----------------------------------------------------------------- link */

static void before_link(ThreadId tid, Int old_dirfd, UWord old_path, Int new_dirfd, UWord new_path, UWord flags)
{
	Bool from = find(&call.entry, old_dirfd, old_path);
	if ((flags & AT_SYMLINK_FOLLOW_) != 0 && !call.entry.lost && call.entry.path[0] != 0)
		from = follow(&call.entry);
	Bool to = find(&call.other, new_dirfd, new_path);
	if (!from && !to)
		return;
	begin(tid);
	if (from)
		look(&call.entry);
	define(tid, &call.entry);
	look(&call.other);
	if (call.other.below && !call.other.exists) /* what has no name yet was made with O_TMPFILE */
		pc_metadata(tid, POWERCUT_LINK, False, call.entry.exists ? below(&call.entry) : NULL, below(&call.other));
}

static void after_link(ThreadId tid)
{
	Entry *to = &call.other;
	look(to);
	if (!to->exists)
		return;
	if (VKI_S_ISLNK(to->status.mode)) {
		if (to->below)
			append_symlink(tid, to->path, relative(to));
		return;
	}
	UInt file = pc_file_known(to->status.dev, to->status.ino);
	if (to->below && VKI_S_ISREG(to->status.mode)) {
		comes_in(tid, to);
	} else if (file != 0) {
		pc_file_gets_name(file);
		append_file_path(tid, POWERCUT_FILE_LINK, POWERCUT_PATH_OUTSIDE, file, to->path);
	}
}

/* --------------------------------------------------- one name, one change */

static void before_unlink(ThreadId tid, Int dirfd, UWord path)
{
	if (!find(&call.entry, dirfd, path))
		return;
	begin(tid);
	look(&call.entry);
	define(tid, &call.entry);
	if (call.entry.exists)
		pc_metadata(tid, POWERCUT_UNLINK, False, below(&call.entry), NULL);
}

static void before_creation(ThreadId tid, Int dirfd, UWord path)
{
	if (!find(&call.entry, dirfd, path))
		return;
	begin(tid);
	look(&call.entry);
	if (call.entry.below && !call.entry.exists)
		pc_metadata(tid, POWERCUT_CREATE, True, below(&call.entry), NULL);
}

static void before_attributes(ThreadId tid, UInt number, const UWord *args)
{
	Int target = pc_attributes_target(number, args);
	if (target < 0)
		return;
	begin(tid);
	call.target = target;
}

/* ------------------------------------------------------------- dispatch */

static void before_change(ThreadId tid, UInt number, const UWord *args)
{
	switch (number) {
	case __NR_open:
	case __NR_openat:
	case __NR_creat: before_open(tid, number, args); break;
	case __NR_rename: before_rename(tid, AT_FDCWD_, args[0], AT_FDCWD_, args[1]); break;
	case __NR_renameat:
	case __NR_renameat2: before_rename(tid, (Int)args[0], args[1], (Int)args[2], args[3]); break;
	case __NR_link: before_link(tid, AT_FDCWD_, args[0], AT_FDCWD_, args[1], 0); break;
	case __NR_linkat: before_link(tid, (Int)args[0], args[1], (Int)args[2], args[3], args[4]); break;
	case __NR_unlink:
	case __NR_rmdir: before_unlink(tid, AT_FDCWD_, args[0]); break;
	case __NR_unlinkat: before_unlink(tid, (Int)args[0], args[1]); break;
	case __NR_mkdir:
	case __NR_mknod: before_creation(tid, AT_FDCWD_, args[0]); break;
	case __NR_mkdirat:
	case __NR_mknodat: before_creation(tid, (Int)args[0], args[1]); break;
	case __NR_symlink: before_creation(tid, AT_FDCWD_, args[1]); break;
	case __NR_symlinkat: before_creation(tid, (Int)args[1], args[2]); break;
	}
}

static Bool may_change_names(UInt number)
{
	switch (number) {
	case __NR_open:
	case __NR_openat:
	case __NR_creat:
	case __NR_rename:
	case __NR_renameat:
	case __NR_renameat2:
	case __NR_link:
	case __NR_linkat:
	case __NR_unlink:
	case __NR_rmdir:
	case __NR_unlinkat:
	case __NR_mkdir:
	case __NR_mkdirat:
	case __NR_mknod:
	case __NR_mknodat:
	case __NR_symlink:
	case __NR_symlinkat: return True;
	default: return False;
	}
}

/* Under the lock, so that no other process renames a directory between the look at the path and the call. */
void pc_names_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	if (!may_change_names(number)) {
		before_attributes(tid, number, args);
		return;
	}
	pc_lock();
	before_change(tid, number, args);
	pc_unlock();
}

static void record_change(ThreadId tid, UInt number, const UWord *args)
{
	switch (number) {
	case __NR_rename:
	case __NR_renameat: after_rename(tid, 0); break;
	case __NR_renameat2: after_rename(tid, args[4]); break;
	case __NR_link:
	case __NR_linkat: after_link(tid); break;
	case __NR_unlink:
	case __NR_rmdir:
	case __NR_unlinkat: append_gone(tid, &call.entry); break;
	case __NR_mkdir:
	case __NR_mkdirat: after_mkdir(tid); break;
	case __NR_mknod:
	case __NR_mknodat: after_mknod(tid); break;
	case __NR_symlink:
	case __NR_symlinkat: append_symlink(tid, call.entry.path, relative(&call.entry)); break;
	default: break;
	}
	if (call.target >= 0)
		pc_attributes_changed(tid, call.target);
}

void pc_names_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	if (number == __NR_open || number == __NR_openat || number == __NR_creat) {
		after_open(tid, number, args, result);
		return;
	}
	if (!call.busy || call.tid != tid)
		return;
	if (!sr_isError(result))
		record_change(tid, number, args);
	finish();
}

/* -------------------------------------------- changes that must not block */

#define DEFINE_CHANGE(name) \
	void __real_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, void *status, UWord *flags) \
	{ \
		__real_##name(tid, layout, args, status, flags); \
		if (call.busy) \
			*flags &= ~(UWord)SYSCALL_FLAG_MAY_BLOCK; \
	}
#define WRAP_CHANGE(name) DEFINE_CHANGE(name)
WRAP_CHANGE(vgSysWrap_generic_sys_open_before)
WRAP_CHANGE(vgSysWrap_linux_sys_openat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_creat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_rename_before)
WRAP_CHANGE(vgSysWrap_linux_sys_renameat_before)
WRAP_CHANGE(vgSysWrap_linux_sys_renameat2_before)
WRAP_CHANGE(vgSysWrap_generic_sys_link_before)
WRAP_CHANGE(vgSysWrap_linux_sys_linkat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_unlink_before)
WRAP_CHANGE(vgSysWrap_linux_sys_unlinkat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_rmdir_before)
WRAP_CHANGE(vgSysWrap_generic_sys_mkdir_before)
WRAP_CHANGE(vgSysWrap_linux_sys_mkdirat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_mknod_before)
WRAP_CHANGE(vgSysWrap_linux_sys_mknodat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_symlink_before)
WRAP_CHANGE(vgSysWrap_linux_sys_symlinkat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_chmod_before)
WRAP_CHANGE(vgSysWrap_generic_sys_fchmod_before)
WRAP_CHANGE(vgSysWrap_linux_sys_fchmodat_before)
WRAP_CHANGE(vgSysWrap_generic_sys_chown_before)
WRAP_CHANGE(vgSysWrap_generic_sys_lchown_before)
WRAP_CHANGE(vgSysWrap_generic_sys_fchown_before)
WRAP_CHANGE(vgSysWrap_linux_sys_fchownat_before)
WRAP_CHANGE(vgSysWrap_linux_sys_setxattr_before)
WRAP_CHANGE(vgSysWrap_linux_sys_lsetxattr_before)
WRAP_CHANGE(vgSysWrap_linux_sys_fsetxattr_before)
WRAP_CHANGE(vgSysWrap_linux_sys_removexattr_before)
WRAP_CHANGE(vgSysWrap_linux_sys_lremovexattr_before)
WRAP_CHANGE(vgSysWrap_linux_sys_fremovexattr_before)
