/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction of the program's own kind, or none. */
#define N 100
struct range {
	int low, high;
} range;

static void widen(struct range *to, const struct range *from)
{
	to->low += from->low;
	to->high += from->high;
}

#pragma omp declare reduction(widen : struct range : widen(&omp_out, &omp_in)) initializer(omp_priv = {0, 0})

int main(void)
{
#ifdef CORRECT
#pragma omp parallel for reduction(widen : range) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++) /* race 1 too */
		range.high += i; /* race 1 */
	return range.low + range.high < 0;
}
