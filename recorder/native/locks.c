/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --races=yes: acquires and releases of the target's locks, and what else orders its threads.
 *
 * Functions are recognised by their names, at their entry; so static programs are followed, too, and stacks stay the
 * target's own. What a function did is known when it returns: at its entry, the place that it returns to is noted, and
 * code there calls us. A release counts from the entry on, since another thread may go on before the function returns;
 * but what will fail is none: the unlock of a recursive or checked mutex that the thread does not hold. Inside one of
 * these functions another one does not count, but in what pthread_once calls it does.
 */
#include "locks.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "core_api.h"
#include "declared.h"
#include "loads.h"
#include "mappings.h"
#include "memory.h"
#include "options.h"
#include "returns.h"
#include "schedule.h"
#include "sites.h"
#include "slots.h"
#include "stacks.h"
#include "trace.h"
#include "words.h"

#define MAX_NESTED 16 /* of pthread_once; deeper ones do not count */
#define EOWNERDEAD_ 130
#define ENOTRECOVERABLE_ 131
#define SERIAL_THREAD (-1)
/* pthread_mutex_t of the C library */
#define MUTEX_KIND_AT 16
#define PTHREAD_MUTEX_RECURSIVE_ 1
#define PTHREAD_MUTEX_ERRORCHECK_ 2
#define PTHREAD_MUTEX_ROBUST_ 16

typedef enum { TAKES, GIVES, WAITS, MEETS, ONCE } Role;

/* What such a function returns if it did what it is there for. */
typedef enum { ZERO, ANYTHING, NOT_ZERO } Success;

typedef struct {
	const HChar *name; /* without underscores in front and version */
	Role role;
	UInt what; /* enum powercut_lock_kind */
	UInt mode; /* POWERCUT_SHARED or 0 */
	Success success;
	Addr object; /* that all calls are for; 0 = the first argument */
} Function;

/* No address is as low. */
#define UNNAMED_CRITICAL 1
#define UNNAMED_ATOMIC 2
#define BARRIER_OF_TEAM 3

