/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which thread runs.
 *
 * Valgrind runs the thread that has its lock, and gives the lock away where it likes. Here its lock is replaced from the
 * second thread on. The owner of the turn keeps it in a system call, too: whoever waits at the lock looks whether the
 * owner sleeps there. Only then the turn goes on, so a call that does not sleep costs next to nothing. The one that
 * looks, or whose slice is over, makes the choice.
 *
 * A slice ends through the counter of blocks that Valgrind's code checks at the beginning of each block.
 */
#include "schedule.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "hold.h"
#include "kernel_abi.h"
#include "options.h"
#include "policy.h"
#include "schedule_log.h"
#include "slots.h"
#include "threads.h"
#include "timed.h"
#include "trace.h"

#define VALGRINDS_SLICE 100000 /* the counter gets so much when it was 0 */
#define SLICE_OF_A_SPINNER 300 /* ... and this at a pause instruction, if it was more */
#define PLACE_OF_CODE (1ULL << 63) /* that is known by its address, not by the number of a site */
#define NEVER (~0ULL)
/*
 * Other processes end these system calls. For so long they are given time to do it, as if the call did not sleep: so
 * others that are quick do not make the schedule depend on how quick they are.
 */
#define PATIENCE_WITH_READERS_NS 200000000ULL
#define PATIENCE_WITH_CHILDREN_NS 2000000000ULL
/* How long a replay waits for what came in time when it was recorded. */
#define PATIENCE_OF_REPLAY_NS 20000000000ULL
#define PATIENCE_WITH_FUTEX_NS 3000000000ULL /* which hardly anybody outside wakes */
#define FIRST_LOOKS 20
#define SLICE_WHEN_PUT_OFF 50 /* blocks: others shall go first as soon as they can */
/* Who looks opens a file for a moment, and must not take the descriptor that a system call is about to get. */
#define LOOKS_BEFORE_DESCRIPTOR 200
#define KICK 64 /* the signal with which Valgrind ends its threads */
#define ETIMEDOUT_ 110
#define FUTEX_PRIVATE 128

typedef enum {
	ABSENT,
	READY, /* at the lock, or on its way there with nothing that could stop it */
	RUNS,
	OUTSIDE, /* in a system call */
	GOING, /* exits */
} State;

typedef struct {
	volatile State state;
	Bool at_lock; /* waits there */
	Int lwp; /* 0 = not known yet */
	Int wakes; /* a futex: counts */
	Int counter; /* what Valgrind left of its own slice */
	UInt call;
	Bool never_sleeps; /* the call */
	Bool gets_descriptor; /* the call */
	ULong patience; /* with the call, ns: others that it waits for may be late */
	TimedKind timed;
	ULong until; /* can run only then, or when nobody else can; in time of blocks, 0 = now */
	ULong real_until;
	Bool is_over; /* the call was ended because its time is over */
	Bool seen_asleep; /* and nothing has happened since that could wake it, but from outside */
	Addr futex; /* that it waits for in the call, 0 = none */
} Thread;

UInt pc_slice_is_over;

static Thread *threads; /* by Valgrind's number */
static ThreadId highest;
static Bool engaged; /* there are, or were, several threads */
static Bool ending; /* Valgrind ends all threads */
static Int guard; /* of what follows, and of the threads */
static volatile ThreadId owner; /* of the turn; 0 = nobody: it is being given */
static ThreadId watcher; /* a thread that decides, or waits for the owner to sleep; 0 = none */
static ThreadId last_watcher;
static ThreadId last_owner;
static TurnEnd last_end;
static Bool to_syscall; /* the lock is given back for one */

static Turn current; /* the owner's turn so far */
static ULong slice_left; /* blocks */
static Int given; /* counter at the start of the code that runs */
static Bool in_code;
static Bool pauses; /* its slice was ended for a pause */
static ULong all_blocks; /* of all turns */
static ULong skipped; /* ns in which nobody could run */
static volatile Bool following; /* a recorded schedule */
static Bool has_guardian;

/* ----------------------------------------------------------------- basics */

static void lock_guard(void)
{
	while (__atomic_exchange_n(&guard, 1, __ATOMIC_ACQUIRE) != 0)
		VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0); /* not asleep: others may look */
}

static void unlock_guard(void)
{
	__atomic_store_n(&guard, 0, __ATOMIC_RELEASE);
}

static ULong real_ns(void)
{
	struct vki_timespec now = {0, 0};
	VG_(do_syscall)(__NR_clock_gettime, 1, (UWord)&now, 0, 0, 0, 0, 0, 0);
	return (ULong)now.tv_sec * 1000000000ULL + (ULong)now.tv_nsec;
}

