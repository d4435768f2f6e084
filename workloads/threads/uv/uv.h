/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PMDK's kv_server uses of libuv, served by threads: uv_run accepts connections, and each has a thread that reads
 * and calls back. So the server's source, unchanged, serves its clients from several threads.
 */
#ifndef UV_H
#define UV_H

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>

typedef struct uv_handle uv_handle_t, uv_stream_t, uv_tcp_t;
typedef struct uv_loop uv_loop_t;
typedef struct uv_write uv_write_t;
typedef struct {
	char *base;
	size_t len;
} uv_buf_t;

typedef void (*uv_alloc_cb)(uv_handle_t *handle, size_t size, uv_buf_t *buffer);
typedef void (*uv_read_cb)(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer);
typedef void (*uv_write_cb)(uv_write_t *request, int status);
typedef void (*uv_connection_cb)(uv_stream_t *server, int status);
typedef void (*uv_close_cb)(uv_handle_t *handle);

/* The server, or a connection. */
struct uv_handle {
	void *data;
	int descriptor;
	uv_connection_cb on_connection;
	uv_read_cb on_read;
	uv_close_cb on_close;
	int closing;
};

struct uv_write {
	void *data;
};

enum uv_run_mode { UV_RUN_DEFAULT };

uv_loop_t *uv_default_loop(void);
int uv_run(uv_loop_t *loop, enum uv_run_mode mode);
void uv_loop_delete(uv_loop_t *loop);
uv_buf_t uv_buf_init(char *base, unsigned int length);
int uv_ip4_addr(const char *address, int port, struct sockaddr_in *result);
int uv_tcp_init(uv_loop_t *loop, uv_tcp_t *handle);
int uv_tcp_bind(uv_tcp_t *handle, const struct sockaddr *address, unsigned int flags);
int uv_listen(uv_stream_t *server, int backlog, uv_connection_cb on_connection);
int uv_accept(uv_stream_t *server, uv_stream_t *client);
int uv_read_start(uv_stream_t *stream, uv_alloc_cb allocate, uv_read_cb on_read);
int uv_write(uv_write_t *request, uv_stream_t *stream, const uv_buf_t *buffers, unsigned int count, uv_write_cb done);
void uv_close(uv_handle_t *handle, uv_close_cb on_close);

#endif
