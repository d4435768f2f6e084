/* SPDX-License-Identifier: Apache-2.0 */
#include "acknowledge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void acknowledge(uint64_t done, enum operation_kind kind, uint64_t key)
{
	static const char *const names[] = {"put", "get", "delete"};
	char line[64];
	int length = snprintf(line, sizeof(line), "%" PRIu64 " %s %" PRIu64 "\n", done, names[kind], key);

	if (write(STDOUT_FILENO, line, (size_t)length) != length) {
		perror("standard output");
		exit(3);
	}
}

int64_t acknowledged_in(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[64];
	int64_t done = 0;

	if (file == NULL)
		return ACKNOWLEDGED_DAMAGED;
	while (done >= 0 && fgets(line, sizeof(line), file) != NULL) {
		int64_t number;
		char kind[8], end;
		uint64_t key;

		if (sscanf(line, "%" SCNd64 " %7s %" SCNu64 "%c", &number, kind, &key, &end) != 4 || end != '\n')
			done = feof(file) ? done : ACKNOWLEDGED_DAMAGED; /* the power went in the middle of the last line */
		else
			done = done == 0 || number == done + 1 ? number : ACKNOWLEDGED_DAMAGED;
		if (feof(file))
			break;
	}
	fclose(file);
	return done;
}