static void nap(UInt looks)
{
	struct vki_timespec time = {0, looks < 10 * FIRST_LOOKS ? 50000 : 1000000};
	if (looks < FIRST_LOOKS)
		VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
	else
		VG_(do_syscall)(__NR_nanosleep, (UWord)&time, 0, 0, 0, 0, 0, 0, 0);
}

static void wake(ThreadId tid)
{
	__atomic_add_fetch(&threads[tid].wakes, 1, __ATOMIC_RELEASE);
	VG_(do_syscall)(__NR_futex, (UWord)&threads[tid].wakes, FUTEX_WAKE_ | FUTEX_PRIVATE, 1, 0, 0, 0, 0, 0);
}

static ThreadId self(void)
{
	Int lwp = VG_(gettid)();
	for (ThreadId tid = 1; tid <= highest; tid++) {
		if (threads[tid].lwp == lwp)
			return tid;
	}
	tl_assert2(0, "thread %d is unknown", lwp);
}

static ThreadId guardian(void)
{
	return pc_most_threads();
}

static ULong now(void)
{
	return all_blocks * NS_PER_BLOCK + skipped;
}

/* Guard held, or it is the only one that can get here. */
static const Turn *recorded(void)
{
	const Turn *turn = ending ? NULL : pc_log_turn();
	following = turn != NULL;
	return turn;
}

/* -------------------------------------------------- what other threads do */

