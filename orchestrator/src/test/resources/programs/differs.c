// A target whose persistent memory, or whose way, is not the same in every execution.
//   differs MODE PM COUNTER
// COUNTER is a file outside persistent memory with a decimal number, which every execution raises by one.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE 4096

static void persist(void *address)
{
	__builtin_ia32_clflush(address);
	__builtin_ia32_sfence();
}

static int count(const char *path)
{
	int number = 0;
	FILE *file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%d", &number) != 1)
			number = 0;
		fclose(file);
	}
	file = fopen(path, "w");
	if (!file)
		exit(2);
	fprintf(file, "%d\n", ++number);
	fclose(file);
	return number;
}

static void __attribute__((noinline)) rarely(char *pm)
{
	pm[3000] = 0; // as it is: only the way differs
	persist(pm + 3000);
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc != 4)
		return 2;
	const char *mode = argv[1];
	int execution = count(argv[3]);
	snprintf(path, sizeof path, "%s/pool", argv[2]);
	int file = open(path, O_RDWR | O_CREAT, 0600);
	if (file < 0 || ftruncate(file, SIZE) != 0)
		return 2;
	char *pm = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (pm == MAP_FAILED)
		return 2;
	pm[0] = 1;
	persist(pm);
	if (strcmp(mode, "path") == 0)
		strcpy(pm + 1024, argv[2]);
	else if (strcmp(mode, "process") == 0)
		*(volatile int *)(pm + 64) = getpid();
	else if (strcmp(mode, "first-way") == 0 && execution == 1)
		rarely(pm);
	else if (strcmp(mode, "later-way") == 0 && execution > 1)
		rarely(pm);
	else if (strcmp(mode, "twice-way") == 0 && execution <= 2)
		rarely(pm);
	pm[128] = 2;
	persist(pm + 128);
	return 0;
}
