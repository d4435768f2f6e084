/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C library read and write a text, with a lock or without. */
#include <stdio.h>
#include <string.h>

#include "turns.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Alignas(16) char name[16] = "a", line[16], copy[16];
size_t length;
int differs;

static void *changes(void *unused)
{
#ifdef CORRECT
	pthread_mutex_lock(&lock);
#endif
	strcpy(name, "text"); /* race 1 hmtrace */
	snprintf(line, sizeof line, "%d", 12); /* race 2 hmtrace */
	strncpy(copy, "other", sizeof copy); /* race 3 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	over();
	return unused;
}

static void *reads(void *unused)
{
	turn(1);
#ifdef CORRECT
	pthread_mutex_lock(&lock);
#endif
	length = strlen(name); /* race 1 hmtrace */
	length += strlen(line); /* race 2 hmtrace */
	differs = strcmp(copy, line); /* race 3 hmtrace */
#ifdef CORRECT
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

int main(void)
{
	two(changes, reads);
	return length > 100 && differs == 0;
}