/* The letter in /proc: S = asleep; 0 = gone. */
static HChar kernel_state(const Thread *thread)
{
	HChar path[64];
	HChar text[512];
	VG_(snprintf)(path, sizeof path, "/proc/self/task/%d/stat", thread->lwp);
	Int fd = VG_(fd_open)(path, VKI_O_RDONLY | VKI_O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	Int length = VG_(read)(fd, text, sizeof text - 1);
	VG_(close)(fd);
	if (length <= 0)
		return 0;
	text[length] = 0;
	const HChar *end_of_name = VG_(strrchr)(text, ')');
	return end_of_name == NULL ? 0 : end_of_name[2];
}

static Bool is_asleep(Thread *thread)
{
	if (!thread->seen_asleep)
		thread->seen_asleep = kernel_state(thread) == 'S';
	return thread->seen_asleep;
}

static void look_at_all_again(void)
{
	for (ThreadId tid = 1; tid <= highest; tid++)
		threads[tid].seen_asleep = False;
}

static void forget(Thread *thread)
{
	thread->lwp = 0;
	thread->state = ABSENT;
}

/* In a child after fork, which has one thread. */
static void leave_all(void)
{
	for (ThreadId tid = 1; engaged && tid <= highest; tid++)
		forget(&threads[tid]);
	engaged = ending = following = has_guardian = False;
	owner = watcher = last_watcher = highest = VG_INVALID_THREADID;
	guard = 0;
	pc_hold_forget();
}

/* Gets out of its system call; see on_kick. */
static void end_wait(Thread *thread)
{
	thread->is_over = True;
	thread->until = 0;
	VG_(do_syscall)(__NR_tgkill, (UWord)VG_(getpid)(), (UWord)thread->lwp, KICK, 0, 0, 0, 0, 0);
}

/* Whether what it does is over, or cannot go on without another thread. */
static Bool is_settled(Thread *thread)
{
	switch (thread->state) {
	case ABSENT:
	case READY:
	case RUNS: return True;
	case OUTSIDE: break;
	case GOING: {
		HChar state = kernel_state(thread);
		if (state != 0 && state != 'Z' && state != 'X')
			return False;
		forget(thread);
		look_at_all_again();
		return True;
	}
	}
	if (thread->is_over || !is_asleep(thread))
		return False;
	if (thread->until == 0 || thread->until > now())
		return True;
	if (thread->timed == TIMED_FUTEX)
		end_wait(thread);
	return False;
}

/* Those that exit come first: the kernel wakes who waits for their end. */
static void settle(void)
{
	for (ThreadId tid = 1; tid <= highest; tid++) {
		for (UInt looks = 0; threads[tid].state == GOING && !is_settled(&threads[tid]); looks++)
			nap(looks);
	}
	for (ThreadId tid = 1; tid <= highest; tid++) {
		for (UInt looks = 0; !is_settled(&threads[tid]); looks++)
			nap(looks);
	}
}

/* ------------------------------------------------------------- the choice */

/* Of a slice. Where a recorded turn ended otherwise, one more shows if it does not now. */
static ULong blocks_of(const Turn *turn)
{
	if (turn == NULL) {
		ULong blocks = pc_policy_slice(all_blocks);
		Bool is_short = pc_hold_is_put_off(current.tid, now()) && blocks > SLICE_WHEN_PUT_OFF;
		return is_short ? SLICE_WHEN_PUT_OFF : blocks;
	}
	return turn->blocks + (turn->end == TURN_SLICE || turn->end == TURN_PAUSES ? 0 : 1);
}

static void end_turn(TurnEnd end, UInt call)
{
	current.end = end;
	current.call = call;
	last_owner = owner;
	last_end = end;
	if (!ending)
		pc_log_turn_ends(&current);
}

/* Guard held. */
static void give_turn(ThreadId tid)
{
	const Turn *turn = recorded();
	current = (Turn){tid, 0, TURN_SLICE, 0};
	slice_left = blocks_of(turn);
	pauses = False;
	if (threads[tid].until > now())
		skipped += threads[tid].until - now();
	threads[tid].until = 0;
	pc_hold_turn(tid, now());
	owner = tid;
	last_watcher = watcher;
	watcher = VG_INVALID_THREADID;
	if (threads[tid].at_lock)
		wake(tid);
}

/* The sleeper whose time comes first: nobody else can run, so it is now. */
static ThreadId first_sleeper(void)
{
	ThreadId first = VG_INVALID_THREADID;
	for (ThreadId tid = 1; tid <= highest; tid++) {
		State state = threads[tid].state;
		if (threads[tid].until != 0 && (state == READY || state == OUTSIDE) &&
				(first == VG_INVALID_THREADID || threads[tid].until < threads[first].until))
			first = tid;
	}
	if (first == VG_INVALID_THREADID || threads[first].state == READY)
		return first;
	if (threads[first].timed == TIMED_FUTEX && real_ns() >= threads[first].real_until) {
		skipped += threads[first].until > now() ? threads[first].until - now() : 0;
		end_wait(&threads[first]);
	}
	return VG_INVALID_THREADID;
}

static Bool is_held(ThreadId tid)
{
	return !ending && pc_hold_keeps(tid, now());
}

static ThreadId choice_of_policy(void)
{
	Bool can_run[highest + 1];
	Bool any = False;
	for (ThreadId tid = 1; tid <= highest; tid++) {
		const Thread *thread = &threads[tid];
		Bool sleeps = !ending && thread->until > now(); /* time stands still in the end, and the sleep was ended */
		can_run[tid] = thread->state == READY && !sleeps && !is_held(tid);
		any |= can_run[tid];
	}
	return any ? pc_policy_choose(can_run, highest, last_owner, last_end, all_blocks) : VG_INVALID_THREADID;
}

/* Nobody can run but those that sleep, and the one that lets others go first. Those outside may get something to do. */
static ThreadId choice_of_the_last(ULong waited)
{
	ThreadId sleeper = first_sleeper();
	ThreadId last = VG_INVALID_THREADID;
	Bool waits = False;
	Bool is_served = False;
	for (ThreadId tid = 1; tid <= highest; tid++) {
		const Thread *thread = &threads[tid];
		if (thread->state == READY && is_held(tid))
			last = tid;
		waits |= thread->state == OUTSIDE && thread->until != 0;
		is_served |= thread->state == OUTSIDE && thread->futex == 0;
	}
	if (last != VG_INVALID_THREADID && !pc_hold_is_put_off(last, now()))
		waits |= is_served && waited < PATIENCE_WITH_READERS_NS;
	return sleeper != VG_INVALID_THREADID || waits ? sleeper : last;
}

/* Guard held. None if it has to be waited for. */
static ThreadId choice_of_recording(const Turn *turn)
{
	Thread *thread = &threads[turn->tid];
	if (turn->tid > highest || thread->state == ABSENT || thread->state == GOING)
		pc_log_differs("there thread %u ran next, which does not exist now", turn->tid);
	if (thread->state == READY)
		return turn->tid;
	if (thread->timed == TIMED_FUTEX && thread->until != 0 && real_ns() >= thread->real_until)
		end_wait(thread);
	return VG_INVALID_THREADID;
}

static ULong patience_of_replay(const Thread *thread)
{
	return thread->futex != 0 && thread->timed == TIMED_NOT ? PATIENCE_WITH_FUTEX_NS : PATIENCE_OF_REPLAY_NS;
}

/* The caller is the watcher, and nobody has the turn. */
static void decide(void)
{
	ULong begin = 0;
	ThreadId chosen = VG_INVALID_THREADID; /* by the policy, which is asked once, also when a recording is followed */
	for (UInt looks = 0;; looks++) {
		settle();
		lock_guard();
		const Turn *turn = recorded();
		if (chosen == VG_INVALID_THREADID)
			chosen = choice_of_policy();
		ThreadId next = turn != NULL ? choice_of_recording(turn) : chosen;
		if (turn == NULL && next == VG_INVALID_THREADID) {
			begin = begin == 0 ? real_ns() : begin;
			next = choice_of_the_last(real_ns() - begin);
		}
		if (next != VG_INVALID_THREADID) {
			give_turn(next);
			unlock_guard();
			return;
		}
		unlock_guard();
		if (turn != NULL) {
			begin = begin == 0 ? real_ns() : begin;
			if (real_ns() - begin > patience_of_replay(&threads[turn->tid]))
				pc_log_differs("there thread %u ran next; now it sleeps in system call %u", turn->tid,
						threads[turn->tid].call);
		}
		nap(looks);
	}
}

/* ------------------------------------------------------------ the watcher */

/* Until the owner of the turn is back from its system call, or cannot come back; True then. */
static Bool owner_sleeps(ThreadId tid)
{
	ULong begin = 0;
	Thread *thread = &threads[tid];
	for (UInt looks = 0; thread->gets_descriptor && looks < LOOKS_BEFORE_DESCRIPTOR; looks++) {
		if (thread->state != OUTSIDE || owner != tid)
			return False;
		nap(looks);
	}
	for (UInt looks = 0; thread->state == OUTSIDE && owner == tid; looks++) {
		Bool is_followed = following;
		ULong patience = is_followed ? patience_of_replay(thread) : thread->patience;
		if (is_asleep(thread)) {
			ULong time = patience == 0 ? 0 : real_ns();
			begin = begin == 0 ? time : begin;
			if (time - begin >= patience && is_followed)
				pc_log_differs("there thread %u went on after %llu blocks; now it sleeps in system call %u", tid,
						current.blocks, thread->call);
			if (time - begin >= patience)
				return True;
			thread->seen_asleep = False;
		}
		nap(looks);
	}
	return False;
}

/* Guard held on entry and return. */
static void watch(ThreadId tid)
{
	ThreadId watched = owner;
	watcher = tid;
	if (watched != VG_INVALID_THREADID) {
		unlock_guard();
		Bool sleeps = owner_sleeps(watched);
		lock_guard();
		if (owner == watched) {
			if (!sleeps || threads[watched].state != OUTSIDE) {
				last_watcher = watcher;
				watcher = VG_INVALID_THREADID;
				return;
			}
			end_turn(TURN_SLEEPS, threads[watched].call);
			owner = VG_INVALID_THREADID;
		}
	}
	unlock_guard();
	decide();
	lock_guard();
}

/* Guard held. Somebody has to look after the owner, who leaves. */
static void send_watcher(void)
{
	if (watcher != VG_INVALID_THREADID)
		return;
	if (last_watcher != VG_INVALID_THREADID && threads[last_watcher].at_lock) {
		wake(last_watcher);
		return;
	}
	for (ThreadId tid = 1; tid <= highest; tid++) {
		if (threads[tid].at_lock) {
			wake(tid);
			return;
		}
	}
	if (has_guardian)
		wake(guardian());
}

static Bool needs_watcher(void)
{
	return watcher == VG_INVALID_THREADID &&
			(owner == VG_INVALID_THREADID || (threads[owner].state == OUTSIDE && !threads[owner].never_sleeps));
}

/* ----------------------------------------------------------- the guardian */

/*
 * A thread of ours, which the target does not see. If all others sleep, nobody is at the lock who could end a wait whose
 * time is over. It is there from the first such wait on.
 */
extern Long do_syscall_clone_amd64_linux(Word (*function)(void *), void *stack, Long flags, void *argument,
		Int *child_tid, Int *parent_tid, void *tls);

#define GUARDIANS_STACK 65536
#define SHARES_ALL 0x50f00 /* CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD, _SYSVSEM */

static Bool all_are_away(void)
{
	for (ThreadId tid = 1; tid <= highest; tid++) {
		if (threads[tid].state == READY || threads[tid].state == RUNS)
			return False;
	}
	return True;
}

static Word keep_guard(void *unused)
{
	Thread *thread = &threads[guardian()];
	(void)unused;
	for (;;) {
		lock_guard();
		if (needs_watcher() && all_are_away())
			watch(guardian());
		Int seen = thread->wakes;
		unlock_guard();
		VG_(do_syscall)(__NR_futex, (UWord)&thread->wakes, FUTEX_WAIT_ | FUTEX_PRIVATE, (UWord)seen, 0, 0, 0, 0, 0);
	}
	return 0;
}

static void need_guardian(void)
{
	static UChar stack[GUARDIANS_STACK] __attribute__((aligned(16)));
	Int unused;
	if (has_guardian)
		return;
	if (do_syscall_clone_amd64_linux(keep_guard, stack + GUARDIANS_STACK - 16, SHARES_ALL, NULL, &unused, &unused,
				NULL) < 0)
		pc_give_up("the system lets this process have no further thread, but the recorder needs one of its own");
	has_guardian = True;
}

/* --------------------------------------------------------- Valgrind's lock */

/* A sleep ends a turn at once; what else sleeps is seen later, but a recording knows it before. */
static void go_outside(Thread *thread)
{
	const Turn *turn = recorded();
	Bool slept = turn != NULL && turn->end == TURN_SLEEPS && turn->tid == owner && turn->blocks == current.blocks;
	thread->state = OUTSIDE;
	thread->seen_asleep = False;
	if (slept || thread->timed == TIMED_SLEEP) {
		end_turn(TURN_SLEEPS, thread->call);
		owner = VG_INVALID_THREADID;
	}
	if (owner == VG_INVALID_THREADID || !thread->never_sleeps)
		send_watcher();
}

static TurnEnd end_of_slice(void)
{
	if (slice_left > 0)
		return TURN_YIELDS;
	return pauses ? TURN_PAUSES : TURN_SLICE;
}

/* Whether it waits for a disk. Here the files are in memory, and it would return at once. */
static Bool is_sync(UInt call)
{
	return call == __NR_fsync || call == __NR_fdatasync || call == __NR_msync || call == __NR_syncfs ||
			call == __NR_sync;
}

/* Whether a call ends the turn though it does not sleep here. A recorded order is followed as it was. */
static Bool yields_in(UInt call)
{
	const Turn *turn = recorded();
	if (call == __NR_sched_yield)
		return True;
	if (!is_sync(call) || pc_options.policy != POLICY_DEFAULT)
		return False;
	return turn == NULL || (turn->end == TURN_YIELDS && turn->tid == owner && turn->blocks == current.blocks);
}

static void release(void)
{
	ThreadId tid = owner;
	Thread *thread = &threads[tid];
	Bool is_syscall = to_syscall;
	to_syscall = False;
	lock_guard();
	if (thread->state == GOING) {
		end_turn(TURN_EXITS, 0);
		owner = VG_INVALID_THREADID;
		send_watcher();
	} else if (is_syscall && !yields_in(thread->call)) {
		go_outside(thread);
	} else if (!is_syscall && !ending && slice_left > 0 && thread->counter == 0) {
		thread->counter = VALGRINDS_SLICE; /* its own slice is over, not ours */
	} else {
		thread->state = READY;
		if (is_syscall && thread->call == __NR_sched_yield)
			pc_hold_others_yield(tid);
		end_turn(is_syscall ? TURN_YIELDS : end_of_slice(), 0);
		owner = VG_INVALID_THREADID;
		if (watcher == VG_INVALID_THREADID) { /* else the watcher sees it */
			watcher = tid;
			unlock_guard();
			decide();
			return;
		}
	}
	unlock_guard();
}

static void acquire(void)
{
	ThreadId tid = self();
	Thread *thread = &threads[tid];
	lock_guard();
	if (owner != tid) {
		if (thread->state == OUTSIDE && thread->timed != TIMED_SLEEP)
			thread->until = 0; /* woken */
		thread->state = READY;
		thread->at_lock = True;
		while (owner != tid) {
			if (needs_watcher()) {
				watch(tid);
				continue;
			}
			Int seen = thread->wakes;
			unlock_guard();
			VG_(do_syscall)(__NR_futex, (UWord)&thread->wakes, FUTEX_WAIT_ | FUTEX_PRIVATE, (UWord)seen, 0, 0, 0, 0, 0);
			lock_guard();
		}
		thread->at_lock = False;
	}
	thread->state = RUNS;
	unlock_guard();
}

struct sched_lock;

#define DEFINE_LOCK(name, ours) \
	void __real_##name(struct sched_lock *); \
	void __wrap_##name(struct sched_lock *); \
	void __wrap_##name(struct sched_lock *lock) \
	{ \
		if (engaged) \
			ours(); \
		else \
			__real_##name(lock); \
	}
#define WRAP_LOCK(name, ours) DEFINE_LOCK(name, ours)
WRAP_LOCK(vgModuleLocal_acquire_sched_lock, acquire)
WRAP_LOCK(vgModuleLocal_release_sched_lock, release)

/* Once at the start, and in a child after fork, which has one thread. */
#define DEFINE_NEW_LOCK(name) \
	struct sched_lock *__real_##name(void); \
	struct sched_lock *__wrap_##name(void); \
	struct sched_lock *__wrap_##name(void) \
	{ \
		leave_all(); \
		return __real_##name(); \
	}
#define WRAP_NEW_LOCK(name) DEFINE_NEW_LOCK(name)
WRAP_NEW_LOCK(vgModuleLocal_create_sched_lock)

#define DEFINE_LOCK_OWNER(name) \
	Int __real_##name(struct sched_lock *); \
	Int __wrap_##name(struct sched_lock *); \
	Int __wrap_##name(struct sched_lock *lock) \
	{ \
		return engaged ? threads[owner].lwp : __real_##name(lock); \
	}
#define WRAP_LOCK_OWNER(name) DEFINE_LOCK_OWNER(name)
WRAP_LOCK_OWNER(vgModuleLocal_get_sched_lock_owner)

/* These call the above. A thread tells its number when it begins. A signal ends its sleep. */
#define DEFINE_ACQUIRE(name) \
	void __real_##name(ThreadId, const HChar *); \
	void __wrap_##name(ThreadId, const HChar *); \
	void __wrap_##name(ThreadId tid, const HChar *who) \
	{ \
		if (engaged && threads[tid].lwp == 0) \
			threads[tid].lwp = VG_(gettid)(); \
		if (engaged && VG_(strcmp)(who, "async_signalhandler") == 0) \
			threads[tid].until = 0; \
		__real_##name(tid, who); \
	}
#define WRAP_ACQUIRE(name) DEFINE_ACQUIRE(name)
WRAP_ACQUIRE(vgPlain_acquire_BigLock)

/* Called from outside the scheduler for system calls only. */
#define DEFINE_RELEASE(name) \
	void __real_##name(ThreadId, UInt, const HChar *); \
	void __wrap_##name(ThreadId, UInt, const HChar *); \
	void __wrap_##name(ThreadId tid, UInt state, const HChar *who) \
	{ \
		to_syscall = True; \
		__real_##name(tid, state, who); \
	}
#define WRAP_RELEASE(name) DEFINE_RELEASE(name)
WRAP_RELEASE(vgPlain_release_BigLock)

/* ------------------------------------------------------------ time slices */

/*
 * A jump forward to a block that is translated already skips the block's check of the counter. With that, how many blocks
 * are counted would depend on what is translated when, and so on the recorder's options.
 */
#define DEFINE_JUMP(name) \
	void *__real_##name(ULong, void *, UInt, Bool); \
	void *__wrap_##name(ULong, void *, UInt, Bool); \
	void *__wrap_##name(ULong to, void *instruction_pointer, UInt condition, Bool skips_check) \
	{ \
		return __real_##name(to, instruction_pointer, condition, skips_check && pc_options.policy == POLICY_SYSTEM); \
	}
#define WRAP_JUMP(name) DEFINE_JUMP(name)
WRAP_JUMP(AMD64Instr_XDirect)

static Int read_counter(ThreadId tid)
{
	Int counter = 0;
	VG_(get_shadow_regs_area)
	(tid, (UChar *)&counter, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof counter);
	return counter;
}

static void write_counter(ThreadId tid, Int counter)
{
	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof counter, (const UChar *)&counter);
}

