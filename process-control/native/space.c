// SPDX-License-Identifier: Apache-2.0
#include "space.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

// The space that files below an open directory occupy, without holes. Closes the descriptor.
static uint64_t occupied(int descriptor)
{
	DIR *directory = fdopendir(descriptor);
	if (!directory) {
		close(descriptor);
		return 0;
	}
	uint64_t total = 0;
	struct dirent *entry;
	while ((entry = readdir(directory))) {
		struct stat status;
		const char *name = entry->d_name;
		if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0)))
			continue;
		if (fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		total += (uint64_t)status.st_blocks * 512;
		if (S_ISDIR(status.st_mode)) {
			int below = openat(dirfd(directory), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (below >= 0)
				total += occupied(below);
		}
	}
	closedir(directory);
	return total;
}

enum space_state space_check(const struct space_guard *guard, uint64_t *seen)
{
	struct statvfs system;
	if (guard->reserve && statvfs(guard->directory, &system) == 0) {
		*seen = (uint64_t)system.f_bavail * system.f_frsize;
		if (*seen < guard->reserve)
			return SPACE_RESERVE_TOUCHED;
	}
	if (guard->limit) {
		// A command may replace it by a link to somewhere else, which does not count.
		int directory = open(guard->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (directory >= 0) {
			*seen = occupied(directory);
			if (*seen > guard->limit)
				return SPACE_LIMIT_EXCEEDED;
		}
	}
	return SPACE_FINE;
}
