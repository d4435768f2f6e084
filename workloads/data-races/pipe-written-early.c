/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, sockets and events tell another thread that data is there: behind the data, or before it. */
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], sockets[2], event;
_Alignas(16) int by_pipe;
_Alignas(16) int by_socket;
_Alignas(16) int by_event;

static void *receiver(void *unused)
{
	char byte;
	eventfd_t count;
	int sum = 0;
	if (read(ends[0], &byte, 1) == 1)
		sum += by_pipe; /* race 1 hmtrace */
	if (recv(sockets[0], &byte, 1, 0) == 1)
		sum += by_socket; /* race 2 hmtrace */
	if (eventfd_read(event, &count) == 0)
		sum += by_event; /* race 3 hmtrace */
	return sum < 0 ? NULL : unused;
}

static int tell(void)
{
	return write(ends[1], "p", 1) != 1 || send(sockets[1], "s", 1, 0) != 1 || eventfd_write(event, 1) != 0;
}

int main(void)
{
	pthread_t thread;
	int failed = pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || (event = eventfd(0, 0)) < 0;
	pthread_create(&thread, NULL, receiver, NULL);
#ifndef CORRECT
	failed |= tell();
#endif
	by_pipe = 1; /* race 1 hmtrace */
	by_socket = 2; /* race 2 hmtrace */
	by_event = 3; /* race 3 hmtrace */
#ifdef CORRECT
	failed |= tell();
#endif
	pthread_join(thread, NULL);
	return failed;
}
