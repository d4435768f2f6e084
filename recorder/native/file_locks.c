/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lock of a file (flock, fcntl, lockf) is a lock for all processes that open the file; fcntl's may be of a part of it.
 * What is written to a pipe is written before whoever reads from it goes on. Releases are recorded before the call, since
 * another process may go on before the call returns; acquires behind it.
 *
 * A lock counts as given back when the process closes the descriptor by close, or any descriptor of the file where the
 * lock belongs to the process (fcntl, but for F_OFD_SETLK). A duplicate of the descriptor would keep it; this is not seen.
 * Locks of parts of a file are one lock if they begin at the same place.
 */
#include "file_locks.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "events.h"
#include "kernel_abi.h"
#include "loads.h"
#include "memory.h"
#include "options.h"
#include "sites.h"
#include "stacks.h"
#include "trace.h"

#define MOST_HELD 64 /* in a process; more are not seen */
#define FLOCK_SHARED 1
#define FLOCK_EXCLUSIVE 2
#define FLOCK_UNLOCK 8

typedef struct {
	UInt site, stack; /* ids */
} Place;

typedef struct {
	ULong device, file;
	ULong start; /* as the call says: of lockf, from the current offset */
	Bool by_flock; /* which knows nothing of fcntl's locks, nor they of it */
	Int fd; /* PROCESS = it belongs to that */
	Bool shared;
	Place place; /* where it was taken */
} Held;

#define PROCESS (-1)

static const Place NOWHERE;

/* Those of this process; lock held. */
static Held held[MOST_HELD];
static UInt held_count;

static ULong mix(ULong hash, ULong next)
{
	return (hash ^ next) * 0x9e3779b97f4a7c15ULL;
}

static ULong object_of(const Held *lock)
{
	ULong hash = mix(mix(mix(lock->by_flock ? 1 : 2, lock->device), lock->file), lock->start);
	return pc_location(POWERCUT_SHARED_MEMORY, (hash >> 16) & POWERCUT_LOCATION_OFFSET_MASK);
}

static Place place_of(ThreadId tid)
{
	SiteIndex site = pc_syscall_site(tid);
	return (Place){pc_site_id(site), pc_stack_id(pc_stack_in_syscall(tid, site))};
}

static void record(ThreadId tid, UInt kind, UInt what, UInt mode, ULong object, Place place)
{
	pc_loads_synchronised(tid);
	struct powercut_lock *one = pc_append(kind, mode, tid, sizeof *one);
	one->site = place.site;
	one->stack = place.stack;
	one->object = object;
	one->what = what;
	one->zero = 0;
	pc_commit();
}

static Bool is_of(const Held *lock, const struct vg_stat *file, Int fd)
{
	return lock->device == file->dev && lock->file == file->ino && lock->fd == fd;
}

static void release_at(ThreadId tid, UInt index, Place place)
{
	record(tid, POWERCUT_RELEASE, POWERCUT_FILE_LOCK, 0, object_of(&held[index]), place);
	held[index] = held[--held_count];
}

/* Those of a descriptor or of the process that begin in that part of the file. */
static void release(ThreadId tid, const struct vg_stat *file, Bool by_flock, Int fd, ULong from, ULong to)
{
	for (UInt i = held_count; i-- > 0;) {
		const Held *one = &held[i];
		if (is_of(one, file, fd) && one->by_flock == by_flock && one->start >= from && one->start <= to)
			release_at(tid, i, place_of(tid));
	}
}

static void acquire(ThreadId tid, Held lock)
{
	for (UInt i = 0; i < held_count; i++) {
		const Held *one = &held[i];
		if (one->device == lock.device && one->file == lock.file && one->by_flock == lock.by_flock &&
				one->fd == lock.fd && one->start == lock.start) {
			if (one->shared == lock.shared)
				return;
			release_at(tid, i, place_of(tid));
			break;
		}
	}
	if (held_count == MOST_HELD)
		return;
	lock.place = place_of(tid);
	held[held_count++] = lock;
	UInt mode = lock.shared ? POWERCUT_SHARED : 0;
	record(tid, POWERCUT_ACQUIRE, POWERCUT_FILE_LOCK, mode, object_of(&lock), lock.place);
}

