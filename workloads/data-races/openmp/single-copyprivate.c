/* SPDX-License-Identifier: Apache-2.0 */
/* One thread gives all others the address of a counter, which they add to. */
int counter;

int main(void)
{
#pragma omp parallel num_threads(4)
	{
		int *mine;
#pragma omp single copyprivate(mine)
		{
			counter = 0;
			mine = &counter;
		}
#ifdef CORRECT
#pragma omp atomic
#endif
		(*mine)++; /* race 1 */
	}
	return counter < 0;
}
