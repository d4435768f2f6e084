/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --deterministic=yes: time and random numbers are the same in every execution. */
#include "recorder.h"

void pc_determinism_init(void)
{
}

void pc_determinism_first_instruction(void)
{
}

void pc_determinism_before_syscall(ThreadId tid, UInt number, UWord* args)
{
   (void)tid;
   (void)number;
   (void)args;
}

void pc_determinism_after_syscall(ThreadId tid, UInt number, UWord* args, SysRes result)
{
   (void)tid;
   (void)number;
   (void)args;
   (void)result;
}
