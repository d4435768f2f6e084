/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients of kv_server, each a thread with a connection of its own. A client puts its keys one after another. After
 * each it gets it, and what the others put at about the same time. At last it removes every fourth key. It checks each
 * answer. What a client sends does not depend on the others.
 *
 *   kv_clients run PORT CLIENTS OPERATIONS     OPERATIONS: puts of all clients together
 *   kv_clients stop PORT
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kv_text.h"
#include "threads.h"

#define LINE_SIZE 256

static int clients;
static int connections[MAX_THREADS];
static pthread_barrier_t all_have_put;

static int connect_to(int port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int connection = socket(AF_INET, SOCK_STREAM, 0);
	int now = 1;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	need(connect(connection, (const struct sockaddr *)&address, sizeof address) == 0, "no connection");
	setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
	return connection;
}

static void send_text(int connection, const char *text)
{
	need(write(connection, text, strlen(text)) == (ssize_t)strlen(text), "the server went away");
}

/* Reads a line, and the rest of `length` bytes if the line is not NULL's. */
static void receive(int connection, char answer[LINE_SIZE], size_t length)
{
	size_t count = 0;
	memset(answer, 0, LINE_SIZE);
	while (strchr(answer, '\n') == NULL || (count < length && strcmp(answer, "NULL\n") != 0)) {
		ssize_t more = read(connection, answer + count, LINE_SIZE - 1 - count);
		need(more > 0, "the server went away");
		count += (size_t)more;
	}
}

static void expect(int connection, const char *request, const char *expected)
{
	char answer[LINE_SIZE];
	send_text(connection, request);
	receive(connection, answer, 0);
	need(strcmp(answer, expected) == 0, "a wrong answer");
}

static void put(int connection, int client, long number)
{
	char key[KEY_SIZE], value[VALUE_SIZE], request[LINE_SIZE];
	key_text(key, client, number);
	value_text(value, client, number);
	snprintf(request, sizeof request, "INSERT %s %s\n", key, value);
	expect(connection, request, "SUCCESS\n");
}

static void get(int connection, int client, long number, int must_be_there)
{
	char key[KEY_SIZE], value[VALUE_SIZE], request[LINE_SIZE], answer[LINE_SIZE];
	key_text(key, client, number);
	value_text(value, client, number);
	snprintf(request, sizeof request, "GET %s\n", key);
	send_text(connection, request);
	/* kv_server answers with as many bytes as the INSERT had: the value, the end of the line, and NUL bytes. */
	receive(connection, answer, strlen("INSERT  \n") + strlen(key) + strlen(value));
	strcat(value, "\n");
	need(strcmp(answer, value) == 0 || (!must_be_there && strcmp(answer, "NULL\n") == 0), "a wrong value");
}

static void delete (int connection, int client, long number)
{
	char key[KEY_SIZE], request[LINE_SIZE];
	key_text(key, client, number);
	snprintf(request, sizeof request, "REMOVE %s\n", key);
	expect(connection, request, "SUCCESS\n");
}

static void *talk(void *argument)
{
	struct worker *worker = (struct worker *)argument;
	int client = (int)worker->random - 1;
	int connection = connections[client];
	for (long number = 0; number < worker->operations; number++) {
		put(connection, client, number);
		for (int i = 0; i < clients; i++)
			get(connection, (client + i) % clients, number, i == 0);
	}
	pthread_barrier_wait(&all_have_put);
	for (long number = 0; number < worker->operations; number++)
		if (!stays(number))
			delete (connection, client, number);
	send_text(connection, "BYE\n");
	return NULL;
}

int main(int count, char **arguments)
{
	need(count >= 3, "usage: kv_clients run PORT CLIENTS OPERATIONS, or stop PORT");
	int port = atoi(arguments[2]);
	if (count == 3) {
		send_text(connect_to(port), "KILL\n");
		return 0;
	}
	need(count == 5, "usage: kv_clients run PORT CLIENTS OPERATIONS");
	clients = atoi(arguments[3]);
	long operations = atol(arguments[4]);
	need(clients > 0 && clients <= MAX_CLIENTS && operations / clients <= MAX_KEYS, "too much");
	/* In their order: the server's thread for a client is the same in each run. */
	for (int i = 0; i < clients; i++)
		connections[i] = connect_to(port);
	pthread_barrier_init(&all_have_put, NULL, (unsigned int)clients);
	run_threads(talk, clients, operations);
	return 0;
}
