// SPDX-License-Identifier: Apache-2.0
#include "command.h"
#include "fence.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

// An array that grows and is reused for the next command, so that starting one allocates nothing.
static void *room_for(void **array, size_t *capacity, size_t count, size_t size)
{
	if (count > *capacity) {
		free(*array);
		*array = calloc(count, size);
		*capacity = *array ? count : 0;
	}
	return *array;
}

static size_t name_length(const char *variable)
{
	const char *equals = strchr(variable, '=');
	return equals ? (size_t)(equals - variable) : strlen(variable);
}

static int is_overridden(const char *variable, char *const *overrides, uint32_t count)
{
	size_t length = name_length(variable);
	for (uint32_t index = 0; index < count; index++)
		if (name_length(overrides[index]) == length && memcmp(overrides[index], variable, length) == 0)
			return 1;
	return 0;
}

static int decode_environment(struct wire *frame, struct request_run *request)
{
	static void *array;
	static size_t capacity;
	uint32_t added = wire_take_32(frame);
	size_t inherited = 0;
	while (environ[inherited])
		inherited++;
	if (added > frame->length || !room_for(&array, &capacity, inherited + added + 1, sizeof(char *)))
		return 0;
	char **environment = array;
	for (uint32_t index = 0; index < added; index++)
		environment[index] = wire_take_string(frame);
	if (frame->broken)
		return 0;
	size_t count = added;
	for (size_t index = 0; index < inherited; index++)
		if (!is_overridden(environ[index], environment, added))
			environment[count++] = environ[index];
	environment[count] = NULL;
	request->environment = environment;
	return 1;
}

static int decode_guards(struct wire *frame, struct request_run *request)
{
	static void *array;
	static size_t capacity;
	uint32_t count = wire_take_32(frame);
	if (count > frame->length || !room_for(&array, &capacity, count + 1, sizeof(struct space_guard)))
		return 0;
	request->guards = array;
	request->guard_count = count;
	for (uint32_t index = 0; index < count; index++) {
		request->guards[index].reserve = wire_take_64(frame);
		request->guards[index].limit = wire_take_64(frame);
		request->guards[index].directory = wire_take_string(frame);
	}
	return !frame->broken;
}

static int decode_arguments(struct wire *frame, struct request_run *request)
{
	static void *array;
	static size_t capacity;
	uint32_t count = wire_take_32(frame);
	if (count == 0 || count > frame->length || !room_for(&array, &capacity, count + 1, sizeof(char *)))
		return 0;
	request->arguments = array;
	for (uint32_t index = 0; index < count; index++)
		request->arguments[index] = wire_take_string(frame);
	request->arguments[count] = NULL;
	return !frame->broken;
}

int command_decode(struct wire *frame, struct request_run *request)
{
	request->flags = wire_take_32(frame);
	request->time_limit = wire_take_64(frame);
	request->cpu_limit = wire_take_64(frame);
	request->memory_limit = wire_take_64(frame);
	request->output_limit = wire_take_64(frame);
	request->directory = wire_take_string(frame);
	request->output_file = wire_take_string(frame);
	request->own = wire_take_string(frame);
	return decode_guards(frame, request) && decode_arguments(frame, request) && decode_environment(frame, request);
}

static const char *variable(char *const *environment, const char *name)
{
	size_t length = strlen(name);
	for (; *environment; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

static int is_program(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

// A name without a slash is looked up on the command's own PATH. execvpe is not used, since it passes files that the
// kernel refuses to a shell.
static const char *__attribute__((noinline)) program_path(const struct request_run *request, char *found)
{
	const char *name = request->arguments[0];
	if (strchr(name, '/'))
		return name;
	const char *path = variable(request->environment, "PATH");
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path) {
		size_t length = strcspn(path, ":");
		int written = snprintf(found, PATH_MAX, "%.*s/%s", (int)length, path, name);
		if (length > 0 && written < PATH_MAX && is_program(found))
			return found;
		path += length;
		path += *path == ':';
	}
	return NULL;
}

struct failure {
	enum start_stage stage;
	int error;
};

// The child's part, in the parent's memory (vfork). It never returns.
static void __attribute__((noinline, noreturn)) become(const struct request_run *request, const char *program,
		int output, int fence, pid_t parent, volatile struct failure *failure)
{
	setsid();
	// If the supervisor is killed with SIGKILL, the leader dies with it, and the guardian kills the others.
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	// Where it is not allowed (containers), addresses vary. Supervisor.canFixAddresses() tells.
	if (request->flags & RUN_FIXED_ADDRESSES)
		personality(PER_LINUX | ADDR_NO_RANDOMIZE);
	failure->stage = START_DIRECTORY;
	if (chdir(request->directory) != 0)
		goto failed;
	failure->stage = START_PROGRAM;
	// The standard input of the supervisor itself is the request pipe; /dev/null was parked at descriptor 3.
	if (dup2(3, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0)
		goto failed;
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (fence >= 0)
		fence_put_up(fence);
	execve(program, request->arguments, request->environment);
failed:
	failure->error = errno;
	_exit(127);
}

pid_t command_spawn(const struct request_run *request, int output, enum start_stage *stage, int *error, int *fence)
{
	static char found[PATH_MAX];
	const char *program = program_path(request, found);
	if (!program) {
		*stage = START_PROGRAM;
		*error = ENOENT;
		return -1;
	}
	volatile struct failure failure = {0};
	int ends[2] = {-1, -1};
	*fence = -1;
	if (request->own[0] && socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0)
		ends[0] = ends[1] = -1;
	pid_t parent = getpid();
	pid_t child = vfork();
	if (child == 0)
		become(request, program, output, ends[1], parent, &failure);
	if (ends[0] >= 0) {
		*fence = fence_take(ends[0]);
		close(ends[0]);
		close(ends[1]);
	}
	*stage = child < 0 ? START_PROCESS : failure.stage;
	*error = child < 0 ? errno : failure.error;
	return child > 0 && failure.error != 0 ? -1 : child;
}
