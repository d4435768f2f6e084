/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, sockets and events tell another thread that data is there: behind the data, or before it. */
#include "turns.h"

#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], sockets[2], event;
/* Each fills its granule: neighbours would push out what a granule remembers. */
_Alignas(16) int by_pipe[4];
_Alignas(16) int by_socket[4];
_Alignas(16) int by_event[4];

/* One receiver for each: what is received may tell the sender that there is room again, and so order the two. */
static void *pipe_receiver(void *unused)
{
	char byte;
	bool failed = read(ends[0], &byte, 1) == 1 && by_pipe[0] < 0; /* race 1 hmtrace */
	over();
	return failed ? NULL : unused;
}

static void *socket_receiver(void *unused)
{
	char byte;
	bool failed = recv(sockets[0], &byte, 1, 0) == 1 && by_socket[0] < 0; /* race 2 hmtrace */
	over();
	return failed ? NULL : unused;
}

static void *event_receiver(void *unused)
{
	eventfd_t count;
	bool failed = eventfd_read(event, &count) == 0 && by_event[0] < 0; /* race 3 hmtrace */
	over();
	return failed ? NULL : unused;
}

static int tell(void)
{
	return write(ends[1], "p", 1) != 1 || send(sockets[1], "s", 1, 0) != 1 || eventfd_write(event, 1) != 0;
}

int main(void)
{
	void *(*receivers[])(void *) = {pipe_receiver, socket_receiver, event_receiver};
	pthread_t threads[3];
	int failed = pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || (event = eventfd(0, 0)) < 0;
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, receivers[i], NULL);
#ifndef CORRECT
	failed |= tell();
	turn(3);
#endif
	by_pipe[0] = 1; /* race 1 hmtrace */
	by_socket[0] = 2; /* race 2 hmtrace */
	by_event[0] = 3; /* race 3 hmtrace */
#ifdef CORRECT
	failed |= tell();
#endif
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return failed;
}
