/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Valgrind has a slot for each thread that could exist, and writes to all of
 * them when it starts: 80 MB and a quarter of a short recording's time for
 * 10,000. Here it starts with few, and others are prepared when they are needed.
 */
#include "slots.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "core_api.h"
#include "trace.h"

#define PREPARED_AT_ONCE 64

static UInt most;
static ThreadSlot *blank; /* what an unused slot holds */
static SizeT slot_size;

static ThreadSlot *slot(ThreadId tid)
{
	return VG_(get_ThreadState)(tid);
}

static void keep_blank(void)
{
	slot_size = (Addr)slot(2) - (Addr)slot(1);
	blank = VG_(malloc)("pc.slot", slot_size);
	VG_(memcpy)(blank, slot(VG_N_THREADS - 1), slot_size);
}

static Bool is_any_free(void)
{
	for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
		if (slot(tid)->status == SLOT_IS_EMPTY)
			return True;
	return False;
}

static void prepare_more(void)
{
	for (UInt i = 0; i < PREPARED_AT_ONCE && VG_N_THREADS < most; i++) {
		ThreadId tid = VG_N_THREADS;
		ThreadSlot *next = (ThreadSlot *)((Addr)slot(tid - 1) + slot_size);
		VG_(memcpy)(next, blank, slot_size);
		next->tid = tid;
		VG_N_THREADS++;
	}
}

ThreadId __real_vgPlain_scheduler_init_phase1(void);
ThreadId __wrap_vgPlain_scheduler_init_phase1(void);
ThreadId __real_vgPlain_alloc_ThreadState(void);
ThreadId __wrap_vgPlain_alloc_ThreadState(void);
void __real_vgPlain_client_syscall(ThreadId tid, UInt trap);
void __wrap_vgPlain_client_syscall(ThreadId tid, UInt trap);

#define DEFINE_FIRST(name) \
	ThreadId __wrap_##name(void) \
	{ \
		most = VG_N_THREADS; \
		if (most > PREPARED_AT_ONCE) \
			VG_N_THREADS = PREPARED_AT_ONCE; \
		ThreadId first = __real_##name(); \
		keep_blank(); \
		return first; \
	}
#define WRAP_FIRST(name) DEFINE_FIRST(name)
WRAP_FIRST(vgPlain_scheduler_init_phase1)

#define DEFINE_NEXT(name) \
	ThreadId __wrap_##name(void) \
	{ \
		if (!is_any_free()) \
			prepare_more(); \
		return __real_##name(); \
	}
#define WRAP_NEXT(name) DEFINE_NEXT(name)
WRAP_NEXT(vgPlain_alloc_ThreadState)

/* The first one allocates memory for the system calls of all threads. */
#define DEFINE_CALL(name) \
	void __wrap_##name(ThreadId tid, UInt trap) \
	{ \
		static Bool again; \
		UInt so_far = VG_N_THREADS; \
		if (again) \
			return __real_##name(tid, trap); \
		again = True; \
		VG_N_THREADS = most; \
		__real_##name(tid, trap); \
		VG_N_THREADS = so_far; \
	}
#define WRAP_CALL(name) DEFINE_CALL(name)
WRAP_CALL(vgPlain_client_syscall)

UInt pc_most_threads(void)
{
	return most != 0 ? most : VG_N_THREADS;
}

void *pc_zeros(SizeT count, SizeT size)
{
	SysRes mapped = VG_(am_mmap_anon_float_valgrind)(count * size);
	if (sr_isError(mapped))
		pc_give_up("no memory for %lu entries of %lu bytes", count, size);
	return (void *)sr_Res(mapped);
}
