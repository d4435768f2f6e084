/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PM files: the regular files below --pm-dir. Their table is in the control file, so every process of the execution
 * gives a file the same id.
 */
#include "files.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"

#include "options.h"
#include "paths.h"
#include "trace.h"

/* Bits of a file's state. */
#define FILE_DELETED 1U
#define FILE_WAS_MAPPED 2U
#define FILE_HAD_NAMES 4U
#define FILE_LEFT 8U

static struct powercut_file *file_with(UInt id)
{
	return &pc_control->files[id - 1];
}

static UInt *bucket_of(ULong device, ULong inode)
{
	ULong hash = (inode * 0x9e3779b97f4a7c15ULL) ^ device;
	return &pc_control->buckets[(hash ^ hash >> 32) % POWERCUT_FILE_BUCKETS];
}

/*
 * Looks without the lock, too: files are added at a bucket's front, and one that is taken out still leads to those
 * behind it.
 */
UInt pc_file_known(ULong device, ULong inode)
{
	UInt id = __atomic_load_n(bucket_of(device, inode), __ATOMIC_ACQUIRE);
	while (id != 0 && (file_with(id)->inode != inode || file_with(id)->device != device))
		id = __atomic_load_n(&file_with(id)->next, __ATOMIC_ACQUIRE);
	return id;
}

void pc_file_deleted(ULong device, ULong inode)
{
	UInt id = pc_file_known(device, inode);
	if (id != 0)
		file_with(id)->state |= FILE_DELETED;
}

void pc_file_is_mapped(UInt file)
{
	if ((file_with(file)->state & FILE_WAS_MAPPED) != 0)
		return;
	file_with(file)->state |= FILE_WAS_MAPPED;
	pc_control->mapped_files++;
}

void pc_file_gets_name(UInt file)
{
	file_with(file)->state = (file_with(file)->state & ~FILE_DELETED) | FILE_HAD_NAMES;
}

void pc_file_left(UInt file)
{
	file_with(file)->state |= FILE_LEFT;
}

Bool pc_file_has_left(UInt file)
{
	return (file_with(file)->state & FILE_LEFT) != 0;
}

Bool pc_file_has_more_names(UInt file)
{
	return (file_with(file)->state & FILE_HAD_NAMES) != 0;
}

/*
 * A number that was a deleted file's may come back as a new file's: the old one keeps its id, but is not found any
 * more.
 */
static void forget_reused(const struct vg_stat *status)
{
	UInt *link = bucket_of(status->dev, status->ino);
	pc_lock();
	while (*link != 0 && (file_with(*link)->inode != status->ino || file_with(*link)->device != status->dev))
		link = &file_with(*link)->next;
	if (*link != 0)
		__atomic_store_n(link, file_with(*link)->next, __ATOMIC_RELEASE);
	pc_unlock();
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
		pc_give_up(
				"the target uses more than %d files below %s in one run, counting those that it deleted; the limit is "
				"Powercut's: use a smaller workload",
				POWERCUT_MAX_FILES, pc_options.pm_dir);
	id = pc_control->next_file++;
	struct powercut_file *file = file_with(id);
	UInt *first = bucket_of(status->dev, status->ino);
	pc_control_grows((SizeT)((HChar *)(file + 1) - (HChar *)pc_control));
	file->device = status->dev;
	file->inode = status->ino;
	file->state = status->nlink > 1 ? FILE_HAD_NAMES : 0;
	file->next = *first;
	__atomic_store_n(first, id, __ATOMIC_RELEASE);
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
	if (status->dev != pc_pm_device() || !VKI_S_ISREG(status->mode))
		return 0;
	UInt known = is_new ? 0 : pc_file_known(status->dev, status->ino);
	/* A number that was a deleted file's may be that of any file now. */
	Bool doubtful = known != 0 && (file_with(known)->state & FILE_DELETED) != 0 && status->nlink > 0;
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

void pc_append_resize(ThreadId tid, UInt file, ULong size)
{
	if (!pc_options.record)
		return;
	pc_lock();
	struct powercut_file_resize *record = pc_append(POWERCUT_FILE_RESIZE, 0, tid, sizeof *record);
	record->file = file;
	record->size = size;
	pc_commit();
	pc_unlock();
}
