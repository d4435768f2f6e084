/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PMDK's kv_server with a thread for each client. Its source is unchanged: uv/uv.h takes the place of libuv, and
 * serve_insert that of map_insert. A request is served under one mutex. In variant `racy`, an INSERT gives it back once
 * the map is changed, before the transaction around that commits.
 *
 *   kv_server create DIRECTORY [MAP]
 *   kv_server run DIRECTORY MAP racy|fixed PORT
 *   kv_server check DIRECTORY MAP [ANSWERS]   ANSWERS: what the server had sent before the power cut
 */
#include <arpa/inet.h>
#include <errno.h>
#include <libpmemobj.h>
#include <unistd.h>

#include "kv_text.h"
#include "maps.h"
#include "threads.h"
#include "uv.h"

#define LINE_SIZE 256
#define MEBIBYTES 16

/* kv_server's own layout, declared in the same order so that the type numbers are the same. */
POBJ_LAYOUT_BEGIN(kv_server);
POBJ_LAYOUT_ROOT(kv_server, struct root);
POBJ_LAYOUT_TOID(kv_server, struct map_value);
POBJ_LAYOUT_END(kv_server);

struct root {
	TOID(struct map) map;
};

struct map_value {
	uint64_t len;
	char buf[];
};

/* PMDK's main. */
int serve(int count, char **arguments);

int serve_insert(struct map_ctx *context, TOID(struct map) map, uint64_t key, PMEMoid value);

static pthread_mutex_t one_request = PTHREAD_MUTEX_INITIALIZER;
static int unlocks_early;
static int accepted; /* the connection that uv_accept takes */
static uv_stream_t *listener;
static pthread_t threads[MAX_THREADS];

uv_loop_t *uv_default_loop(void)
{
	return NULL; /* nothing looks into it */
}

void uv_loop_delete(uv_loop_t *loop)
{
	(void)loop;
}

uv_buf_t uv_buf_init(char *base, unsigned int length)
{
	return (uv_buf_t){base, length};
}

int uv_ip4_addr(const char *address, int port, struct sockaddr_in *result)
{
	*result = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	return inet_pton(AF_INET, address, &result->sin_addr) == 1 ? 0 : -1;
}

int uv_tcp_init(uv_loop_t *loop, uv_tcp_t *handle)
{
	(void)loop;
	handle->descriptor = -1;
	handle->closing = 0;
	return 0;
}

