/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and values that kv_clients sends to kv_server. A value names its key. */
#ifndef KV_TEXT_H
#define KV_TEXT_H

#include <stdio.h>

#define KEY_SIZE 32
#define VALUE_SIZE 32
#define VALUE_FORMAT "value:%d:%ld"
#define MAX_CLIENTS 32
#define MAX_KEYS 1000 /* of a client */

/* A client removes every fourth of its keys again. */
static inline int stays(long number)
{
	return number % 4 != 3;
}

static inline void key_text(char text[KEY_SIZE], int client, long number)
{
	snprintf(text, KEY_SIZE, "key%02d%06ld", client, number);
}

static inline void value_text(char text[VALUE_SIZE], int client, long number)
{
	snprintf(text, VALUE_SIZE, VALUE_FORMAT, client, number);
}

#endif