static void account(Int counter)
{
	ULong executed = (ULong)(given - (counter > 0 ? counter : 0));
	slice_left -= executed < slice_left ? executed : slice_left;
	current.blocks += executed;
	all_blocks += executed;
}

void pc_schedule_runs(ThreadId tid)
{
	if (!engaged || ending)
		return;
	Thread *thread = &threads[tid];
	Int counter = read_counter(tid);
	if (counter == SLICE_OF_A_SPINNER && thread->counter > SLICE_OF_A_SPINNER && slice_left > SLICE_OF_A_SPINNER)
		slice_left = SLICE_OF_A_SPINNER;
	/* Valgrind insists on one block in a case in which it cannot stop. */
	Bool insists = counter == 1 && thread->counter == 0;
	given = counter;
	if (slice_left < (ULong)counter && !insists) {
		given = (Int)slice_left;
		write_counter(tid, given);
	}
	in_code = True;
}

static void on_stop(ThreadId tid, ULong blocks)
{
	(void)blocks;
	if (!in_code)
		return;
	Int counter = read_counter(tid);
	account(counter);
	threads[tid].counter = counter > 0 ? counter : 0;
	in_code = False;
	pc_slice_is_over = 0;
}

static void end_slice(ThreadId tid)
{
	pauses = True;
	if (in_code) {
		account(read_counter(tid));
		given = 0;
		write_counter(tid, 0);
		pc_slice_is_over = 1;
	}
	slice_left = 0;
}

