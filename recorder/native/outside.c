/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ordinary files that the target makes durable although they are no PM files. No injected crash affects them, so the
 * report must mention them. Only system calls are counted, by process, for the first files of each. A file is recorded
 * once at its first sync, since a killed process says no more, and the rest when the process ends or runs another
 * program.
 */
#include "outside.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "options.h"
#include "paths.h"
#include "trace.h"

#define MOST_FILES 16

typedef struct {
	ULong device;
	ULong inode;
	HChar *path;
	ULong written; /* calls since it was made durable */
	ULong persisted; /* calls that were made durable and are not recorded yet */
	Bool is_reported;
} OutsideFile;

static OutsideFile files[MOST_FILES];
static Int file_count;

static OutsideFile *find(ULong device, ULong inode)
{
	for (Int i = 0; i < file_count; i++) {
		if (files[i].device == device && files[i].inode == inode)
			return &files[i];
	}
	return NULL;
}

static OutsideFile *add(ULong device, ULong inode, const HChar *path)
{
	if (file_count == MOST_FILES)
		return NULL;
	OutsideFile *file = &files[file_count++];
	file->device = device;
	file->inode = inode;
	file->path = VG_(strdup)("pc.outside", path);
	return file;
}

static void report(ThreadId tid, OutsideFile *file)
{
	if (file->persisted == 0)
		return;
	SizeT path_length = VG_(strlen)(file->path);
	pc_lock();
	struct powercut_outside *record = pc_append(POWERCUT_OUTSIDE, 0, tid, pc_round8(sizeof *record + path_length));
	record->path_length = (UInt)path_length;
	record->times = file->persisted;
	VG_(memcpy)(record->path, file->path, path_length);
	pc_commit();
	pc_unlock();
	file->persisted = 0;
	file->is_reported = True;
}

static void persist(ThreadId tid, OutsideFile *file, ULong times)
{
	file->persisted += times;
	if (!file->is_reported)
		report(tid, file);
}

void pc_outside_write(Int fd)
{
	struct vg_stat status;
	HChar path[PATH_SIZE];
	if (!pc_options.record || fd < 0 || VG_(fstat)(fd, &status) != 0 || !VKI_S_ISREG(status.mode))
		return;
	OutsideFile *file = find(status.dev, status.ino);
	if (file == NULL && pc_path_of_fd(fd, path))
		file = add(status.dev, status.ino, path);
	if (file != NULL)
		file->written++;
}

void pc_outside_sync(ThreadId tid, const struct vg_stat *status)
{
	OutsideFile *file = find(status->dev, status->ino);
	if (file == NULL || file->written == 0)
		return;
	ULong times = file->written;
	file->written = 0;
	persist(tid, file, times);
}

void pc_outside_msync(ThreadId tid, Addr address)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	if (!pc_options.record || segment == NULL || segment->kind != SkFileC)
		return;
	OutsideFile *file = find(segment->dev, segment->ino);
	const HChar *path = VG_(am_get_filename)(segment);
	if (file == NULL && path != NULL)
		file = add(segment->dev, segment->ino, path);
	if (file != NULL)
		persist(tid, file, 1);
}

void pc_outside_end(ThreadId tid)
{
	for (Int i = 0; i < file_count; i++)
		report(tid, &files[i]);
}

void pc_outside_after_fork_in_child(void)
{
	for (Int i = 0; i < file_count; i++) {
		files[i].written = 0;
		files[i].persisted = 0;
	}
}
