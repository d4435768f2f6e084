/* SPDX-License-Identifier: Apache-2.0 */
/* Threads take numbers: counted atomically and then read plainly, or captured in one step. */
#define N 64
int count, slots[2 * N];

int main(void)
{
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++) {
		int mine;
#ifdef CORRECT
#pragma omp atomic capture
		mine = count++;
#else
#pragma omp atomic /* race 1 */
		count++;
		mine = count; /* race 1 */
		mine = mine % 2 + 2 * i;
#endif
		slots[mine] = i;
	}
	return slots[0] < 0;
}
