/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AVX-512 code that is not chosen by CPUID. With a second argument it catches the signal and continues. */
#include "pm.h"

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf buffer;

static void on_ill(int signal)
{
	(void)signal;
	siglongjmp(buffer, 1);
}

__attribute__((noinline)) static void wide_store(char *to)
{
	__asm__ volatile("vpxord %%zmm1, %%zmm1, %%zmm1; vmovdqu64 %%zmm1, (%0)" : : "r"(to) : "memory");
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2 && chdir(argv[1]) == 0);
	char *pm = map_file("evex", 4096);
	pm[0] = 1;
	persist(pm);
	if (argc == 3)
		signal(SIGILL, on_ill);
	if (sigsetjmp(buffer, 1) == 0)
		wide_store(pm + 64);
	pm[1] = 1;
	persist(pm);
	return 0;
}
