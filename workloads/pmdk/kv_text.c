/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "kv_check.h"

void kv_key(char text[KV_KEY_SIZE], uint64_t index)
{
	snprintf(text, KV_KEY_SIZE, "key%08lu", index);
}

void kv_value(char text[KV_VALUE_SIZE], uint64_t index, uint64_t number)
{
	/* The padding makes values of different sizes. */
	snprintf(text, KV_VALUE_SIZE, "%lu:%lu:%.*s", index, number, (int)(scatter(number) % 20), "....................");
}
