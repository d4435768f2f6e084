/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --deterministic=yes: time and random numbers are the same in every execution.
 *
 * Time is a virtual clock in the control file, common to all processes. It starts at a fixed date and advances a little
 * with each query. When a wait times out, it advances by the time waited for, so loops that wait for a time end. The
 * kernel waits in real time: a wait until a point of the virtual clock becomes one of the same length from now. Random
 * numbers come from a fixed sequence, also in the control file.
 */
#include "determinism.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "libvex_guest_amd64.h"

#include "core_api.h"
#include "events.h"
#include "kernel_abi.h"
#include "memory.h"
#include "options.h"
#include "paths.h"
#include "schedule.h"
#include "slots.h"
#include "trace.h"

#define NS_PER_S 1000000000ULL
#define QUERY_NS 20000ULL
#define DATE_NS (1767225600ULL * NS_PER_S) /* 2026-01-01 00:00:00 UTC: CLOCK_REALTIME's beginning */
#define UPTIME_NS (3600ULL * NS_PER_S) /* that of the other clocks */
#define TICKS_PER_NS 2ULL /* of the time stamp counter */
#define NEVER (~0ULL)

#define AT_RANDOM_ 25
#define TIMER_ABSTIME_ 1
#define TIMERFD_ABSTIME_ 1
#define URANDOM_DEVICE 0x109UL /* major 1, minor 9 */
#define RANDOM_DEVICE 0x108UL
#define UUID_PATH "/proc/sys/kernel/random/uuid"

#define ETIMEDOUT_ 110

#define REALTIME 0
#define MONOTONIC 1

/* What a thread waits for, in virtual time, while the call lasts. */
typedef struct {
	ULong deadline; /* of the virtual clock; NEVER = it does not wait for a time */
	Int clock; /* of an absolute time, -1 = a relative one */
	struct vki_itimerspec real; /* what the kernel gets instead of an absolute time */
} Wait;

static Wait *waits; /* by thread */

/* ---------------------------------------------------------------- clock */

static ULong advance(ULong by)
{
	return __atomic_add_fetch(&pc_control->clock, by, __ATOMIC_RELAXED);
}