Bool pc_schedule_may_interrupt(void)
{
	return pc_options.policy == POLICY_DELAY || pc_hold_is_wanted();
}

/* ----------------------------------------------------------- system calls */

static ULong patience_with(UInt number)
{
	switch (number) {
	case __NR_write:
	case __NR_writev:
	case __NR_sendto:
	case __NR_sendmsg:
	case __NR_sendmmsg:
	case __NR_sendfile:
	case __NR_splice: return PATIENCE_WITH_READERS_NS;
	case __NR_wait4:
	case __NR_waitid: return PATIENCE_WITH_CHILDREN_NS;
	default: return 0;
	}
}

static Bool is_futex_wait(UInt number, const UWord *args)
{
	if (number != __NR_futex)
		return False;
	switch (args[1] & FUTEX_COMMAND) {
	case FUTEX_WAIT_:
	case FUTEX_WAIT_BITSET_:
	case FUTEX_LOCK_PI_:
	case FUTEX_LOCK_PI2_:
	case FUTEX_WAIT_REQUEUE_PI_: return True;
	default: return False;
	}
}

static Bool is_new_descriptor(UInt number)
{
	switch (number) {
	case __NR_open:
	case __NR_openat:
	case __NR_creat:
	case __NR_socket:
	case __NR_accept:
	case __NR_accept4:
	case __NR_recvmsg:
	case __NR_recvmmsg: return True;
	default: return False;
	}
}

