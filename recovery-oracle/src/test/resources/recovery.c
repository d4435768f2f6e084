// SPDX-License-Identifier: Apache-2.0
// Recoveries, servers and their clients, as tests need them.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int follow_pointer(const int *pointer)
{
	return *pointer; // crashes here
}

static int recover_tree(const int *root)
{
	return follow_pointer(root);
}

static void *recover_in_thread(void *root)
{
	return recover_tree(root) ? root : NULL;
}

static void *wait_for_ever(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

static void __attribute__((noinline)) follow_ring(volatile int *next)
{
	while (*next != 1)
		*next += 2; // hangs here
}

static void __attribute__((noinline)) wait_for_lock(volatile int *lock)
{
	while (!*lock)
		usleep(1000);
}

static void *follow_ring_in_thread(void *nothing)
{
	int next = 0;
	follow_ring(&next);
	return nothing;
}

static void hang_in_thread(void)
{
	pthread_t idle, hanging;
	pthread_create(&idle, NULL, wait_for_ever, NULL);
	pthread_create(&hanging, NULL, follow_ring_in_thread, NULL);
	pthread_join(hanging, NULL);
}

static void hang_in_child(void)
{
	if (fork() == 0)
		follow_ring_in_thread(NULL);
	wait(NULL);
}

static void fork_for_ever(void)
{
	for (;;) {
		if (fork() == 0)
			_exit(0);
		wait(NULL);
	}
}

static void crash_in_thread(void)
{
	pthread_t idle, crashing;
	pthread_create(&idle, NULL, wait_for_ever, NULL);
	pthread_create(&crashing, NULL, recover_in_thread, NULL);
	pthread_join(crashing, NULL);
}

// A child crashes; its parent passes that on in its own way.
static void crash_in_child(int exits)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		recover_tree(NULL);
	waitpid(child, &status, 0);
	if (exits)
		exit(1);
	raise(WTERMSIG(status));
}

static void handle(int signal)
{
	(void)signal;
	static const char text[] = "caught it\n";
	if (write(1, text, sizeof text - 1) < 0)
		_exit(3);
	_exit(2);
}

// Fails or crashes the first time, when the file is not there yet.
static int first_time(const char *path)
{
	int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0644);
	return file >= 0;
}

static int listen_on(const char *port_or_path)
{
	struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port_or_path))};
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	int is_path = port_or_path[0] == '/', yes = 1;
	tcp.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (is_path)
		strncpy(local.sun_path, port_or_path, sizeof local.sun_path - 1);
	int listener = socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(listener, is_path ? (struct sockaddr *)&local : (struct sockaddr *)&tcp,
				is_path ? sizeof local : sizeof tcp) ||
			listen(listener, 16)) {
		perror("listen");
		exit(9);
	}
	return listener;
}

// Answers each request of one byte: "p" is well, "b" is bad news, "c" crashes, "x" exits, "h" is never answered, "q"
// ends well.
static void serve(int listener)
{
	for (;;) {
		char request;
		int connection = accept(listener, NULL, NULL);
		if (read(connection, &request, 1) == 1) {
			if (request == 'c')
				recover_tree(NULL);
			if (request == 'x')
				exit(5);
			if (request == 'h')
				wait_for_ever(NULL);
			if (write(connection, request == 'b' ? "b" : "o", 1) < 0)
				exit(3);
			if (request == 'q')
				exit(0);
		}
		close(connection);
	}
}

static int ask(const char *port, char request)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	char answer = '?';
	int connection = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
		perror("connect");
		return 8;
	}
	if (write(connection, &request, 1) != 1 || read(connection, &answer, 1) != 1)
		puts("no answer");
	else
		printf("answer %c\n", answer);
	if (request == 'q')
		usleep(300000); /* The server ends first, also on a busy machine. */
	return answer == 'o' ? 0 : 1;
}

int main(int count, char **arguments)
{
	const char *mode = count > 1 ? arguments[1] : "";
	const char *value = count > 2 ? arguments[2] : "";
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(mode, "says-no")) {
		puts("checksum is wrong");
		return 1;
	}
	if (!strcmp(mode, "crash"))
		return recover_tree(NULL);
	if (!strcmp(mode, "crash-in-thread"))
		crash_in_thread();
	if (!strcmp(mode, "crash-in-child"))
		crash_in_child(0);
	if (!strcmp(mode, "crash-in-child-exit"))
		crash_in_child(1);
	if (!strcmp(mode, "crash-handled")) {
		signal(SIGSEGV, handle);
		return recover_tree(NULL);
	}
	if (!strcmp(mode, "abort"))
		abort();
	if (!strcmp(mode, "hang"))
		wait_for_ever(NULL);
	int zero = 0;
	if (!strcmp(mode, "ring"))
		follow_ring(&zero);
	if (!strcmp(mode, "ring-once") && first_time(value))
		follow_ring(&zero);
	if (!strcmp(mode, "ring-without-signals")) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		follow_ring(&zero);
	}
	if (!strcmp(mode, "ring-in-thread"))
		hang_in_thread();
	if (!strcmp(mode, "ring-in-child"))
		hang_in_child();
	if (!strcmp(mode, "stops-itself"))
		raise(SIGSTOP);
	if (!strcmp(mode, "forks-for-ever"))
		fork_for_ever();
	if (!strcmp(mode, "lock"))
		wait_for_lock(&zero);
	if (!strcmp(mode, "server-follows-ring")) {
		listen_on(value);
		follow_ring(&zero);
	}
	if (!strcmp(mode, "says-no-once"))
		return first_time(value) ? 1 : 0;
	if (!strcmp(mode, "crash-once"))
		return first_time(value) ? recover_tree(NULL) : 0;
	if (!strcmp(mode, "hang-once") && first_time(value))
		wait_for_ever(NULL);
	if (!strcmp(mode, "killed"))
		raise(SIGKILL);
	if (!strcmp(mode, "server"))
		serve(listen_on(value));
	if (!strcmp(mode, "server-crashes-first"))
		recover_tree(NULL);
	if (!strcmp(mode, "server-ignores-term")) {
		signal(SIGTERM, SIG_IGN);
		serve(listen_on(value));
	}
	if (!strcmp(mode, "server-with-file")) {
		int listener = listen_on(value);
		close(open(arguments[3], O_CREAT | O_WRONLY, 0644));
		serve(listener);
	}
	if (!strcmp(mode, "server-with-log")) {
		int listener = listen_on(value);
		puts("listening now");
		for (int line = 0; line < 5000; line++)
			puts("and many more lines");
		serve(listener);
	}
	if (!strcmp(mode, "ask"))
		return ask(value, arguments[3][0]);
	return 0;
}
