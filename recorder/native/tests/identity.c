/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is hard to distinguish: two libraries with one base name, and code made at run time. */
#include "pm.h"

#include <dlfcn.h>
#include <libgen.h>

static char *pm;

/* movl $value, (%rdi); clflush (%rdi); ret */
static void make_code(char *at, int value)
{
	memcpy(at, "\xc7\x07\0\0\0\0\x0f\xae\x3f\xc3", 10);
	memcpy(at + 2, &value, 4);
}

int main(int argc, char **argv)
{
	char program[4096], path[4200];
	CHECK(argc >= 2 && readlink("/proc/self/exe", program, sizeof program - 1) > 0);
	CHECK(chdir(argv[1]) == 0);
	pm = map_file("pm", 4096);
	dirname(program);
	for (int which = 1; which <= 2; which++) {
		snprintf(path, sizeof path, "%s/%d/libtwin.so", program, which);
		void *library = dlopen(path, RTLD_NOW);
		CHECK(library != NULL);
		void (*twin)(char *);
		*(void **)&twin = dlsym(library, "twin");
		CHECK(twin != NULL);
		twin(pm + which);
	}
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(code != MAP_FAILED);
	snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
	for (int which = 0; which < 4; which++) {
		make_code(code + 512 * which, which);
		if (which == 2) { /* from here on it is known */
			FILE *map = fopen(path, "w");
			CHECK(map != NULL);
			fprintf(map, "%lx 20 alpha of jit\n%lx 20 beta\n", (unsigned long)code + 1024, (unsigned long)code + 1536);
			fclose(map);
		}
		((void (*)(char *))(code + 512 * which))(pm + 64 + 4 * which);
	}
	CHECK(unlink(path) == 0);
	return 0;
}