static Bool is_kill(UInt number)
{
	switch (number) {
	case __NR_kill:
	case __NR_tkill:
	case __NR_tgkill:
	case __NR_rt_sigqueueinfo:
	case __NR_rt_tgsigqueueinfo: return True;
	default: return False;
	}
}

/* A futex wakes those that wait for it, a signal anyone, any other call those that do not wait for a futex. */
static void look_again_after(UInt number, const UWord *args)
{
	if (is_kill(number)) {
		look_at_all_again();
		return;
	}
	if (number != __NR_futex) {
		for (ThreadId tid = 1; tid <= highest; tid++)
			threads[tid].seen_asleep = threads[tid].seen_asleep && threads[tid].futex != 0;
		return;
	}
	switch (args[1] & FUTEX_COMMAND) {
	case FUTEX_WAKE_:
	case FUTEX_WAKE_BITSET_:
		for (ThreadId tid = 1; tid <= highest; tid++)
			threads[tid].seen_asleep = threads[tid].seen_asleep && threads[tid].futex != args[0];
		return;
	case FUTEX_WAIT_:
	case FUTEX_WAIT_BITSET_: return;
	default: /* it may move waiters to another futex */
		for (ThreadId tid = 1; tid <= highest; tid++) {
			threads[tid].futex = 0;
			threads[tid].seen_asleep = False;
		}
	}
}

