/* SPDX-License-Identifier: Apache-2.0 */
/* A recording has no processor that could protect its memory. */
#include "../keys.h"

#ifdef __x86_64__

bool with_keys;

void keys_thread_begin(struct thread *me)
{
	(void)me;
}

void keys_thread_end(struct thread *me)
{
	(void)me;
}

void keys_section(struct thread *me)
{
	(void)me;
}

void keys_protect(uintptr_t address, size_t size, unsigned key)
{
	(void)address, (void)size, (void)key;
}

void keys_module(int module)
{
	(void)module;
}

#endif
