/* SPDX-License-Identifier: Apache-2.0 */
/* A static variable that each thread has, or all share. */
static int calls;
#ifdef CORRECT
#pragma omp threadprivate(calls)
#endif

static void call(void)
{
	calls++; /* race 1 */
}

int main(void)
{
#pragma omp parallel num_threads(4)
	call();
	return calls < 0;
}