void pc_schedule_before_syscall(ThreadId tid, UInt number, const UWord *args)
{
	ULong ns = 0;
	if (!engaged)
		return;
	Thread *thread = &threads[tid];
	look_again_after(number, args);
	thread->call = number;
	thread->futex = is_futex_wait(number, args) ? args[0] : 0;
	thread->never_sleeps = number == __NR_futex && thread->futex == 0;
	thread->gets_descriptor = is_new_descriptor(number);
	thread->patience = patience_with(number);
	thread->timed = pc_timed_wait(number, args, &ns);
	thread->until = thread->timed == TIMED_NOT ? 0 : now() + ns + 1;
	thread->real_until = thread->timed == TIMED_NOT ? 0 : real_ns() + ns;
	thread->is_over = False;
	if (thread->timed == TIMED_FUTEX)
		need_guardian();
	if (thread->never_sleeps && pc_hold_is_put_off(tid, now()))
		end_slice(tid); /* it may have woken another one */
}

Bool pc_schedule_keeps_time_of(ThreadId tid)
{
	return engaged && threads[tid].timed == TIMED_FUTEX;
}

SysRes pc_schedule_after_syscall(ThreadId tid, UInt number, SysRes result)
{
	if (!engaged)
		return result;
	Thread *thread = &threads[tid];
	Bool timed_out = number == __NR_futex && thread->timed == TIMED_FUTEX && sr_isError(result) &&
			sr_Err(result) == VKI_EINTR && thread->is_over;
	thread->timed = TIMED_NOT;
	thread->until = 0;
	if (is_kill(number) && !ending)
		settle(); /* a signal that comes before the same one is taken is lost */
	if (!timed_out)
		return result;
	UWord value = (UWord)-ETIMEDOUT_;
	VG_(set_shadow_regs_area)(tid, 0, offsetof(VexGuestAMD64State, guest_RAX), sizeof value, (const UChar *)&value);
	return VG_(mk_SysRes_Error)(ETIMEDOUT_);
}

