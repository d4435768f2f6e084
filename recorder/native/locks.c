/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --races=yes: acquires and releases of the target's locks, and what else orders its threads.
 *
 * Functions are recognised by their names, at their entry; so static programs are followed, too, and stacks stay the
 * target's own. What a function did is known when it returns: at its entry, the place that it returns to is noted, and
 * code there calls us. A release counts from the entry on, since another thread may go on before the function returns.
 * Inside one of these functions another one does not count, but in what pthread_once calls it does.
 */
#include "locks.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "core_api.h"
#include "hashmap.h"
#include "loads.h"
#include "mappings.h"
#include "memory.h"
#include "options.h"
#include "sites.h"
#include "stacks.h"
#include "trace.h"

#define MAX_NESTED 16 /* of pthread_once; deeper ones do not count */
#define ETIMEDOUT_ 110
#define EOWNERDEAD_ 130
#define SERIAL_THREAD (-1)

typedef enum { TAKES, GIVES, WAITS, MEETS, ONCE } Role;

typedef struct {
	const HChar *name; /* without underscores in front and version */
	Role role;
	UInt what; /* enum powercut_lock_kind */
	UInt mode; /* POWERCUT_SHARED or 0 */
} Function;

static const Function functions[] = {
		{"pthread_mutex_lock", TAKES, POWERCUT_MUTEX, 0},
		{"pthread_mutex_trylock", TAKES, POWERCUT_MUTEX, 0},
		{"pthread_mutex_timedlock", TAKES, POWERCUT_MUTEX, 0},
		{"pthread_mutex_clocklock", TAKES, POWERCUT_MUTEX, 0},
		{"pthread_mutex_unlock", GIVES, POWERCUT_MUTEX, 0},
		{"pthread_rwlock_rdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED},
		{"pthread_rwlock_tryrdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED},
		{"pthread_rwlock_timedrdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED},
		{"pthread_rwlock_clockrdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED},
		{"pthread_rwlock_wrlock", TAKES, POWERCUT_RWLOCK, 0},
		{"pthread_rwlock_trywrlock", TAKES, POWERCUT_RWLOCK, 0},
		{"pthread_rwlock_timedwrlock", TAKES, POWERCUT_RWLOCK, 0},
		{"pthread_rwlock_clockwrlock", TAKES, POWERCUT_RWLOCK, 0},
		{"pthread_rwlock_unlock", GIVES, POWERCUT_RWLOCK, 0},
		{"pthread_spin_lock", TAKES, POWERCUT_SPIN, 0},
		{"pthread_spin_trylock", TAKES, POWERCUT_SPIN, 0},
		{"pthread_spin_unlock", GIVES, POWERCUT_SPIN, 0},
		{"pthread_spin_init", GIVES, POWERCUT_SPIN, 0}, /* one function with the one above, under this name */
		{"pthread_cond_wait", WAITS, POWERCUT_CONDITION, 0},
		{"pthread_cond_timedwait", WAITS, POWERCUT_CONDITION, 0},
		{"pthread_cond_clockwait", WAITS, POWERCUT_CONDITION, 0},
		{"pthread_cond_signal", GIVES, POWERCUT_CONDITION, 0},
		{"pthread_cond_broadcast", GIVES, POWERCUT_CONDITION, 0},
		{"pthread_barrier_wait", MEETS, POWERCUT_BARRIER, 0},
		{"sem_wait", TAKES, POWERCUT_SEMAPHORE, 0},
		{"sem_trywait", TAKES, POWERCUT_SEMAPHORE, 0},
		{"sem_timedwait", TAKES, POWERCUT_SEMAPHORE, 0},
		{"sem_clockwait", TAKES, POWERCUT_SEMAPHORE, 0},
		{"sem_post", GIVES, POWERCUT_SEMAPHORE, 0},
		{"pthread_once", ONCE, POWERCUT_ONCE, 0},
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* One that has not returned. */
typedef struct {
	Addr sp; /* where its return address lies */
	Addr returns_to;
	const Function *function;
	Addr object;
	Addr mutex; /* of a condition variable */
	Bool runs; /* pthread_once: it was not done when this was entered */
} Pending;

typedef struct {
	Pending stack[MAX_NESTED];
	UInt depth;
} Thread;

static Thread **threads;
static HashMap return_places;

/* ----------------------------------------------------------------- names */

/* Without what the C library puts around its names: __GI_, underscores, @@GLIBC_2.34. */
static SizeT plain_name(const HChar **name)
{
	const HChar *start = *name;
	while (*start == '_')
		start++;
	if (start != *name && VG_STREQN(3, start, "GI_"))
		start += 3;
	while (*start == '_')
		start++;
	SizeT length = 0;
	while (start[length] != 0 && start[length] != '@')
		length++;
	*name = start;
	return length;
}

Int pc_lock_function(const HChar *name)
{
	SizeT length = plain_name(&name);
	for (UInt i = 0; i < FUNCTIONS; i++) {
		if (VG_(strlen)(functions[i].name) == length && VG_(strncmp)(functions[i].name, name, length) == 0)
			return (Int)i;
	}
	return -1;
}

Bool pc_lock_returns_to(Addr address)
{
	return pc_map_get(&return_places, address) != HASHMAP_ABSENT;
}

/* --------------------------------------------------------------- records */

/* Whether it was made to be used by several processes. Offsets are those of glibc, the same since 2.25. */
static Bool is_process_shared(UInt what, Addr object)
{
	switch (what) {
	case POWERCUT_MUTEX: return (*(const UInt *)(object + 16) & 128) != 0; /* __kind */
	case POWERCUT_RWLOCK: return *(const UInt *)(object + 28) != 0; /* __shared */
	case POWERCUT_CONDITION: return (*(const UInt *)(object + 36) & 1) != 0; /* __wrefs */
	case POWERCUT_BARRIER: return *(const UInt *)(object + 12) != 0; /* shared */
	case POWERCUT_SEMAPHORE: return *(const UInt *)(object + 8) != 0; /* private */
	default: return False;
	}
}

/* In memory that processes share and that is not PM, a lock has the address at which it was inherited. */
static ULong location_of(UInt what, Addr object)
{
	const Mapping *mapping = pc_mapping_from(object);
	if (mapping != NULL && mapping->start <= object)
		return pc_location(mapping->file, mapping->offset + (object - mapping->start));
	ULong address = object & POWERCUT_LOCATION_OFFSET_MASK;
	return is_process_shared(what, object) ? pc_location(POWERCUT_SHARED_MEMORY, address) : address;
}

static void append(const VexGuestAMD64State *guest, UInt kind, UInt what, UInt mode, Addr object, SiteIndex site)
{
	ThreadId tid = VG_(get_running_tid)();
	pc_loads_synchronised(tid);
	pc_lock();
	UInt stack = pc_stack_id(pc_stack_in_helper(guest, site));
	UInt site_id = pc_site_id(site);
	struct powercut_lock *record = pc_append(kind, mode, tid, sizeof *record);
	record->site = site_id;
	record->stack = stack;
	record->object = location_of(what, object);
	record->what = what;
	record->zero = 0;
	pc_commit();
	pc_unlock();
}

/* ------------------------------------------------------ entry and return */

static Thread *running_thread(void)
{
	Thread **thread = &threads[VG_(get_running_tid)()];
	if (*thread == NULL)
		*thread = VG_(calloc)("pc.locks", 1, sizeof(Thread));
	return *thread;
}

/* Those whose frames are gone: a signal handler or an exception left them. */
static void drop_abandoned(Thread *thread, Addr sp)
{
	while (thread->depth > 0 && thread->stack[thread->depth - 1].sp <= sp)
		thread->depth--;
}

static void note_return_place(Addr address)
{
	if (pc_lock_returns_to(address))
		return;
	pc_map_put(&return_places, address, 1);
	VG_(discard_translations)(address, 1, "a function that synchronises returns to it");
}

/* Whether the object says that the routine of pthread_once did not begin yet. */
static Bool is_untouched(Addr once)
{
	return pc_is_readable(once, sizeof(Int)) && *(const Int *)once == 0;
}

void pc_on_lock_entered(VexGuestAMD64State *guest, UWord function, UWord first, UWord second, UWord site)
{
	const Function *entered = &functions[function];
	Thread *thread = running_thread();
	Addr sp = guest->guest_RSP;
	drop_abandoned(thread, sp);
	if (thread->depth == MAX_NESTED || (thread->depth > 0 && thread->stack[thread->depth - 1].function->role != ONCE))
		return;
	Pending *pending = &thread->stack[thread->depth++];
	*pending = (Pending){sp, *(const Addr *)sp, entered, first, 0, False};
	note_return_place(pending->returns_to);
	switch (entered->role) {
	case TAKES: break;
	case GIVES:
	case MEETS: append(guest, POWERCUT_RELEASE, entered->what, 0, first, (SiteIndex)site); break;
	case WAITS:
		pending->mutex = second;
		append(guest, POWERCUT_RELEASE, POWERCUT_MUTEX, 0, second, (SiteIndex)site);
		break;
	case ONCE: pending->runs = is_untouched(first); break;
	}
}

static void returned(const VexGuestAMD64State *guest, const Pending *pending, Int result, SiteIndex site)
{
	const Function *function = pending->function;
	Bool success = result == 0;
	switch (function->role) {
	case TAKES:
		if (success || (result == EOWNERDEAD_ && function->what == POWERCUT_MUTEX))
			append(guest, POWERCUT_ACQUIRE, function->what, function->mode, pending->object, site);
		break;
	case GIVES: break;
	case WAITS:
		if (success || result == EOWNERDEAD_)
			append(guest, POWERCUT_ACQUIRE, POWERCUT_CONDITION, 0, pending->object, site);
		if (success || result == EOWNERDEAD_ || result == ETIMEDOUT_)
			append(guest, POWERCUT_ACQUIRE, POWERCUT_MUTEX, 0, pending->mutex, site);
		break;
	case MEETS:
		if (success || result == SERIAL_THREAD)
			append(guest, POWERCUT_ACQUIRE, POWERCUT_BARRIER, 0, pending->object, site);
		break;
	case ONCE:
		if (success && pending->runs)
			append(guest, POWERCUT_RELEASE, POWERCUT_ONCE, 0, pending->object, site);
		else if (success)
			append(guest, POWERCUT_ACQUIRE, POWERCUT_ONCE, 0, pending->object, site);
		break;
	}
}

void pc_on_lock_returned(VexGuestAMD64State *guest, Addr here, UWord result)
{
	Thread *thread = running_thread();
	Addr sp = guest->guest_RSP;
	drop_abandoned(thread, sp - sizeof(Addr) - 1);
	if (thread->depth == 0)
		return;
	Pending pending = thread->stack[thread->depth - 1];
	if (pending.sp != sp - sizeof(Addr) || pending.returns_to != here)
		return;
	thread->depth--;
	returned(guest, &pending, (Int)result, pc_site_of(here - 1));
}

void pc_locks_init(void)
{
	if (pc_options.races)
		threads = VG_(calloc)("pc.locks", VG_N_THREADS, sizeof(Thread *));
}
