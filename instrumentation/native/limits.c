/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit of open files. Valgrind keeps the last descriptors for itself and refuses every hard limit but its own, at
 * which some servers give up. Here the target gets what the kernel would give it, and is told so; only the descriptors
 * that Valgrind keeps cannot be had.
 *
 * And what getrlimit says of those limits that Valgrind keeps for the target.
 */
#include "limits.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "core_api.h"
#include "events.h"
#include "options.h"

#define OPTION "--open-files="

static struct vki_rlimit told;
static struct vki_rlimit before_change;
static Bool changed;

static void enforce(void)
{
	VG_(fd_soft_limit) = told.rlim_cur < (ULong)VG_(fd_hard_limit) ? (Int)told.rlim_cur : VG_(fd_hard_limit);
}

static void read_option(void)
{
	HChar *rest;
	told.rlim_cur = (ULong)VG_(strtoll10)(pc_options.open_files, &rest);
	told.rlim_max = *rest == ':' ? (ULong)VG_(strtoll10)(rest + 1, &rest) : 0;
	if (*rest != 0 || told.rlim_max < told.rlim_cur)
		VG_(fmsg_bad_option)(pc_options.open_files, "--open-files wants SOFT:HARD\n");
	changed = True;
	enforce();
}

/* Valgrind has raised the soft limit by what it keeps, where there was room for that. */
void pc_limits_init(void)
{
	struct vki_rlimit real;
	if (pc_options.open_files != NULL) {
		read_option();
	} else if (VG_(getrlimit)(VKI_RLIMIT_NOFILE, &real) == 0) {
		told.rlim_max = real.rlim_max;
		told.rlim_cur = real.rlim_cur == real.rlim_max ? real.rlim_max : (ULong)VG_(fd_hard_limit);
	}
}

/* The next program is told what this one set. */
void pc_limits_before_exec(void)
{
	static HChar option[64];
	const HChar *text = option;
	XArray *options = VG_(args_for_valgrind);
	if (!changed)
		return;
	VG_(snprintf)(option, sizeof option, OPTION "%llu:%llu", (ULong)told.rlim_cur, (ULong)told.rlim_max);
	for (Word i = 0; i < VG_(sizeXA)(options); i++) {
		const HChar **known = VG_(indexXA)(options, i);
		if (VG_(strncmp)(*known, OPTION, sizeof OPTION - 1) == 0) {
			*known = text;
			return;
		}
	}
	VG_(addToXA)(options, &text);
}

/* Whether the kernel lets this process raise its hard limit so far. */
static Bool may_raise_to(ULong hard)
{
	struct vki_rlimit real;
	if (VG_(getrlimit)(VKI_RLIMIT_NOFILE, &real) != 0)
		return False;
	if (hard <= real.rlim_max)
		return VG_(geteuid)() == 0;
	real.rlim_max = hard;
	return !sr_isError(VG_(do_syscall)(__NR_setrlimit, VKI_RLIMIT_NOFILE, (UWord)&real, 0, 0, 0, 0, 0, 0));
}

static SysRes set(Addr address)
{
	if (!VG_(am_is_valid_for_client)(address, sizeof told, VKI_PROT_READ))
		return VG_(mk_SysRes_Error)(VKI_EFAULT);
	struct vki_rlimit wanted = *(const struct vki_rlimit *)address;
	if (wanted.rlim_cur > wanted.rlim_max)
		return VG_(mk_SysRes_Error)(VKI_EINVAL);
	if (wanted.rlim_max > told.rlim_max && !may_raise_to(wanted.rlim_max))
		return VG_(mk_SysRes_Error)(VKI_EPERM);
	told = wanted;
	changed = True;
	enforce();
	return VG_(mk_SysRes_Success)(0);
}

static void tell(ThreadId tid, Addr address, const struct vki_rlimit *limit)
{
	*(struct vki_rlimit *)address = *limit;
	pc_kernel_store(tid, address, sizeof *limit);
}

static Bool is_ours(const SyscallArgs *args)
{
	return args->arg2 == VKI_RLIMIT_NOFILE && (args->arg1 == 0 || args->arg1 == (UWord)VG_(getpid)());
}

#define DEFINE_SET(name) \
	void __real_##name(ThreadId, void *, SyscallArgs *, SyscallStatus *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, SyscallStatus *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, SyscallStatus *status, UWord *flags) \
	{ \
		if (args->arg1 != VKI_RLIMIT_NOFILE) { \
			__real_##name(tid, layout, args, status, flags); \
			return; \
		} \
		status->what = SYSCALL_COMPLETE; \
		status->result = set(args->arg2); \
	}
#define WRAP_SET(name) DEFINE_SET(name)
WRAP_SET(vgSysWrap_generic_sys_setrlimit_before)

/*
 * What Valgrind puts over the kernel's answer, behind its record: when that is something else, or when another process
 * stored there in between, the record would lack it.
 */
static const struct vki_rlimit *answer_of_ours(UWord resource)
{
	switch (resource) {
	case VKI_RLIMIT_NOFILE: return &told;
	case VKI_RLIMIT_DATA: return &VG_(client_rlimit_data);
	case VKI_RLIMIT_STACK: return &VG_(client_rlimit_stack);
	default: return NULL;
	}
}

#define DEFINE_GET(name) \
	void __real_##name(ThreadId, SyscallArgs *, SyscallStatus *); \
	void __wrap_##name(ThreadId, SyscallArgs *, SyscallStatus *); \
	void __wrap_##name(ThreadId tid, SyscallArgs *args, SyscallStatus *status) \
	{ \
		const struct vki_rlimit *answer = answer_of_ours(args->arg1); \
		if (answer == NULL) \
			__real_##name(tid, args, status); \
		else \
			tell(tid, args->arg2, answer); \
	}
#define WRAP_GET(name) DEFINE_GET(name)
WRAP_GET(vgSysWrap_generic_sys_getrlimit_after)

/* Both in one call. */
#define DEFINE_SET_AND_GET(name) \
	void __real_##name(ThreadId, void *, SyscallArgs *, SyscallStatus *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, SyscallStatus *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, SyscallStatus *status, UWord *flags) \
	{ \
		if (!is_ours(args)) { \
			__real_##name(tid, layout, args, status, flags); \
			return; \
		} \
		Bool can_tell = VG_(am_is_valid_for_client)(args->arg4, sizeof told, VKI_PROT_READ | VKI_PROT_WRITE); \
		before_change = told; \
		status->what = SYSCALL_COMPLETE; \
		status->result = args->arg4 != 0 && !can_tell ? VG_(mk_SysRes_Error)(VKI_EFAULT) \
				: args->arg3 != 0                     ? set(args->arg3) \
													  : VG_(mk_SysRes_Success)(0); \
	}
#define WRAP_SET_AND_GET(name) DEFINE_SET_AND_GET(name)
WRAP_SET_AND_GET(vgSysWrap_linux_sys_prlimit64_before)

#define DEFINE_GOT(name) \
	void __real_##name(ThreadId, SyscallArgs *, SyscallStatus *); \
	void __wrap_##name(ThreadId, SyscallArgs *, SyscallStatus *); \
	void __wrap_##name(ThreadId tid, SyscallArgs *args, SyscallStatus *status) \
	{ \
		if (!is_ours(args)) \
			__real_##name(tid, args, status); \
		else if (args->arg4 != 0) \
			tell(tid, args->arg4, &before_change); \
	}
#define WRAP_GOT(name) DEFINE_GOT(name)
WRAP_GOT(vgSysWrap_linux_sys_prlimit64_after)
