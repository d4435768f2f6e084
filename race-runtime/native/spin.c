/* SPDX-License-Identifier: Apache-2.0 */
#include "spin.h"

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_bool spin_may_be_left;
__thread unsigned spin_kept __attribute__((tls_model("initial-exec")));
static __thread uint64_t before __attribute__((tls_model("initial-exec")));

void spin_keep(void)
{
	/* A processor's faults come from what a thread does itself, and do not wait. */
	const uint64_t of_processor = 1ull << (SIGSEGV - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGSYS - 1);
	uint64_t others = ~of_processor, mask = 0;
	if (spin_kept == 0) {
		syscall(SYS_rt_sigprocmask, SIG_BLOCK, &others, &mask, sizeof mask);
		before = mask;
	}
	spin_kept++;
}

void spin_give_up(void)
{
	if (--spin_kept > 0)
		return;
	uint64_t mask = before; /* a handler may run in the call, and lock and unlock */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
}
