/* SPDX-License-Identifier: Apache-2.0 */
/* Each iteration has a line of scratch memory: one for all threads, or one for each. */
#define N 40
#define LINE 8
int result[N];

int main(void)
{
	int line[LINE] = {0};
#ifdef CORRECT
#pragma omp parallel for private(line) num_threads(4)
#else
#pragma omp parallel for num_threads(4)
#endif
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < LINE; j++)
			line[j] = i * j; /* race 1 */
		for (int j = 0; j < LINE; j++)
			result[i] += line[j]; /* race 1 too */
	}
	return result[0] < 0;
}
