/* SPDX-License-Identifier: Apache-2.0 */
/* A record is copied by memcpy while another thread changes it. */
#include "turns.h"

#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char record[100], copy[100];

static void *writer(void *unused)
{
	pthread_mutex_lock(&lock);
	memset(record, 1, sizeof record); /* race 1 hmtrace */
	pthread_mutex_unlock(&lock);
	over();
	return unused;
}

static void *reader(void *unused)
{
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&lock);
#endif
	memcpy(copy, record, sizeof copy); /* race 1 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

int main(void)
{
	two(writer, reader);
	return copy[99] == 1 ? 0 : 1;
}
