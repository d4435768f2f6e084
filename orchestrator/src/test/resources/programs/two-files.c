/* SPDX-License-Identifier: Apache-2.0 */
/* One helper writes to two files. Built without debug information, nobody knows who calls it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int synchronises;

__attribute__((noipa)) static int put(const char *name, char value)
{
	char bytes[8];
	memset(bytes, value, sizeof bytes);
	int fd = open(name, O_CREAT | O_WRONLY, 0644);
	int directory = open(".", O_RDONLY);
	int problem = fsync(directory) != 0 || pwrite(fd, bytes, sizeof bytes, 0) != sizeof bytes;
	problem = problem || (synchronises && fsync(fd) != 0);
	return problem || close(fd) != 0 || close(directory) != 0;
}

static int has(const char *name, char value)
{
	char byte = 0;
	int fd = open(name, O_RDONLY);
	return fd >= 0 && pread(fd, &byte, 1, 7) == 1 && byte == value;
}

/* two-files correct|forgetful|check DIRECTORY [ACKNOWLEDGED] */
int main(int count, char **arguments)
{
	if (count < 3 || chdir(arguments[2]) != 0)
		return 2;
	if (strcmp(arguments[1], "check") == 0) {
		char line[16];
		FILE *told = fopen(arguments[3], "r");
		while (told != NULL && fgets(line, sizeof line, told) != NULL) {
			line[strcspn(line, "\n")] = 0;
			if (!has(line, line[0])) {
				fprintf(stderr, "%s is lost\n", line);
				return 1;
			}
		}
		return 0;
	}
	synchronises = strcmp(arguments[1], "forgetful") != 0;
	const char *names[] = {"log", "index"};
	for (int i = 0; i < 2; i++) {
		if (put(names[i], names[i][0]) != 0)
			return 3;
		puts(names[i]);
		fflush(stdout);
	}
	int directory = open(".", O_RDONLY);
	return fsync(directory); /* The power can be cut here, too. */
}
