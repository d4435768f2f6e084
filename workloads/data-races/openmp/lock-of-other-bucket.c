/* SPDX-License-Identifier: Apache-2.0 */
/* A table has a lock for each of its buckets; the lock is chosen by another number than the bucket, or by the same. */
#include <omp.h>

#define BUCKETS 8
#define N 64
omp_lock_t locks[BUCKETS];
int buckets[BUCKETS];

int main(void)
{
	for (int i = 0; i < BUCKETS; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < N; i++) {
		int bucket = i % BUCKETS;
#ifdef CORRECT
		int lock = bucket;
#else
		int lock = i * BUCKETS / N;
#endif
		omp_set_lock(&locks[lock]);
		buckets[bucket] += i; /* race 1 */
		omp_unset_lock(&locks[lock]);
	}
	for (int i = 0; i < BUCKETS; i++)
		omp_destroy_lock(&locks[i]);
	return buckets[0] < 0;
}