static void advance_to(ULong time)
{
	ULong now = __atomic_load_n(&pc_control->clock, __ATOMIC_RELAXED);
	while (now < time &&
			!__atomic_compare_exchange_n(&pc_control->clock, &now, time, False, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static ULong beginning_of(Int clock)
{
	switch (clock) {
	case 0: /* CLOCK_REALTIME */
	case 5: /* CLOCK_REALTIME_COARSE */
	case 8: /* CLOCK_REALTIME_ALARM */
	case 11: /* CLOCK_TAI */ return DATE_NS;
	case 1: /* CLOCK_MONOTONIC */
	case 4: /* CLOCK_MONOTONIC_RAW */
	case 6: /* CLOCK_MONOTONIC_COARSE */
	case 7: /* CLOCK_BOOTTIME */
	case 9: /* CLOCK_BOOTTIME_ALARM */ return UPTIME_NS;
	default: /* processor time of a process or a thread */ return 0;
	}
}

static struct vki_timespec timespec_of(ULong ns)
{
	struct vki_timespec time = {(Long)(ns / NS_PER_S), (Long)(ns % NS_PER_S)};
	return time;
}

static ULong ns_of(const struct vki_timespec *time)
{
	if (time->tv_sec < 0)
		return 0;
	if ((ULong)time->tv_sec > NEVER / NS_PER_S / 4)
		return NEVER / 4;
	return (ULong)time->tv_sec * NS_PER_S + (ULong)time->tv_nsec;
}

/* --------------------------------------------------------------- random */

static ULong random_number(void)
{
	ULong value = __atomic_add_fetch(&pc_control->random, RANDOM_SEED, __ATOMIC_RELAXED);
	value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ULL;
	value = (value ^ value >> 27) * 0x94D049BB133111EBULL;
	return value ^ value >> 31;
}

static void fill_random(UChar *bytes, SizeT size)
{
	ULong value = 0;
	for (SizeT i = 0; i < size; i++) {
		if (i % 8 == 0)
			value = random_number();
		bytes[i] = (UChar)(value >> (8 * (i % 8)));
	}
}

/* Replaces the hexadecimal digits, except those for version and variant. */
static void fill_uuid(UChar *text, SizeT size)
{
	for (SizeT i = 0; i < size; i++) {
		if (text[i] != '-' && text[i] != '\n' && i != 14 && i != 19)
			text[i] = "0123456789abcdef"[random_number() & 15];
		else if (i == 19)
			text[i] = 'a';
	}
}

/* -------------------------------------------- results of system calls */

static void put(ThreadId tid, UWord address, const void *data, SizeT size)
{
	if (address == 0)
		return;
	VG_(memcpy)((void *)address, data, size);
	pc_kernel_store(tid, address, size); /* if that is PM, the record of what the kernel wrote is out of date */
}

static void put_result(ThreadId tid, UWord value)
{
	VG_(set_shadow_regs_area)(tid, 0, offsetof(VexGuestAMD64State, guest_RAX), sizeof value, (const UChar *)&value);
}

static void after_clock_gettime(ThreadId tid, const UWord *args)
{
	struct vki_timespec now = timespec_of(beginning_of((Int)args[0]) + advance(QUERY_NS));
	put(tid, args[1], &now, sizeof now);
}

static void after_gettimeofday(ThreadId tid, const UWord *args)
{
	ULong now = DATE_NS + advance(QUERY_NS);
	struct vki_timeval time = {(Long)(now / NS_PER_S), (Long)(now % NS_PER_S / 1000)};
	put(tid, args[0], &time, sizeof time);
}

static void after_time(ThreadId tid, const UWord *args)
{
	Long now = (Long)((DATE_NS + advance(QUERY_NS)) / NS_PER_S);
	put(tid, args[0], &now, sizeof now);
	put_result(tid, (UWord)now);
}

static void after_times(ThreadId tid, const UWord *args)
{
	ULong ticks = advance(QUERY_NS) / (NS_PER_S / 100);
	Long times[4] = {(Long)ticks, 0, 0, 0};
	put(tid, args[0], times, sizeof times);
	put_result(tid, UPTIME_NS / (NS_PER_S / 100) + ticks);
}

static void after_getcpu(ThreadId tid, const UWord *args)
{
	UInt zero = 0;
	put(tid, args[0], &zero, sizeof zero);
	put(tid, args[1], &zero, sizeof zero);
}

typedef void (*Fill)(UChar *, SizeT);

static Fill fill_for(Int fd)
{
	struct vg_stat status;
	HChar path[PATH_SIZE];
	if (VG_(fstat)(fd, &status) != 0)
		return NULL;
	if (VKI_S_ISCHR(status.mode))
		return status.rdev == URANDOM_DEVICE || status.rdev == RANDOM_DEVICE ? fill_random : NULL;
	if (!VKI_S_ISREG(status.mode) || status.size != 0 || !pc_path_of_fd(fd, path))
		return NULL;
	return VG_STREQ(path, UUID_PATH) ? fill_uuid : NULL;
}

static void refill(ThreadId tid, Fill fill, UWord address, SizeT size)
{
	fill((UChar *)address, size);
	pc_kernel_store(tid, address, size);
}

static void after_read(ThreadId tid, const UWord *args, SysRes result)
{
	Fill fill = sr_Res(result) == 0 ? NULL : fill_for((Int)args[0]);
	if (fill != NULL)
		refill(tid, fill, args[1], sr_Res(result));
}

static void after_readv(ThreadId tid, const UWord *args, SysRes result)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)args[1];
	SizeT left = sr_Res(result);
	Fill fill = left == 0 ? NULL : fill_for((Int)args[0]);
	for (UWord i = 0; fill != NULL && i < args[2] && left > 0; i++) {
		SizeT size = vector[i].iov_len < left ? vector[i].iov_len : left;
		refill(tid, fill, (UWord)vector[i].iov_base, size);
		left -= size;
	}
}

/* ---------------------------------------------------------------- waits */

static void wait_for(ThreadId tid, ULong ns)
{
	waits[tid].deadline = ns >= NEVER / 4 ? NEVER : __atomic_load_n(&pc_control->clock, __ATOMIC_RELAXED) + ns;
}

static void wait_timespec(ThreadId tid, UWord address)
{
	if (address != 0 && pc_is_readable(address, sizeof(struct vki_timespec)))
		wait_for(tid, ns_of((const struct vki_timespec *)address));
}

static void wait_timeval(ThreadId tid, UWord address)
{
	const struct vki_timeval *time = (const struct vki_timeval *)address;
	if (address != 0 && pc_is_readable(address, sizeof *time) && time->tv_sec >= 0)
		wait_for(tid, (ULong)time->tv_sec * NS_PER_S + (ULong)time->tv_usec * 1000);
}

static void wait_milliseconds(ThreadId tid, UWord milliseconds)
{
	if ((Int)milliseconds > 0)
		wait_for(tid, (ULong)(Int)milliseconds * 1000000);
}

static ULong real_now(Int clock)
{
	struct vki_timespec real = {0, 0};
	VG_(do_syscall)(__NR_clock_gettime, (UWord)clock, (UWord)&real, 0, 0, 0, 0, 0, 0);
	return ns_of(&real);
}

ULong pc_time_until(Int clock, const struct vki_timespec *time)
{
	ULong now = pc_options.fixed_time ? beginning_of(clock) + __atomic_load_n(&pc_control->clock, __ATOMIC_RELAXED)
									  : real_now(clock);
	ULong until = ns_of(time);
	return until > now ? until - now : 0;
}

static struct vki_timespec real_time_of(Int clock, const struct vki_timespec *virtual_time)
{
	return timespec_of(real_now(clock) + pc_time_until(clock, virtual_time));
}

/* Waits until a point of a virtual clock; the wrappers at the end replace it by the real one. */
static void wait_until(ThreadId tid, Int clock, UWord address)
{
	const struct vki_timespec *until = (const struct vki_timespec *)address;
	if (address == 0 || !pc_is_readable(address, sizeof *until))
		return;
	ULong beginning = beginning_of(clock);
	ULong ns = ns_of(until);
	waits[tid].clock = clock;
	waits[tid].deadline = ns > beginning ? ns - beginning : 0;
	waits[tid].real.it_value = real_time_of(clock, until);
}

static void before_futex(ThreadId tid, const UWord *args)
{
	Int clock = (args[1] & FUTEX_CLOCK_REALTIME_) != 0 ? REALTIME : MONOTONIC;
	switch (args[1] & FUTEX_COMMAND) {
	case FUTEX_WAIT_: wait_timespec(tid, args[3]); break;
	case FUTEX_LOCK_PI_: wait_until(tid, REALTIME, args[3]); break;
	case FUTEX_WAIT_BITSET_:
	case FUTEX_LOCK_PI2_:
	case FUTEX_WAIT_REQUEUE_PI_: wait_until(tid, clock, args[3]); break;
	default: break;
	}
}

static void before_clock_nanosleep(ThreadId tid, const UWord *args)
{
	if ((args[1] & TIMER_ABSTIME_) != 0)
		wait_until(tid, (Int)args[0], args[2]);
	else
		wait_timespec(tid, args[2]);
}

/* Absolute times of timers. Their clock is not known here, but the date reveals it. */
static void before_timer_settime(ThreadId tid, const UWord *args)
{
	const struct vki_itimerspec *timer = (const struct vki_itimerspec *)args[2];
	if ((args[1] & TIMERFD_ABSTIME_) == 0 || !pc_is_readable(args[2], sizeof *timer) || ns_of(&timer->it_value) == 0)
		return;
	waits[tid].clock = ns_of(&timer->it_value) >= DATE_NS ? REALTIME : MONOTONIC;
	waits[tid].real.it_interval = timer->it_interval;
	waits[tid].real.it_value = real_time_of(waits[tid].clock, &timer->it_value);
}

/* The result of a wait says whether it timed out: 0 from a sleep or a poll, an error from the others. */
static Bool time_is_over(UInt number, SysRes result)
{
	switch (number) {
	case __NR_futex: return sr_isError(result) && sr_Err(result) == ETIMEDOUT_;
	case __NR_rt_sigtimedwait: return sr_isError(result) && sr_Err(result) == VKI_EAGAIN;
	default: return !sr_isError(result) && sr_Res(result) == 0;
	}
}

static void after_wait(ThreadId tid, UInt number, SysRes result)
{
	ULong deadline = waits[tid].deadline;
	waits[tid].deadline = NEVER;
	waits[tid].clock = -1;
	if (deadline != NEVER && time_is_over(number, result))
		advance_to(deadline);
}

/* ------------------------------------------------------------- dispatch */

void pc_determinism_before_syscall(ThreadId tid, UInt number, UWord *args)
{
	if (!pc_options.fixed_time)
		return;
	waits[tid].deadline = NEVER;
	waits[tid].clock = -1;
	switch (number) {
	case __NR_nanosleep: wait_timespec(tid, args[0]); break;
	case __NR_clock_nanosleep: before_clock_nanosleep(tid, args); break;
	case __NR_futex: before_futex(tid, args); break;
	case __NR_poll: wait_milliseconds(tid, args[2]); break;
	case __NR_epoll_wait:
	case __NR_epoll_pwait: wait_milliseconds(tid, args[3]); break;
	case __NR_ppoll:
	case __NR_rt_sigtimedwait: wait_timespec(tid, args[2]); break;
	case __NR_select: wait_timeval(tid, args[4]); break;
	case __NR_pselect6: wait_timespec(tid, args[4]); break;
	case __NR_timerfd_settime:
	case __NR_timer_settime: before_timer_settime(tid, args); break;
	default: break;
	}
}

static void time_after_syscall(ThreadId tid, UInt number, UWord *args, SysRes result)
{
	after_wait(tid, number, result);
	if (sr_isError(result))
		return;
	switch (number) {
	case __NR_clock_gettime: after_clock_gettime(tid, args); break;
	case __NR_gettimeofday: after_gettimeofday(tid, args); break;
	case __NR_time: after_time(tid, args); break;
	case __NR_times: after_times(tid, args); break;
	case __NR_getcpu: after_getcpu(tid, args); break;
	default: break;
	}
}

static void random_after_syscall(ThreadId tid, UInt number, UWord *args, SysRes result)
{
	if (sr_isError(result))
		return;
	switch (number) {
	case __NR_getrandom: refill(tid, fill_random, args[0], sr_Res(result)); break;
	case __NR_read:
	case __NR_pread64: after_read(tid, args, result); break;
	case __NR_readv:
	case __NR_preadv: after_readv(tid, args, result); break;
	default: break;
	}
}

void pc_determinism_after_syscall(ThreadId tid, UInt number, UWord *args, SysRes result)
{
	if (pc_options.fixed_time)
		time_after_syscall(tid, number, args, result);
	if (pc_options.fixed_random)
		random_after_syscall(tid, number, args, result);
}

/* The kernel gives every program 16 random bytes, from which the C library makes its stack guard. */
void pc_determinism_first_instruction(void)
{
	if (!pc_options.fixed_random)
		return;
	for (const UWord *entry = VG_(client_auxv); entry != NULL && entry[0] != 0; entry += 2) {
		if (entry[0] == AT_RANDOM_ && VG_(am_is_valid_for_client)(entry[1], 16, VKI_PROT_READ | VKI_PROT_WRITE))
			fill_random((UChar *)entry[1], 16);
	}
}

void pc_determinism_init(void)
{
	waits = pc_zeros(pc_most_threads(), sizeof(Wait));
	for (ThreadId tid = 0; tid < pc_most_threads(); tid++) {
		waits[tid].deadline = NEVER;
		waits[tid].clock = -1;
	}
}

/* --------------------------------------------------------- instructions */

static ULong ticks(void)
{
	return (UPTIME_NS + advance(QUERY_NS)) * TICKS_PER_NS;
}

/* Bit 32 says that the number in the lower bits is good. */
static ULong good_random_number(void)
{
	return 1ULL << 32 | (random_number() & 0xffffffffUL);
}

#define DEFINE_NUMBER(name, option, number) \
	ULong __real_##name(void); \
	ULong __wrap_##name(void); \
	ULong __wrap_##name(void) \
	{ \
		return pc_options.option ? number() : __real_##name(); \
	}
#define WRAP_NUMBER(name, option, number) DEFINE_NUMBER(name, option, number)
WRAP_NUMBER(amd64g_dirtyhelper_RDTSC, fixed_time, ticks)
WRAP_NUMBER(amd64g_dirtyhelper_RDRAND, fixed_random, good_random_number)
WRAP_NUMBER(amd64g_dirtyhelper_RDSEED, fixed_random, good_random_number)

#define DEFINE_TICKS(name) \
	void __real_##name(VexGuestAMD64State *); \
	void __wrap_##name(VexGuestAMD64State *); \
	void __wrap_##name(VexGuestAMD64State *guest) \
	{ \
		__real_##name(guest); \
		if (!pc_options.fixed_time) \
			return; \
		ULong now = ticks(); \
		guest->guest_RAX = now & 0xffffffffUL; \
		guest->guest_RDX = now >> 32; \
		guest->guest_RCX = 0; /* the processor's number */ \
	}
#define WRAP_TICKS(name) DEFINE_TICKS(name)
WRAP_TICKS(amd64g_dirtyhelper_RDTSCP)

/* ------------------------------- absolute times as the kernel knows them */

/* `argument` points to the time. Valgrind's wrapper sees the target's own. */
#define DEFINE_TIMED(name, argument) \
	void __real_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, void *status, UWord *flags) \
	{ \
		__real_##name(tid, layout, args, status, flags); \
		if (pc_schedule_keeps_time_of(tid)) \
			args->argument = 0; \
		else if (pc_options.fixed_time && waits[tid].clock >= 0) \
			args->argument = (UWord)&waits[tid].real.it_value; \
	}
