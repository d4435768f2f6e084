/* SPDX-License-Identifier: Apache-2.0 */
/* A client of PMDK's kv_server: sends a seeded sequence of requests, one at a time, and checks every answer. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kv_check.h"
#include "pool.h"

enum { LINE_SIZE = 256 };

static void usage(FILE *to)
{
	fprintf(to,
			"usage: kv_client run PORT OPERATIONS [--seed N] [--keys N]   on an empty map\n"
			"       kv_client probe PORT        insert, get and remove one key of its own\n"
			"       kv_client stop PORT         let the server end\n"
			"Exit codes: 0 done; 1 a wrong answer; 2 wrong usage; 3 no connection, or it broke.\n");
}

static FILE *connect_to(uint64_t port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int now = 1;
	FILE *stream;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (server < 0 || connect(server, (const struct sockaddr *)&address, sizeof(address)) != 0)
		trouble("no connection to port %lu: %s", port, strerror(errno));
	setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &now, sizeof(now));
	stream = fdopen(server, "r+");
	if (stream == NULL)
		trouble("%s", strerror(errno));
	setvbuf(stream, NULL, _IONBF, 0);
	return stream;
}

static void send_text(FILE *server, const char *request)
{
	size_t length = strlen(request);

	/* One write for each request: the stream is not buffered. */
	if (write(fileno(server), request, length) != (ssize_t)length)
		trouble("the server went away: %s", strerror(errno));
}

/* Sends a request and compares the answer's beginning with what is expected. */
static void ask(FILE *server, const char *request, const char *expected)
{
	char answer[LINE_SIZE];

	send_text(server, request);
	if (fgets(answer, sizeof(answer), server) == NULL)
		trouble("the server went away at: %s", request);
	if (strncmp(answer, expected, strlen(expected)) != 0)
		inconsistent("the server answered %s instead of %s to: %s", answer, expected, request);
	/* GET answers as many bytes as the INSERT had, NUL bytes after the line. */
}

static void ask_for_value(FILE *server, const char *key, const char *value)
{
	char request[LINE_SIZE], answer[LINE_SIZE] = {0};
	size_t length = strlen("INSERT  \n") + strlen(key) + strlen(value);

	snprintf(request, sizeof(request), "GET %s\n", key);
	send_text(server, request);
	if (fread(answer, 1, length, server) != length)
		trouble("the server went away at: %s", request);
	if (strncmp(answer, value, strlen(value)) != 0 || answer[strlen(value)] != '\n')
		inconsistent("the server answered %s instead of %s to: %s", answer, value, request);
}

static void put(FILE *server, const char *key, const char *value)
{
	char request[LINE_SIZE];

	snprintf(request, sizeof(request), "INSERT %s %s\n", key, value);
	ask(server, request, "SUCCESS");
}

static void delete (FILE *server, const char *key)
{
	char request[LINE_SIZE];

	snprintf(request, sizeof(request), "REMOVE %s\n", key);
	ask(server, request, "SUCCESS");
}

static void get(FILE *server, const char *key, uint64_t index, uint64_t version)
{
	char text[LINE_SIZE];

	if (version == 0) {
		snprintf(text, sizeof(text), "GET %s\n", key);
		ask(server, text, "NULL");
	} else {
		kv_value(text, index, version - 1);
		ask_for_value(server, key, text);
	}
}

static void run(FILE *server, const struct sequence *sequence, uint64_t operations)
{
	struct contents contents = contents_after(sequence, 0);
	bool ever_filled = false; /* a REMOVE from a btree that never held a key makes the server follow a null reference */

	for (uint64_t number = 0; number < operations; number++) {
		struct operation operation = operation_at(sequence, number);
		uint64_t version = contents.version[operation.index];
		char key[KV_KEY_SIZE], value[KV_VALUE_SIZE];

		kv_key(key, operation.index);
		kv_value(value, operation.index, number);
		switch (operation.kind) {
		case OPERATION_PUT:
			if (version != 0)
				delete (server, key); /* INSERT would add the key to a tree a second time */
			put(server, key, value);
			ever_filled = true;
			break;
		case OPERATION_GET: get(server, key, operation.index, version); break;
		case OPERATION_DELETE:
			if (ever_filled)
				delete (server, key);
			break;
		}
		contents_apply(&contents, &operation, number);
	}
	free(contents.version);
	send_text(server, "BYE\n");
}

static void probe(FILE *server)
{
	const char *key = "probe", *value = "there";

	ask(server, "GET probe\n", "NULL");
	put(server, key, value);
	ask_for_value(server, key, value);
	delete (server, key);
	ask(server, "GET probe\n", "NULL");
	send_text(server, "BYE\n");
}

int main(int argc, char **argv)
{
	static const struct option known[] = {{"seed", required_argument, NULL, 's'},
			{"keys", required_argument, NULL, 'k'}, {"help", no_argument, NULL, 'h'}, {0}};
	struct sequence sequence = {.seed = 42};
	int option;

	while ((option = getopt_long(argc, argv, "h", known, NULL)) != -1)
		switch (option) {
		case 's': sequence.seed = parse_number("--seed", optarg, 0); break;
		case 'k': sequence.keys = parse_number("--keys", optarg, 1); break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return EXIT_USAGE;
		}
	argv += optind;
	argc -= optind;
	if (argc == 3 && strcmp(argv[0], "run") == 0) {
		uint64_t operations = parse_number("OPERATIONS", argv[2], 1);

		if (sequence.keys == 0)
			sequence.keys = default_keys(operations);
		run(connect_to(parse_number("PORT", argv[1], 1)), &sequence, operations);
	} else if (argc == 2 && strcmp(argv[0], "probe") == 0) {
		probe(connect_to(parse_number("PORT", argv[1], 1)));
	} else if (argc == 2 && strcmp(argv[0], "stop") == 0) {
		FILE *server = connect_to(parse_number("PORT", argv[1], 1));

		send_text(server, "KILL\n");
		while (fgetc(server) != EOF)
			; /* until the server has closed the connection */
	} else {
		usage(stderr);
		return EXIT_USAGE;
	}
	return 0;
}
