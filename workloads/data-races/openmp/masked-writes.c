/* SPDX-License-Identifier: Apache-2.0 */
/* One masked thread fills what all read: behind a barrier, or not. */
int setting, seen[4];

int main(void)
{
#pragma omp parallel num_threads(4)
	{
#pragma omp masked filter(1)
		setting = 7; /* race 1 */
#ifdef CORRECT
#pragma omp barrier
#endif
#pragma omp for
		for (int i = 0; i < 4; i++)
			seen[i] = setting; /* race 1 */
	}
	return seen[0] < 0;
}
