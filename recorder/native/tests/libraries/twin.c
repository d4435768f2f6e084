/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Built twice, into libraries with one base name, whose code lies at the same offsets. */
int twin_number = WHICH;
void twin(char *pm)
{
	*pm = (char)twin_number;
	__asm__ volatile("clflush (%0)" : : "r"(pm) : "memory");
}
