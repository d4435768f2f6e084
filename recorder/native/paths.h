/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths, and what is below --pm-dir. */
#ifndef RECORDER_PATHS_H
#define RECORDER_PATHS_H

#include "pub_tool_basics.h"

#define PATH_SIZE 4096

/* Makes --pm-dir canonical. */
void pc_paths_init(void);
/* The device of --pm-dir. */
ULong pc_pm_device(void);
Bool pc_path_of_fd(Int fd, HChar *result);
/* The absolute, canonical path of (dirfd, path), of which only the last part may be missing or a link. */
Bool pc_absolute(Int dirfd, const HChar *path, HChar *result);
/* The path relative to --pm-dir of an absolute one; NULL when it is not below. "" is the directory itself. */
const HChar *pc_relative(const HChar *absolute);
ULong pc_size_of_fd(Int fd);
/* Another descriptor of the same file, which can be read even if this one cannot; negative if there is none. */
Int pc_open_again(Int fd);

#endif