/* ---------------------------------------------- beginnings and ends of threads */

typedef void (*Handler)(Int, void *, void *);

static Handler valgrinds_handler;

/* end_wait interrupts a system call; that is all, unless Valgrind wants to end the thread. */
static void on_kick(Int signal, void *info, void *context)
{
	if (VG_(is_exiting)(self()))
		valgrinds_handler(signal, info, context);
}

static void take_over_kicks(void)
{
	vki_sigaction_toK_t action;
	VG_(do_syscall)(__NR_rt_sigaction, KICK, 0, (UWord)&action, sizeof(vki_sigset_t), 0, 0, 0, 0);
	if ((Handler)(Addr)action.ksa_handler == on_kick)
		return;
	valgrinds_handler = (Handler)(Addr)action.ksa_handler;
	action.ksa_handler = (__vki_sighandler_t)(Addr)on_kick;
	action.sa_flags &= ~(unsigned long)VKI_SA_RESTART;
	VG_(do_syscall)(__NR_rt_sigaction, KICK, (UWord)&action, 0, sizeof(vki_sigset_t), 0, 0, 0, 0);
}

static void add_thread(ThreadId tid, State state)
{
	VG_(memset)(&threads[tid], 0, sizeof threads[tid]);
	threads[tid].state = state;
	if (tid > highest)
		highest = tid;
	pc_policy_thread_starts(tid);
}

static void engage(ThreadId creator)
{
	Bool could_interrupt = pc_schedule_may_interrupt();
	pc_log_open();
	if (pc_schedule_may_interrupt() && !could_interrupt)
		VG_(discard_translations)(0, ~0ULL, "code that persists leaves its block from here on");
	pc_policy_init(pc_options.policy, (ULong)pc_options.schedule_seed, (ULong)pc_options.quantum);
	take_over_kicks();
	all_blocks = skipped = 0;
	add_thread(creator, RUNS);
	threads[creator].lwp = VG_(gettid)();
	current = (Turn){creator, 0, TURN_SLICE, 0};
	last_owner = owner = creator;
	to_syscall = pauses = False;
	if (pc_hold_is_behind_its_store(creator) && !pc_log_has_hold())
		pc_log_stops();
	const Turn *turn = recorded();
	slice_left = blocks_of(turn);
	engaged = True;
}

void pc_schedule_thread_created(ThreadId creator, ThreadId child)
{
	if (pc_options.policy == POLICY_SYSTEM || ending)
		return;
	if (!engaged)
		engage(creator);
	lock_guard();
	add_thread(child, READY);
	unlock_guard();
}

void pc_schedule_thread_ends(ThreadId tid)
{
	if (!engaged)
		return;
	lock_guard();
	if (tid == owner)
		threads[tid].state = GOING;
	else
		forget(&threads[tid]); /* it could not be created */
	unlock_guard();
}

void pc_schedule_process_ends(void)
{
	if (!engaged || ending)
		return;
	lock_guard();
	end_turn(TURN_ENDS, 0);
	pc_log_ends(all_blocks);
	ending = True;
	following = False;
	unlock_guard();
}

void pc_schedule_init(void)
{
	threads = VG_(calloc)("pc.schedule", guardian() + 1, sizeof(Thread));
	pc_log_init();
	VG_(track_stop_client_code)(on_stop);
}

/* ------------------------------------------------------------------ pauses */

void pc_schedule_may_pause(ThreadId tid, UInt site)
{
	if (engaged && !ending && pc_policy_pauses(tid, site))
		end_slice(tid);
}

void pc_schedule_stored(ThreadId tid, UInt site)
{
	Bool is_the_store = pc_hold_stored(tid, now());
	if (!engaged || ending)
		return;
	if (is_the_store && !pc_log_has_hold()) {
		pc_log_stops();
		following = False;
	}
	if (pc_policy_pauses(tid, site) || is_the_store)
		end_slice(tid);
}

void pc_schedule_persists(Addr pc)
{
	ThreadId tid = VG_(get_running_tid)();
	if (engaged && !ending && (pc_hold_persists(tid) || pc_policy_pauses(tid, PLACE_OF_CODE | pc)))
		end_slice(tid);
}
