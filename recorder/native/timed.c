/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that wait for a time. */
#include "timed.h"

#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "determinism.h"
#include "kernel_abi.h"
#include "memory.h"

#define TIMER_ABSTIME_ 1
#define NS_PER_S 1000000000ULL
#define LONGEST_S (1ULL << 32)

static Bool relative(UWord address, ULong *ns)
{
	const struct vki_timespec *time = (const struct vki_timespec *)address;
	if (address == 0 || !pc_is_readable(address, sizeof *time) || time->tv_sec < 0 || time->tv_nsec < 0)
		return False;
	ULong seconds = (ULong)time->tv_sec < LONGEST_S ? (ULong)time->tv_sec : LONGEST_S;
	*ns = seconds * NS_PER_S + (ULong)time->tv_nsec % NS_PER_S;
	return True;
}

static Bool absolute(Int clock, UWord address, ULong *ns)
{
	if (!relative(address, ns))
		return False;
	*ns = pc_time_until(clock, (const struct vki_timespec *)address);
	return True;
}

static Bool of_futex(const UWord *args, ULong *ns)
{
	Int clock = (args[1] & FUTEX_CLOCK_REALTIME_) != 0 ? 0 : 1;
	switch (args[1] & FUTEX_COMMAND) {
	case FUTEX_WAIT_: return relative(args[3], ns);
	case FUTEX_WAIT_BITSET_: return absolute(clock, args[3], ns);
	default: return False;
	}
}

static TimedKind sleep_if(Bool is_timed)
{
	return is_timed ? TIMED_SLEEP : TIMED_NOT;
}

TimedKind pc_timed_wait(UInt number, const UWord *args, ULong *ns)
{
	switch (number) {
	case __NR_futex: return of_futex(args, ns) ? TIMED_FUTEX : TIMED_NOT;
	case __NR_nanosleep: return sleep_if(relative(args[0], ns));
	case __NR_clock_nanosleep:
		return sleep_if((args[1] & TIMER_ABSTIME_) != 0 ? absolute((Int)args[0], args[2], ns) : relative(args[2], ns));
	case __NR_poll: *ns = (ULong)(UInt)args[2] * 1000000; return sleep_if(args[1] == 0 && (Int)args[2] >= 0);
	case __NR_pselect6: return sleep_if(args[0] == 0 && relative(args[4], ns));
	default: return TIMED_NOT;
	}
}
