/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modes, owners and extended attributes below --pm-dir. After each call that may have changed one, all of them are
 * read. So inherited access lists, bits that chown clears and masks that chmod sets need no rules here.
 */
#include "attributes.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "files.h"
#include "kernel_abi.h"
#include "memory.h"
#include "options.h"
#include "paths.h"
#include "trace.h"

#define AT_SYMLINK_NOFOLLOW_ 0x100
#define AT_EMPTY_PATH_ 0x1000
#define MODE_BITS 07777
#define SET_ID_BITS 06000
#define HEAD (2 * sizeof(UInt)) /* before each extended attribute: the lengths of its name and value */

/* What a path leads to, as an O_PATH descriptor; -1 when there is nothing. */
static Int name_it(Int dirfd, UWord path, Bool follow)
{
	SysRes opened = VG_(do_syscall)(__NR_openat, (UWord)(Word)dirfd, path,
			O_PATH_ | VKI_O_CLOEXEC | (follow ? 0 : O_NOFOLLOW_), 0, 0, 0, 0, 0);
	return sr_isError(opened) ? -1 : (Int)sr_Res(opened);
}

/* ------------------------------------------------------------- records */

static void too_much(Int fd)
{
	HChar path[PATH_SIZE];
	pc_give_up("%s has more than %u KiB of extended attributes, which is more than the recorder follows",
			pc_path_of_fd(fd, path) ? path : "a file", POWERCUT_MAX_EXTENDED / 1024);
}

/* All extended attributes, as in a record; their length. */
static SizeT read_extended(Int fd, UChar *to)
{
	static HChar names[POWERCUT_MAX_EXTENDED];
	HChar path[64];
	SizeT length = 0;
	VG_(sprintf)(path, "/proc/self/fd/%d", fd); /* an O_PATH descriptor has no attributes to ask for */
	SysRes listed = VG_(do_syscall)(__NR_listxattr, (UWord)path, (UWord)names, sizeof names, 0, 0, 0, 0, 0);
	if (sr_isError(listed))
		return 0; /* this file system has no extended attributes */
	for (SizeT at = 0; at < sr_Res(listed); at += VG_(strlen)(names + at) + 1) {
		UInt head[2] = {(UInt)VG_(strlen)(names + at), 0};
		SizeT before = length + HEAD + head[0];
		if (before >= POWERCUT_MAX_EXTENDED)
			too_much(fd);
		SysRes got = VG_(do_syscall)(__NR_getxattr, (UWord)path, (UWord)(names + at), (UWord)(to + before),
				POWERCUT_MAX_EXTENDED - before, 0, 0, 0, 0);
		if (sr_isError(got) && sr_Err(got) == VKI_ERANGE)
			too_much(fd);
		if (sr_isError(got))
			continue; /* it may be listed but not read */
		head[1] = (UInt)sr_Res(got);
		VG_(memcpy)(to + length, head, HEAD);
		VG_(memcpy)(to + length + HEAD, names + at, head[0]);
		length = before + head[1];
	}
	return length;
}

void pc_attributes_append(ThreadId tid, Int fd, UInt file, const HChar *path)
{
	static UChar extended[POWERCUT_MAX_EXTENDED];
	struct vg_stat status;
	if (!pc_options.record || VG_(fstat)(fd, &status) != 0)
		return;
	SizeT path_length = VG_(strlen)(path);
	pc_lock();
	SizeT extended_length = read_extended(fd, extended);
	struct powercut_attributes *record =
			pc_append(POWERCUT_ATTRIBUTES, 0, tid, pc_round8(sizeof *record + path_length + extended_length));
	record->file = file;
	record->path_length = (UInt)path_length;
	record->mode = status.mode & MODE_BITS;
	record->owner = status.uid;
	record->group = status.gid;
	record->extended_length = (UInt)extended_length;
	VG_(memcpy)(record->path, path, path_length);
	VG_(memcpy)(record->path + path_length, extended, extended_length);
	pc_commit();
	pc_unlock();
}

void pc_attributes_at(ThreadId tid, const HChar *absolute, const HChar *relative)
{
	struct vg_stat status;
	Int fd = name_it(AT_FDCWD_, (UWord)absolute, False);
	if (fd < 0 || VG_(fstat)(fd, &status) != 0)
		return;
	UInt file = VKI_S_ISREG(status.mode) ? pc_file_known(status.dev, status.ino) : 0;
	if (file != 0)
		pc_attributes_append(tid, fd, file, "");
	else if (VKI_S_ISDIR(status.mode) || VKI_S_ISLNK(status.mode))
		pc_attributes_append(tid, fd, 0, relative);
	VG_(close)(fd);
}

void pc_attributes_changed(ThreadId tid, Int fd)
{
	HChar path[PATH_SIZE];
	struct vg_stat status;
	if (VG_(fstat)(fd, &status) != 0)
		return;
	if (VKI_S_ISREG(status.mode)) {
		UInt file = pc_file_of(tid, fd, &status, (ULong)status.size, False);
		if (file != 0)
			pc_attributes_append(tid, fd, file, "");
	} else if ((VKI_S_ISDIR(status.mode) || VKI_S_ISLNK(status.mode)) && status.nlink != 0 && pc_path_of_fd(fd, path) &&
			pc_relative(path) != NULL) {
		pc_attributes_append(tid, fd, 0, pc_relative(path));
	}
}

void pc_attributes_after_write(ThreadId tid, Int fd, UInt file, UInt old_mode)
{
	struct vg_stat status;
	if ((old_mode & SET_ID_BITS) != 0 && VG_(fstat)(fd, &status) == 0 && status.mode != old_mode)
		pc_attributes_append(tid, fd, file, "");
}

/* ------------------------------------------------------- what is changed */

static Int same(Int fd)
{
	SysRes copied = VG_(dup)(fd);
	return sr_isError(copied) ? -1 : (Int)sr_Res(copied);
}

static Int target_of_fchownat(const UWord *args)
{
	HChar path[PATH_SIZE];
	if ((args[4] & AT_EMPTY_PATH_) == 0 || pc_copy_text(args[1], path))
		return name_it((Int)args[0], args[1], (args[4] & AT_SYMLINK_NOFOLLOW_) == 0);
	return (Int)args[0] == AT_FDCWD_ ? name_it(AT_FDCWD_, (UWord) ".", True) : same((Int)args[0]);
}

static Int target(UInt number, const UWord *args)
{
	switch (number) {
	case __NR_chmod:
	case __NR_chown:
	case __NR_setxattr:
	case __NR_removexattr: return name_it(AT_FDCWD_, args[0], True);
	case __NR_lchown:
	case __NR_lsetxattr:
	case __NR_lremovexattr: return name_it(AT_FDCWD_, args[0], False);
	case __NR_fchmodat: return name_it((Int)args[0], args[1], True);
	case __NR_fchownat: return target_of_fchownat(args);
	case __NR_fchmod:
	case __NR_fchown:
	case __NR_fsetxattr:
	case __NR_fremovexattr: return same((Int)args[0]);
	default: return -1;
	}
}

Int pc_attributes_target(UInt number, const UWord *args)
{
	struct vg_stat status;
	Int fd = target(number, args);
	if (fd >= 0 && VG_(fstat)(fd, &status) == 0 && status.dev == pc_pm_device())
		return fd;
	if (fd >= 0)
		VG_(close)(fd);
	return -1;
}
