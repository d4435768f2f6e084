/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit of open files. Valgrind keeps the last descriptors for itself and refuses to change the hard limit, at
 * which some servers give up. Here the target gets the answers that the kernel would give; only the descriptors that
 * Valgrind keeps are out of reach.
 *
 * Also, what getrlimit returns for the limits that Valgrind manages for the target.
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

static struct vki_rlimit reported;
static struct vki_rlimit before_change;
static Bool changed;

static void enforce(void)
{
	VG_(fd_soft_limit) = reported.rlim_cur < (ULong)VG_(fd_hard_limit) ? (Int)reported.rlim_cur : VG_(fd_hard_limit);
}

static void read_option(void)
{
	HChar *rest;
	reported.rlim_cur = (ULong)VG_(strtoll10)(pc_options.open_files, &rest);
	reported.rlim_max = *rest == ':' ? (ULong)VG_(strtoll10)(rest + 1, &rest) : 0;
	if (*rest != 0 || reported.rlim_max < reported.rlim_cur)
		VG_(fmsg_bad_option)(pc_options.open_files, "--open-files wants SOFT:HARD\n");
	changed = True;
	enforce();
}

/* Valgrind has raised the soft limit by what it keeps, if there was room. */
void pc_limits_init(void)
{
	struct vki_rlimit real;
	if (pc_options.open_files != NULL) {
		read_option();
	} else if (VG_(getrlimit)(VKI_RLIMIT_NOFILE, &real) == 0) {
		reported.rlim_max = real.rlim_max;
		reported.rlim_cur = real.rlim_cur == real.rlim_max ? real.rlim_max : (ULong)VG_(fd_hard_limit);
	}
}

/* The next program gets what this one set. */
void pc_limits_before_exec(void)
{
	static HChar option[64];
	const HChar *text = option;
	XArray *options = VG_(args_for_valgrind);
	if (!changed)
		return;
	VG_(snprintf)(option, sizeof option, OPTION "%llu:%llu", (ULong)reported.rlim_cur, (ULong)reported.rlim_max);
	for (Word i = 0; i < VG_(sizeXA)(options); i++) {
		const HChar **known = VG_(indexXA)(options, i);
		if (VG_(strncmp)(*known, OPTION, sizeof OPTION - 1) == 0) {
			*known = text;
			return;
		}
	}
	VG_(addToXA)(options, &text);
}

/* Whether the kernel lets this process raise its hard limit that far. */
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
	if (!VG_(am_is_valid_for_client)(address, sizeof reported, VKI_PROT_READ))
		return VG_(mk_SysRes_Error)(VKI_EFAULT);
	struct vki_rlimit wanted = *(const struct vki_rlimit *)address;
	if (wanted.rlim_cur > wanted.rlim_max)
		return VG_(mk_SysRes_Error)(VKI_EINVAL);
	if (wanted.rlim_max > reported.rlim_max && !may_raise_to(wanted.rlim_max))
		return VG_(mk_SysRes_Error)(VKI_EPERM);
	reported = wanted;
	changed = True;
	enforce();
	return VG_(mk_SysRes_Success)(0);
}

static void report(ThreadId tid, Addr address, const struct vki_rlimit *limit)
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
 * Valgrind overwrites the kernel's answer after that was recorded. If it differs, or another process stored there in
 * between, a record would be missing.
 */
static const struct vki_rlimit *answer_of_ours(UWord resource)
{
	switch (resource) {
	case VKI_RLIMIT_NOFILE: return &reported;
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
			report(tid, args->arg2, answer); \
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
		Bool can_report = VG_(am_is_valid_for_client)(args->arg4, sizeof reported, VKI_PROT_READ | VKI_PROT_WRITE); \
		before_change = reported; \
		status->what = SYSCALL_COMPLETE; \
		status->result = args->arg4 != 0 && !can_report ? VG_(mk_SysRes_Error)(VKI_EFAULT) \
				: args->arg3 != 0                       ? set(args->arg3) \
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
			report(tid, args->arg4, &before_change); \
	}
#define WRAP_GOT(name) DEFINE_GOT(name)
WRAP_GOT(vgSysWrap_linux_sys_prlimit64_after)