static Bool is_lock_command(UWord command)
{
	return command == VKI_F_SETLK || command == VKI_F_SETLKW || command == F_OFD_SETLK_ || command == F_OFD_SETLKW_;
}

static Int owner_of(UWord command, Int fd)
{
	return command == F_OFD_SETLK_ || command == F_OFD_SETLKW_ ? fd : PROCESS;
}

static ULong end_of(const struct vki_flock *range)
{
	return range->l_len > 0 ? (ULong)range->l_start + (ULong)range->l_len - 1 : ~0ULL;
}

static ULong pipe_of(const struct vg_stat *file)
{
	return pc_location(POWERCUT_SHARED_MEMORY, mix(mix(3, file->dev), file->ino) >> 16);
}

static void before_fcntl(ThreadId tid, const UWord *args, const struct vg_stat *file)
{
	const struct vki_flock *range = (const struct vki_flock *)args[2];
	if (is_lock_command(args[1]) && pc_is_readable(args[2], sizeof *range) && range->l_type == F_UNLCK_)
		release(tid, file, False, owner_of(args[1], (Int)args[0]), (ULong)range->l_start, end_of(range));
}

static void before_close(ThreadId tid, Int fd, const struct vg_stat *file)
{
	release(tid, file, True, fd, 0, ~0ULL);
	release(tid, file, False, fd, 0, ~0ULL);
	release(tid, file, False, PROCESS, 0, ~0ULL);
}

void pc_file_locks_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	struct vg_stat file;
	Int fd = (Int)args[0];
	Bool is_write = number == __NR_write || number == __NR_writev;
	Bool is_unlock = number == __NR_flock || number == __NR_fcntl || number == __NR_close;
	if (!pc_options.record || (!is_write && !(is_unlock && held_count > 0)) || VG_(fstat)(fd, &file) != 0)
		return;
	pc_lock();
	if (is_write && VKI_S_ISFIFO(file.mode))
		record(tid, POWERCUT_RELEASE, POWERCUT_PIPE_ORDER, 0, pipe_of(&file), place_of(tid));
	else if (number == __NR_flock && (args[1] & FLOCK_UNLOCK) != 0)
		release(tid, &file, True, fd, 0, ~0ULL);
	else if (number == __NR_fcntl)
		before_fcntl(tid, args, &file);
	else if (number == __NR_close)
		before_close(tid, fd, &file);
	pc_unlock();
}

static void after_fcntl(ThreadId tid, const UWord *args, const struct vg_stat *file)
{
	const struct vki_flock *range = (const struct vki_flock *)args[2];
	if (is_lock_command(args[1]) && range->l_type != F_UNLCK_)
		acquire(tid,
				(Held){file->dev, file->ino, (ULong)range->l_start, False, owner_of(args[1], (Int)args[0]),
						range->l_type == F_RDLCK_, NOWHERE});
}

void pc_file_locks_after_syscall(ThreadId tid, UInt number, const UWord *args, SysRes result)
{
	struct vg_stat file;
	Int fd = (Int)args[0];
	Bool is_read = (number == __NR_read || number == __NR_readv) && sr_Res(result) > 0;
	Bool is_lock = number == __NR_flock || (number == __NR_fcntl && is_lock_command(args[1]));
	if (!pc_options.record || sr_isError(result) || (!is_read && !is_lock) || VG_(fstat)(fd, &file) != 0)
		return;
	pc_lock();
	if (is_read && VKI_S_ISFIFO(file.mode))
		record(tid, POWERCUT_ACQUIRE, POWERCUT_PIPE_ORDER, 0, pipe_of(&file), place_of(tid));
	else if (number == __NR_flock && (args[1] & (FLOCK_SHARED | FLOCK_EXCLUSIVE)) != 0)
		acquire(tid, (Held){file.dev, file.ino, 0, True, fd, (args[1] & FLOCK_SHARED) != 0, NOWHERE});
	else if (number == __NR_fcntl)
		after_fcntl(tid, args, &file);
	pc_unlock();
}

void pc_file_locks_end_process(ThreadId tid)
{
	while (held_count > 0)
		release_at(tid, held_count - 1, held[held_count - 1].place);
}

void pc_file_locks_after_fork_in_child(void)
{
	held_count = 0;
}
