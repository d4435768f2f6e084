/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths, and what is below --pm-dir. */
#include "paths.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "kernel_abi.h"
#include "options.h"
#include "trace.h"

static ULong pm_device;
static SizeT pm_dir_length;

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
			O_PATH_ | O_DIRECTORY_ | VKI_O_CLOEXEC, 0, 0, 0, 0, 0);
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

ULong pc_pm_device(void)
{
	return pm_device;
}

void pc_paths_init(void)
{
	HChar path[PATH_SIZE];
	struct vg_stat status;
	Int fd = VG_(fd_open)(pc_options.pm_dir, O_DIRECTORY_, 0);
	if (fd < 0 || VG_(fstat)(fd, &status) != 0 || !pc_path_of_fd(fd, path))
		pc_give_up("--pm-dir=%s is not a directory that can be opened", pc_options.pm_dir);
	VG_(close)(fd);
	pm_device = status.dev;
	pc_options.pm_dir = VG_(strdup)("pc.pm_dir", path);
	pm_dir_length = VG_(strlen)(path);
}

ULong pc_size_of_fd(Int fd)
{
	struct vg_stat status;
	return VG_(fstat)(fd, &status) == 0 ? (ULong)status.size : 0;
}

Int pc_open_again(Int fd)
{
	HChar path[64];
	VG_(sprintf)(path, "/proc/self/fd/%d", fd);
	return VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
}