#define DEFINE_TIMER(name) \
	void __real_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId, void *, SyscallArgs *, void *, UWord *); \
	void __wrap_##name(ThreadId tid, void *layout, SyscallArgs *args, void *status, UWord *flags) \
	{ \
		__real_##name(tid, layout, args, status, flags); \
		if (pc_options.fixed_time && waits[tid].clock >= 0) \
			args->arg3 = (UWord)&waits[tid].real; \
	}
#define WRAP_TIMED(name, argument) DEFINE_TIMED(name, argument)
#define WRAP_TIMER(name) DEFINE_TIMER(name)
WRAP_TIMED(vgSysWrap_linux_sys_futex_before, arg4)
WRAP_TIMED(vgSysWrap_linux_sys_clock_nanosleep_before, arg3)
WRAP_TIMER(vgSysWrap_linux_sys_timer_settime_before)
WRAP_TIMER(vgSysWrap_linux_sys_timerfd_settime_before)

/* ------------------------------------------------------ temporary files */

/*
 * Valgrind makes their names from the process id. In executions that run at once with the same ids, these would be the
 * same.
 */
Int __wrap_vgPlain_mkstemp(const HChar *part, HChar *path);

#define DEFINE_TEMPORARY(name) \
	Int __wrap_##name(const HChar *part, HChar *path) \
	{ \
		for (UInt tries = 0; tries < 100; tries++) { \
			UInt low, high; \
			__asm__ volatile("rdtsc" : "=a"(low), "=d"(high)); \
			VG_(sprintf)(path, "%s/valgrind_%s_%08x", VG_(tmpdir)(), part, low ^ high << 16); \
			SysRes made = VG_(open)(path, VKI_O_CREAT | VKI_O_RDWR | VKI_O_EXCL, VKI_S_IRUSR | VKI_S_IWUSR); \
			if (!sr_isError(made)) \
				return (Int)sr_Res(made); \
		} \
		return -1; \
	}
#define WRAP_TEMPORARY(name) DEFINE_TEMPORARY(name)
WRAP_TEMPORARY(vgPlain_mkstemp)
