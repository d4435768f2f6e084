/* SPDX-License-Identifier: Apache-2.0
 *
 * A directory that is not empty is moved up to the top before it is looked into. So neither the stack nor the number of
 * open files nor the length of a path bounds the depth, and no way back up has to be found that somebody could have
 * moved.
 */
#include "removal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define OWNER_ALL 0700

struct removal {
	int top;
	dev_t device;
	unsigned long moved; /* how many directories were moved up, for their new names */
	int progress; /* something was removed or moved in this pass */
	struct removal_failure *failure;
};

static void fail(struct removal *removal, const char *name, int error)
{
	if (removal->failure->error == 0) {
		removal->failure->error = error;
		snprintf(removal->failure->name, sizeof removal->failure->name, "%s", name);
	}
}

/* "Immutable" and "append only" bind even root, but root may clear them. */
static void clear_flags(int file)
{
	int flags;
	if (ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 && (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL))) {
		flags &= ~(FS_IMMUTABLE_FL | FS_APPEND_FL);
		(void)ioctl(file, FS_IOC_SETFLAGS, &flags);
	}
}

/* Opens a directory, after permitting it to its owner. Returns -1 when it is none; a link to one is none. */
static int open_directory(int parent, const char *name)
{
	struct stat status;
	int place = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (place < 0) {
		return -1;
	}
	if (fstat(place, &status) == 0 && (status.st_mode & OWNER_ALL) != OWNER_ALL) {
		char self[64];
		snprintf(self, sizeof self, "/proc/self/fd/%d", place);
		(void)chmod(self, OWNER_ALL); /* on failure, opening says why */
	}
	int directory = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = errno;
	close(place);
	errno = error;
	return directory;
}

static int unlink_at(int directory, const char *name, int flags, mode_t mode)
{
	if (unlinkat(directory, name, flags) == 0 || errno == ENOENT) {
		return 0;
	}
	if (errno != EPERM || !(S_ISREG(mode) || S_ISDIR(mode))) {
		return -1;
	}
	int entry = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (entry >= 0) {
		clear_flags(entry);
		close(entry);
	}
	clear_flags(directory);
	return unlinkat(directory, name, flags) == 0 || errno == ENOENT ? 0 : -1;
}

/* Moves it to the top, under an unused name. */
static int move_up(struct removal *removal, int directory, const char *name)
{
	char fresh[32];
	do {
		snprintf(fresh, sizeof fresh, "moved-up-%lu", removal->moved++);
		if (renameat2(directory, name, removal->top, fresh, RENAME_NOREPLACE) == 0) {
			return 0;
		}
	} while (errno == EEXIST);
	return -1;
}

static void remove_entry(struct removal *removal, int directory, const char *name);

/* Closes the descriptor. */
static void remove_content(struct removal *removal, int descriptor)
{
	DIR *directory = fdopendir(descriptor);
	if (directory == NULL) {
		fail(removal, "", errno);
		close(descriptor);
		return;
	}
	struct dirent *entry;
	while ((entry = readdir(directory)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
			remove_entry(removal, descriptor, entry->d_name);
		}
	}
	closedir(directory);
}

static int is_top(struct removal *removal, int directory)
{
	struct stat one, other;
	return fstat(removal->top, &one) == 0 && fstat(directory, &other) == 0 && one.st_ino == other.st_ino &&
			one.st_dev == other.st_dev;
}

static void remove_directory(struct removal *removal, int directory, const char *name)
{
	int below = open_directory(directory, name); /* moving it up needs write permission for it, too */
	if (below < 0) {
		if (errno != ENOENT) {
			fail(removal, name, errno);
		}
		return;
	}
	if (!is_top(removal, directory)) {
		close(below);
		if (move_up(removal, directory, name) == 0) {
			removal->progress = 1;
		} else {
			fail(removal, name, errno);
		}
		return;
	}
	remove_content(removal, below);
	if (unlink_at(directory, name, AT_REMOVEDIR, S_IFDIR) == 0) {
		removal->progress = 1;
	} else {
		fail(removal, name, errno);
	}
}

static void remove_entry(struct removal *removal, int directory, const char *name)
{
	struct statx status;
	if (statx(directory, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_MODE, &status) != 0) {
		if (errno != ENOENT) {
			fail(removal, name, errno);
		}
		return;
	}
	/* Most mounts differ in device. The attribute also reveals a directory of the same file system mounted here. */
	if (makedev(status.stx_dev_major, status.stx_dev_minor) != removal->device ||
			(status.stx_attributes & STATX_ATTR_MOUNT_ROOT)) {
		fail(removal, name, EBUSY);
		return;
	}
	int is_directory = S_ISDIR(status.stx_mode);
	if (unlink_at(directory, name, is_directory ? AT_REMOVEDIR : 0, status.stx_mode) == 0) {
		removal->progress = 1;
	} else if (is_directory && (errno == ENOTEMPTY || errno == EEXIST || errno == EACCES || errno == EPERM)) {
		remove_directory(removal, directory, name);
	} else {
		fail(removal, name, errno);
	}
}

/*
 * Repeats, since what was moved up or added meanwhile may not have been seen. A failure counts only if a pass made no
 * progress.
 */
static void remove_all_below(struct removal *removal)
{
	do {
		int pass = openat(removal->top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (pass < 0) {
			fail(removal, "", errno);
			return;
		}
		removal->progress = 0;
		removal->failure->error = 0;
		remove_content(removal, pass);
	} while (removal->progress);
}

static int remove_this(const char *path, mode_t mode, struct removal_failure *failure)
{
	if (unlink_at(AT_FDCWD, path, S_ISDIR(mode) ? AT_REMOVEDIR : 0, mode) == 0) {
		return 0;
	}
	if (failure->error == 0) {
		failure->error = errno;
	}
	return -1;
}

int removal_run(const char *path, enum removal_scope scope, struct removal_failure *failure)
{
	struct stat status;
	memset(failure, 0, sizeof *failure);
	if (lstat(path, &status) != 0) {
		failure->error = errno == ENOENT || errno == ENOTDIR ? 0 : errno;
		return failure->error == 0 ? 0 : -1;
	}
	if (!S_ISDIR(status.st_mode)) {
		return remove_this(path, status.st_mode, failure);
	}
	struct removal removal = {.device = status.st_dev, .failure = failure};
	removal.top = open_directory(AT_FDCWD, path);
	if (removal.top < 0) {
		failure->error = errno;
		return -1;
	}
	remove_all_below(&removal);
	close(removal.top);
	if (failure->error != 0) {
		return -1;
	}
	return scope == REMOVE_CONTENT ? 0 : remove_this(path, status.st_mode, failure);
}