int uv_tcp_bind(uv_tcp_t *handle, const struct sockaddr *address, unsigned int flags)
{
	int yes = 1;
	(void)flags;
	handle->descriptor = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(handle->descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	return bind(handle->descriptor, address, sizeof(struct sockaddr_in));
}

int uv_listen(uv_stream_t *server, int backlog, uv_connection_cb on_connection)
{
	listener = server;
	server->on_connection = on_connection;
	return listen(server->descriptor, backlog);
}

int uv_accept(uv_stream_t *server, uv_stream_t *client)
{
	(void)server;
	client->descriptor = accepted;
	return 0;
}

int uv_write(uv_write_t *request, uv_stream_t *stream, const uv_buf_t *buffers, unsigned int count, uv_write_cb done)
{
	int status = 0;
	for (unsigned int i = 0; i < count; i++)
		if (write(stream->descriptor, buffers[i].base, buffers[i].len) != (ssize_t)buffers[i].len)
			status = -1;
	done(request, status);
	return status;
}

/* The connection is closed when its thread has returned from the callback. For the server, accepting ends. */
void uv_close(uv_handle_t *handle, uv_close_cb on_close)
{
	handle->closing = 1;
	handle->on_close = on_close;
	if (handle == listener)
		shutdown(handle->descriptor, SHUT_RDWR);
}

/* What kv_server calls in the transaction of an INSERT. */
int serve_insert(struct map_ctx *context, TOID(struct map) map, uint64_t key, PMEMoid value)
{
	if (unlocks_early)
		pthread_mutex_lock(&one_request);
	int result = map_insert(context, map, key, value);
	if (unlocks_early)
		pthread_mutex_unlock(&one_request);
	return result;
}

static void *serve_client(void *argument)
{
	uv_stream_t *client = (uv_stream_t *)argument;
	char text[LINE_SIZE];
	uv_buf_t buffer = {text, sizeof text};
	while (!client->closing) {
		ssize_t count = read(client->descriptor, text, sizeof text);
		int locks = !unlocks_early || count < 6 || strncmp(text, "INSERT", 6) != 0;
		if (locks)
			pthread_mutex_lock(&one_request);
		client->on_read(client, count, &buffer);
		if (locks)
			pthread_mutex_unlock(&one_request);
	}
	close(client->descriptor);
	client->on_close(client);
	return NULL;
}

static int started; /* of threads */

int uv_read_start(uv_stream_t *stream, uv_alloc_cb allocate, uv_read_cb on_read)
{
	(void)allocate;
	stream->on_read = on_read;
	need(started < MAX_THREADS, "too many clients");
	return pthread_create(&threads[started++], NULL, serve_client, stream);
}

int uv_run(uv_loop_t *loop, enum uv_run_mode mode)
{
	(void)loop;
	(void)mode;
	while ((accepted = accept(listener->descriptor, NULL, NULL)) >= 0)
		listener->on_connection(listener, 0);
	need(listener->closing, "accept failed");
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static PMEMobjpool *pool;
static struct map_ctx *context;

static struct root *open_pool(const char *path, const struct tested_map *map, int creates)
{
	pool = creates ? pmemobj_create(path, POBJ_LAYOUT_NAME(kv_server), MEBIBYTES << 20, 0644)
				   : pmemobj_open(path, POBJ_LAYOUT_NAME(kv_server));
	need(pool != NULL, pmemobj_errormsg());
	context = map_ctx_init(map->operations, pool);
	return (struct root *)pmemobj_direct(pmemobj_root(pool, sizeof(struct root)));
}

static void close_pool(void)
{
	map_ctx_free(context);
	pmemobj_close(pool);
}

/* kv_server's hash of a key (Bernstein's djb2). */
static uint32_t hash_of(const char *text)
{
	uint32_t hash = 5381;
	while (*text != '\0')
		hash = hash * 33 + (uint32_t)(int)*text++;
	return hash;
}

static const struct map_value *value_of(struct root *root, const char *key)
{
	return (const struct map_value *)pmemobj_direct(map_get(context, root->map, hash_of(key)));
}

/* 1: there, 0: absent. Ends the program if the value is not what a client sent. */
static int find_value(struct root *root, int client, long number)
{
	char key[KEY_SIZE], value[VALUE_SIZE];
	key_text(key, client, number);
	value_text(value, client, number);
	const struct map_value *found = value_of(root, key);
	if (found == NULL)
		return 0;
	size_t length = strlen(value);
	need(found->len > length && strncmp(found->buf, value, length) == 0 && found->buf[length] == '\n',
			"a value is not what was sent");
	return 1;
}

/* A client had seen each of these values. Those that stay must be there after the power cut. */
static void check_answers(struct root *root, const char *path)
{
	char line[LINE_SIZE];
	FILE *answers = fopen(path, "r");
	need(answers != NULL, "cannot read the answers");
	while (fgets(line, sizeof line, answers) != NULL) {
		/* The NUL bytes behind a value are in front of the next line, as fgets reads it. */
		const char *begin = line;
		for (size_t i = 0; i + 1 < sizeof line && *begin == '\0'; i++)
			begin++;
		int client;
		long number;
		if (sscanf(begin, VALUE_FORMAT, &client, &number) == 2 && stays(number) && !find_value(root, client, number)) {
			fprintf(stderr, "a client had been told the value of key %d.%ld, which is gone\n", client, number);
			exit(1);
		}
	}
	fclose(answers);
}

static void check(struct root *root, const char *answers)
{
	need(map_check(context, root->map) == 0, "map_check");
	/* A client puts its keys one after another: none that stays may be missing before one that is there. */
	for (int client = 0; client < MAX_CLIENTS; client++) {
		int complete = 1;
		for (long number = 0; number < MAX_KEYS; number++) {
			int there = find_value(root, client, number);
			need(!there || complete, "a key is missing");
			complete = complete && (there || !stays(number));
		}
	}
	if (answers != NULL)
		check_answers(root, answers);
}

int main(int count, char **arguments)
{
	char path[4096];
	need(count >= 3, "usage: kv_server create|run|check DIRECTORY [MAP [racy|fixed PORT | ANSWERS]]");
	char *name = count > 3 ? arguments[3] : "ctree";
	const struct tested_map *map = find_map(name);
	need(map != NULL, "no such map");
	snprintf(path, sizeof path, "%s/pool", arguments[2]);
	if (strcmp(arguments[1], "run") == 0) {
		need(count == 6, "usage: kv_server run DIRECTORY MAP racy|fixed PORT");
		unlocks_early = strcmp(arguments[4], "racy") == 0;
		return serve(4, (char *[]){arguments[0], name, path, arguments[5], NULL});
	}
	int creates = strcmp(arguments[1], "create") == 0;
	struct root *root = open_pool(path, map, creates);
	if (creates)
		need(map_create(context, &root->map, NULL) == 0, "map_create");
	else
		check(root, count > 4 ? arguments[4] : NULL);
	close_pool();
	return 0;
}