static const Function functions[] = {
		{"pthread_mutex_lock", TAKES, POWERCUT_MUTEX, 0, ZERO, 0},
		{"pthread_mutex_trylock", TAKES, POWERCUT_MUTEX, 0, ZERO, 0},
		{"pthread_mutex_timedlock", TAKES, POWERCUT_MUTEX, 0, ZERO, 0},
		{"pthread_mutex_clocklock", TAKES, POWERCUT_MUTEX, 0, ZERO, 0},
		{"pthread_mutex_unlock", GIVES, POWERCUT_MUTEX, 0, ZERO, 0},
		{"pthread_rwlock_rdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED, ZERO, 0},
		{"pthread_rwlock_tryrdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED, ZERO, 0},
		{"pthread_rwlock_timedrdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED, ZERO, 0},
		{"pthread_rwlock_clockrdlock", TAKES, POWERCUT_RWLOCK, POWERCUT_SHARED, ZERO, 0},
		{"pthread_rwlock_wrlock", TAKES, POWERCUT_RWLOCK, 0, ZERO, 0},
		{"pthread_rwlock_trywrlock", TAKES, POWERCUT_RWLOCK, 0, ZERO, 0},
		{"pthread_rwlock_timedwrlock", TAKES, POWERCUT_RWLOCK, 0, ZERO, 0},
		{"pthread_rwlock_clockwrlock", TAKES, POWERCUT_RWLOCK, 0, ZERO, 0},
		{"pthread_rwlock_unlock", GIVES, POWERCUT_RWLOCK, 0, ZERO, 0},
		{"pthread_spin_lock", TAKES, POWERCUT_SPIN, 0, ZERO, 0},
		{"pthread_spin_trylock", TAKES, POWERCUT_SPIN, 0, ZERO, 0},
		{"pthread_spin_unlock", GIVES, POWERCUT_SPIN, 0, ZERO, 0},
		{"pthread_spin_init", GIVES, POWERCUT_SPIN, 0, ZERO, 0}, /* one function with the one above, under this name */
		{"pthread_cond_wait", WAITS, POWERCUT_CONDITION, 0, ZERO, 0},
		{"pthread_cond_timedwait", WAITS, POWERCUT_CONDITION, 0, ZERO, 0},
		{"pthread_cond_clockwait", WAITS, POWERCUT_CONDITION, 0, ZERO, 0},
		{"pthread_cond_signal", GIVES, POWERCUT_CONDITION, 0, ZERO, 0},
		{"pthread_cond_broadcast", GIVES, POWERCUT_CONDITION, 0, ZERO, 0},
		{"pthread_barrier_wait", MEETS, POWERCUT_BARRIER, 0, ZERO, 0},
		{"sem_wait", TAKES, POWERCUT_SEMAPHORE, 0, ZERO, 0},
		{"sem_trywait", TAKES, POWERCUT_SEMAPHORE, 0, ZERO, 0},
		{"sem_timedwait", TAKES, POWERCUT_SEMAPHORE, 0, ZERO, 0},
		{"sem_clockwait", TAKES, POWERCUT_SEMAPHORE, 0, ZERO, 0},
		{"sem_post", GIVES, POWERCUT_SEMAPHORE, 0, ZERO, 0},
		{"pthread_once", ONCE, POWERCUT_ONCE, 0, ZERO, 0},
		/* OpenMP of gcc */
		{"GOMP_critical_start", TAKES, POWERCUT_OPENMP, 0, ANYTHING, UNNAMED_CRITICAL},
		{"GOMP_critical_end", GIVES, POWERCUT_OPENMP, 0, ANYTHING, UNNAMED_CRITICAL},
		{"GOMP_critical_name_start", TAKES, POWERCUT_OPENMP, 0, ANYTHING, 0},
		{"GOMP_critical_name_end", GIVES, POWERCUT_OPENMP, 0, ANYTHING, 0},
		{"GOMP_atomic_start", TAKES, POWERCUT_OPENMP, 0, ANYTHING, UNNAMED_ATOMIC},
		{"GOMP_atomic_end", GIVES, POWERCUT_OPENMP, 0, ANYTHING, UNNAMED_ATOMIC},
		{"omp_set_lock", TAKES, POWERCUT_OPENMP, 0, ANYTHING, 0},
		{"omp_test_lock", TAKES, POWERCUT_OPENMP, 0, NOT_ZERO, 0},
		{"omp_unset_lock", GIVES, POWERCUT_OPENMP, 0, ANYTHING, 0},
		{"omp_set_nest_lock", TAKES, POWERCUT_OPENMP, 0, ANYTHING, 0},
		{"omp_test_nest_lock", TAKES, POWERCUT_OPENMP, 0, NOT_ZERO, 0},
		{"omp_unset_nest_lock", GIVES, POWERCUT_OPENMP, 0, ANYTHING, 0},
		{"GOMP_barrier", MEETS, POWERCUT_BARRIER, 0, ANYTHING, BARRIER_OF_TEAM},
		{"GOMP_loop_end", MEETS, POWERCUT_BARRIER, 0, ANYTHING, BARRIER_OF_TEAM},
		{"GOMP_sections_end", MEETS, POWERCUT_BARRIER, 0, ANYTHING, BARRIER_OF_TEAM},
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* One that has not returned. */
typedef struct {
	Addr sp; /* where its return address lies */
	Addr returns_to;
	const Function *function; /* NULL = of --synchronise */
	Addr object;
	Addr mutex; /* of a condition variable */
	Bool runs; /* pthread_once: it was not done when this was entered */
	Bool released; /* the mutex was, at the entry */
	ULong declared; /* those of --synchronise that it is */
	Bool gave; /* such a lock, at the entry */
	DeclaredCall call;
} Pending;

typedef struct {
	Addr mutex;
	UInt depth;
} Held;

typedef struct {
	Pending stack[MAX_NESTED];
	UInt depth;
	Held *held; /* mutexes */
	UInt held_count;
	UInt held_capacity;
} Thread;

static Thread **threads;

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

/* --------------------------------------------------------------- records */

/* Whether it was made to be used by several processes. Offsets are those of glibc, the same since 2.25. */
static Bool is_process_shared(UInt what, Addr object)
{
	switch (what) {
	case POWERCUT_MUTEX: return (*(const UInt *)(object + 16) & 128) != 0; /* __kind */
	case POWERCUT_RWLOCK: return *(const UInt *)(object + 28) != 0; /* __shared */
	case POWERCUT_CONDITION: return (*(const UInt *)(object + 36) & 1) != 0; /* __wrefs */
	case POWERCUT_BARRIER: return object != BARRIER_OF_TEAM && *(const UInt *)(object + 12) != 0; /* shared */
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

void pc_lock_record(const VexGuestAMD64State *guest, ThreadId tid, UInt kind, UInt what, UInt mode, Addr object,
		SiteIndex site)
{
	if (kind == POWERCUT_RELEASE)
		pc_schedule_may_pause(tid, site);
	if (!pc_options.record)
		return;
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

static void append(const VexGuestAMD64State *guest, UInt kind, UInt what, UInt mode, Addr object, SiteIndex site)
{
	pc_lock_record(guest, VG_(get_running_tid)(), kind, what, mode, object, site);
}

/* ----------------------------------------------------- mutexes that are held */

static Thread *running_thread(void)
{
	Thread **thread = &threads[VG_(get_running_tid)()];
	if (*thread == NULL)
		*thread = VG_(calloc)("pc.locks", 1, sizeof(Thread));
	return *thread;
}

static Held *held(Thread *thread, Addr mutex)
{
	for (UInt i = 0; i < thread->held_count; i++) {
		if (thread->held[i].mutex == mutex)
			return &thread->held[i];
	}
	return NULL;
}

static void acquire_mutex(const VexGuestAMD64State *guest, Addr mutex, SiteIndex site)
{
	Thread *thread = running_thread();
	Held *known = held(thread, mutex);
	if (known != NULL) {
		known->depth++;
	} else {
		if (thread->held_count == thread->held_capacity) {
			thread->held_capacity = thread->held_capacity == 0 ? 8 : thread->held_capacity * 2;
			thread->held = VG_(realloc)("pc.locks", thread->held, thread->held_capacity * sizeof(Held));
		}
		thread->held[thread->held_count++] = (Held){mutex, 1};
	}
	append(guest, POWERCUT_ACQUIRE, POWERCUT_MUTEX, 0, mutex, site);
}

/* The C library's mutex says of itself that only its holder can give it back: recursive, checked or robust. */
static Bool is_checked(Addr mutex)
{
	if (!pc_is_readable(mutex, MUTEX_KIND_AT + sizeof(Int)))
		return False;
	Int kind = *(const Int *)(mutex + MUTEX_KIND_AT);
	return (kind & 3) == PTHREAD_MUTEX_RECURSIVE_ || (kind & 3) == PTHREAD_MUTEX_ERRORCHECK_ ||
			(kind & PTHREAD_MUTEX_ROBUST_) != 0;
}

/* False if that will fail. */
static Bool release_mutex(const VexGuestAMD64State *guest, Addr mutex, SiteIndex site)
{
	Thread *thread = running_thread();
	Held *known = held(thread, mutex);
	if (known == NULL && is_checked(mutex))
		return False;
	if (known != NULL && --known->depth == 0)
		*known = thread->held[--thread->held_count];
	append(guest, POWERCUT_RELEASE, POWERCUT_MUTEX, 0, mutex, site);
	return True;
}

/* ------------------------------------------------------ entry and return */

/* Those whose frames are gone: a signal handler or an exception left them. */
static void drop_abandoned(Thread *thread, Addr sp)
{
	while (thread->depth > 0 && thread->stack[thread->depth - 1].sp <= sp)
		thread->depth--;
}

static Bool is_once(const Pending *pending)
{
	return pending->function != NULL && pending->function->role == ONCE;
}

/* Whether the object says that the routine of pthread_once did not begin yet. */
static Bool is_untouched(Addr once)
{
	return pc_is_readable(once, sizeof(Int)) && *(const Int *)once == 0;
}

/* A new one, if what the thread does counts there; else NULL. */
static Pending *begin(Thread *thread, const VexGuestAMD64State *guest, const Function *function, ULong set)
{
	Addr sp = guest->guest_RSP;
	Addr returns_to = *(const Addr *)sp;
	drop_abandoned(thread, sp - 1);
	Pending *last = thread->depth == 0 ? NULL : &thread->stack[thread->depth - 1];
	/* One that jumped to another one has not returned. The same one again was left. */
	if (last != NULL && last->sp == sp &&
			(last->returns_to != returns_to || (last->function == function && last->declared == set))) {
		thread->depth--;
		last = thread->depth == 0 ? NULL : last - 1;
	}
	if (thread->depth == MAX_NESTED || (last != NULL && !is_once(last)))
		return NULL;
	Pending *pending = &thread->stack[thread->depth++];
	*pending = (Pending){.sp = sp, .returns_to = returns_to, .function = function, .declared = set};
	pc_returns_note(returns_to);
	return pending;
}

void pc_on_lock_entered(VexGuestAMD64State *guest, UWord function, UWord first, UWord second, UWord site)
{
	const Function *entered = &functions[function];
	Pending *pending = begin(running_thread(), guest, entered, 0);
	if (pending == NULL)
		return;
	Addr object = entered->object != 0 ? entered->object : first;
	pending->object = object;
	switch (entered->role) {
	case TAKES: break;
	case GIVES:
		if (entered->what == POWERCUT_MUTEX)
			release_mutex(guest, object, (SiteIndex)site);
		else
			append(guest, POWERCUT_RELEASE, entered->what, 0, object, (SiteIndex)site);
		break;
	case MEETS: append(guest, POWERCUT_RELEASE, entered->what, 0, object, (SiteIndex)site); break;
	case WAITS:
		pending->mutex = second;
		pending->released = release_mutex(guest, second, (SiteIndex)site);
		break;
	case ONCE: pending->runs = is_untouched(object); break;
	}
}

void pc_on_declared_entered(VexGuestAMD64State *guest, ULong set, UWord site)
{
	Pending *pending = begin(running_thread(), guest, NULL, set);
	pc_declared_entered(set);
	if (pending == NULL)
		return;
	pending->call = pc_declared_call(guest);
	for (UInt i = 0; i < MAX_DECLARED; i++) {
		Addr lock = (set >> i & 1) != 0 && !pc_declared_acquires(i) ? pc_declared_lock(i, &pending->call) : 0;
		if (lock == 0)
			continue;
		append(guest, POWERCUT_RELEASE, POWERCUT_DECLARED, 0, lock, (SiteIndex)site);
		pc_declared_took(i);
		pending->gave = True;
	}
}

static void declared_returned(const VexGuestAMD64State *guest, const Pending *pending, SiteIndex site)
{
	for (UInt i = 0; i < MAX_DECLARED; i++) {
		if ((pending->declared >> i & 1) == 0 || !pc_declared_acquires(i) || !pc_declared_succeeded(i, &pending->call))
			continue;
		Addr lock = pc_declared_lock(i, &pending->call);
		if (lock == 0)
			continue;
		append(guest, POWERCUT_ACQUIRE, POWERCUT_DECLARED, pc_declared_mode(i), lock, site);
		pc_declared_took(i);
	}
	if (pending->gave)
		pc_schedule_may_pause(VG_(get_running_tid)(), site); /* as behind a lock of the C library */
}

static Bool has_succeeded(const Function *function, Int result)
{
	switch (function->success) {
	case ZERO: return result == 0;
	case NOT_ZERO: return result != 0;
	case ANYTHING: break;
	}
	return True;
}

static void returned(const VexGuestAMD64State *guest, const Pending *pending, Int result, SiteIndex site)
{
	const Function *function = pending->function;
	Bool success = has_succeeded(function, result);
	switch (function->role) {
	case TAKES:
		if (function->what == POWERCUT_MUTEX && (success || result == EOWNERDEAD_))
			acquire_mutex(guest, pending->object, site);
		else if (success)
			append(guest, POWERCUT_ACQUIRE, function->what, function->mode, pending->object, site);
		break;
	case GIVES:
		/* Others may now take the lock, before what this thread does behind it. */
		pc_schedule_may_pause(VG_(get_running_tid)(), site);
		break;
	case WAITS:
		if (success || result == EOWNERDEAD_)
			append(guest, POWERCUT_ACQUIRE, POWERCUT_CONDITION, 0, pending->object, site);
		if (pending->released && result != ENOTRECOVERABLE_)
			acquire_mutex(guest, pending->mutex, site);
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
	if (pending.function != NULL) {
		returned(guest, &pending, (Int)result, pc_site_of(here - 1));
		return;
	}
	pending.call.result = result;
	declared_returned(guest, &pending, pc_site_of(here - 1));
}

Bool pc_in_lock_function(const VexGuestAMD64State *guest)
{
	Thread *thread = running_thread();
	drop_abandoned(thread, guest->guest_RSP - 1);
	return thread->depth > 0 && !is_once(&thread->stack[thread->depth - 1]);
}

void pc_locks_init(void)
{
	if (pc_options.races)
		threads = pc_zeros(pc_most_threads(), sizeof(Thread *));
}

void pc_locks_forget_thread(ThreadId tid)
{
	if (!pc_options.races)
		return;
	if (threads[tid] != NULL) {
		threads[tid]->depth = 0;
		threads[tid]->held_count = 0;
	}
	pc_words_forget_thread(tid);
}
