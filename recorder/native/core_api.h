/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of Valgrind's core that the installed tool headers do not declare,
 * as they are in Valgrind 3.19. The archive libcoregrind holds them; the
 * Makefile refuses another version of Valgrind.
 */
#ifndef RECORDER_CORE_API_H
#define RECORDER_CORE_API_H

#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_xarray.h"
#include "libvex.h"

extern SysRes VG_(
		do_syscall)(UWord number, UWord a1, UWord a2, UWord a3, UWord a4, UWord a5, UWord a6, UWord a7, UWord a8);
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd, Off64T offset);
extern SysRes VG_(am_mmap_anon_float_valgrind)(SizeT length);
extern SysRes VG_(am_munmap_valgrind)(Addr start, SizeT length);
/* Moves a descriptor above those the client can see, and makes it close on exec. */
extern Int VG_(safe_fd)(Int fd);
extern void VG_(set_IP)(ThreadId tid, Addr address);
extern Int VG_(kill)(Int pid, Int signal);
/* Takes effect at once, even from a helper, as in Valgrind's gdbserver; the block that runs is finished first. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);
extern Int VG_(count_living_threads)(void);
/* How a thread's slot begins. */
typedef struct {
	ThreadId tid;
	UInt status;
} ThreadSlot;
#define SLOT_IS_EMPTY 0
extern ThreadSlot *VG_(get_ThreadState)(ThreadId tid);
extern Bool VG_(is_exiting)(ThreadId tid);
/* --px-file-backed: which registers are up to date, and when, in code that is in a file. */
extern VexRegisterUpdates VG_(clo_px_file_backed);
/* --smc-check: which translations check, each time they run, that the code has not changed. */
typedef enum { SMC_NONE, SMC_STACK, SMC_ALL, SMC_ALL_NON_FILE } SelfModifyingCode;
extern SelfModifyingCode VG_(clo_smc_check);
extern UWord *VG_(client_auxv);
extern Int VG_(cl_exec_fd);

/* The symbols of a file. What is asked for with NULL is left out; the others are the rest of the names, NULL = none. */
typedef struct {
	Addr main;
} SymbolAddresses;
extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *file);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *file, Int index, SymbolAddresses *at, UInt *size,
		const HChar **name, const HChar ***others, Bool *is_text, Bool *is_indirect, Bool *is_global);
/* Grows when files are loaded and unloaded. */
extern UInt VG_(debuginfo_generation)(void);
extern void VG_(demangle)(Bool is_cxx, Bool is_z, const HChar *name, const HChar **demangled);

/* A part of a file, which may be compressed there: coregrind/m_debuginfo/priv_image.h. */
typedef struct {
	void *image;
	ULong begin;
	ULong size;
} ImageSlice;
/* Ends the process if there is no such byte. */
extern UChar ML_(img_get_UChar)(void *image, ULong offset);

/* What a system call's wrapper gets: coregrind/m_syswrap/priv_types_n_macros.h. */
typedef struct {
	Word sysno;
	UWord arg1;
	UWord arg2;
	UWord arg3;
	UWord arg4;
	UWord arg5;
	UWord arg6;
	UWord arg7;
	UWord arg8;
} SyscallArgs;
typedef struct {
	UInt what;
	SysRes result;
} SyscallStatus;
#define SYSCALL_COMPLETE 1
extern SysRes VG_(mk_SysRes_Error)(UWord error);
extern SysRes VG_(mk_SysRes_Success)(UWord result);
/* The target's descriptors are below the first, its new ones below the second. */
extern Int VG_(fd_hard_limit);
extern Int VG_(fd_soft_limit);
/* What getrlimit returns to the target. */
extern struct vki_rlimit VG_(client_rlimit_data);
extern struct vki_rlimit VG_(client_rlimit_stack);
extern Int VG_(getrlimit)(Int resource, struct vki_rlimit *limit);
/* Our options, which exec passes on. */
extern XArray *VG_(args_for_valgrind);
#define SYSCALL_FLAG_MAY_BLOCK (1 << 1)

#ifndef VKI_O_CLOEXEC
#define VKI_O_CLOEXEC 02000000
#endif
#ifndef VKI_EOPNOTSUPP
#define VKI_EOPNOTSUPP 95
#endif

#endif
