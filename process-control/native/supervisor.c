// SPDX-License-Identifier: Apache-2.0
// powercut-supervisor: runs one command after another for a JVM, each in a session of its own, bounded in time, memory,
// space and output, and leaves nothing of it behind. It does what a JVM cannot: vfork, exact wait statuses, and being
// the parent of every orphan (PR_SET_CHILD_SUBREAPER).
//
// There are two processes. The worker talks to the JVM and starts the commands; the guardian, its parent, only waits
// for it. When the JVM is gone, the worker reads the end of its standard input, kills everything that runs, and ends.
// When the worker is killed, everything it ran becomes the guardian's, which kills it; a worker that is stopped counts
// as killed. When the guardian is killed, PR_SET_PDEATHSIG signals the worker; when it is stopped, the JVM kills it. So
// something survives only if both are killed at the same moment: not the command itself, which dies with the worker,
// but only what it had started.
#include "command.h"
#include "descendants.h"
#include "fence.h"
#include "output.h"
#include "space.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND UINT64_C(1000000)
#define WATCH_INTERVAL (25 * MILLISECOND)
#define NEVER UINT64_MAX

struct usage {
	uint64_t cpu; // nanoseconds
	uint64_t peak; // bytes
	uint32_t killed;
};

// The command that runs.
static struct {
	int running;
	struct request_run request;
	struct output output;
	pid_t leader;
	int leader_ended; // and was reaped
	int leader_status;
	int finished; // nothing of it is left
	enum ending cause; // why we killed it, ENDING_EXITED if we did not
	int32_t cause_value;
	uint64_t cause_seen;
	uint64_t started, ended, deadline, next_watch, next_cpu, stop_deadline;
	struct usage usage;
	int fence; // where the kernel asks for permission to open a file; -1: nowhere
	char strayed[PATH_MAX]; // the forbidden file that it asked for
} command;

static struct wire requests, answer;
static int signals; // signalfd

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void send_answer(void)
{
	// A failure means that the JVM is gone; the end of standard input will say so too, and end us.
	(void)wire_send(&answer, STDOUT_FILENO);
}

static void send_hello(void)
{
	wire_begin(&answer, ANSWER_HELLO);
	wire_put(&answer, "PCSV", 4);
	wire_put_32(&answer, WIRE_VERSION);
	wire_put_32(&answer, (uint32_t)getpid());
	send_answer();
}

static void send_not_started(enum start_stage stage, int error)
{
	wire_begin(&answer, ANSWER_ENDED);
	wire_put_8(&answer, ENDING_NOT_STARTED);
	wire_put_32(&answer, (uint32_t)error);
	wire_put_64(&answer, (uint64_t)stage);
	for (int zeros = 0; zeros < 4; zeros++)
		wire_put_64(&answer, 0);
	wire_put_32(&answer, 0);
	wire_put_string(&answer, strerror(error));
	send_answer();
}

static void send_ended(enum ending ending, int32_t value)
{
	wire_begin(&answer, ANSWER_ENDED);
	wire_put_8(&answer, (uint8_t)ending);
	wire_put_32(&answer, (uint32_t)value);
	wire_put_64(&answer, command.cause_seen);
	wire_put_64(&answer, command.ended - command.started);
	wire_put_64(&answer, command.usage.cpu);
	wire_put_64(&answer, command.usage.peak);
	wire_put_64(&answer, command.output.total);
	wire_put_32(&answer, command.usage.killed);
	wire_put_string(&answer, command.strayed);
	output_put_tail(&command.output, &answer);
	send_answer();
}

static void send_status(void)
{
	wire_begin(&answer, ANSWER_STATUS);
	wire_put_8(&answer, (uint8_t)command.running);
	if (command.running)
		output_put_tail(&command.output, &answer);
	send_answer();
}

static uint64_t nanoseconds(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

static void account(pid_t pid, int status, const struct rusage *usage)
{
	uint64_t peak = (uint64_t)usage->ru_maxrss * 1024;
	command.usage.cpu += nanoseconds(usage->ru_utime) + nanoseconds(usage->ru_stime);
	if (peak > command.usage.peak)
		command.usage.peak = peak;
	if (pid == command.leader) {
		command.leader_ended = 1;
		command.leader_status = status;
	} else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		command.usage.killed++;
	}
}

// Reaps everything that has ended. Returns whether anything is still alive.
static int reap(void)
{
	for (;;) {
		int status;
		struct rusage usage;
		pid_t pid = wait4(-1, &status, WNOHANG, &usage);
		if (pid < 0)
			return 0;
		if (pid == 0)
			return 1;
		account(pid, status, &usage);
	}
}

static void wait_for_signal(int milliseconds)
{
	struct signalfd_siginfo information;
	struct pollfd descriptor = {.fd = signals, .events = POLLIN};
	if (poll(&descriptor, 1, milliseconds) > 0 && read(signals, &information, sizeof information) > 0 &&
			information.ssi_signo != SIGCHLD)
		raise((int)information.ssi_signo); // stays pending: the loop will see it
}

// Kills and reaps until nothing is left. Gives up after a while on a process that the kernel does not release (state
// D).
static void kill_all(void)
{
	uint64_t give_up = now() + 10000 * MILLISECOND;
	// The whole group at once, in case it forks faster than we read /proc. Its id is ours as long as the leader is not
	// reaped.
	if (command.running && !command.leader_ended)
		kill(-command.leader, SIGKILL);
	while (reap() && now() < give_up) {
		descendants_kill();
		wait_for_signal(1);
	}
	command.finished = 1;
}

static void kill_for(enum ending cause, int32_t value, uint64_t seen)
{
	command.cause = cause;
	command.cause_value = value;
	command.cause_seen = seen;
	kill_all();
}

static void check_space(int kill)
{
	for (uint32_t index = 0; index < command.request.guard_count; index++) {
		uint64_t seen = 0;
		enum space_state state = space_check(&command.request.guards[index], &seen);
		if (state == SPACE_FINE)
			continue;
		int32_t value = (int32_t)(2 * index + (state == SPACE_LIMIT_EXCEEDED));
		if (kill)
			kill_for(ENDING_SPACE, value, seen);
		command.cause = ENDING_SPACE;
		command.cause_value = value;
		command.cause_seen = seen;
		return;
	}
}

static void watch(void)
{
	uint64_t before = now();
	if (command.request.memory_limit) {
		uint64_t memory = descendants_memory();
		if (memory > command.request.memory_limit) {
			kill_for(ENDING_MEMORY, 0, memory);
			return;
		}
	}
	check_space(1);
	// Walking a large directory must not take most of the time.
	uint64_t after = now(), pause = 10 * (after - before);
	command.next_watch = after + (pause > WATCH_INTERVAL ? pause : WATCH_INTERVAL);
}

// Processor time passes at most as fast as time, unless several processors work for it.
static void check_cpu(uint64_t time)
{
	uint64_t limit = command.request.cpu_limit, used = command.usage.cpu + descendants_cpu();
	if (used >= limit)
		kill_for(ENDING_TIME, 1, time - command.started);
	else
		command.next_cpu = time + (limit - used > MILLISECOND ? limit - used : MILLISECOND);
}

static void finish(void)
{
	int we_killed_it = WIFSIGNALED(command.leader_status) && WTERMSIG(command.leader_status) == SIGKILL;
	command.ended = now();
	output_finish(&command.output);
	// A command that failed because the disk was full must not be blamed for it.
	if (command.cause == ENDING_EXITED)
		check_space(0);
	command.running = 0;
	if (command.fence >= 0)
		close(command.fence);
	command.fence = -1;
	if (command.cause == ENDING_SPACE || command.cause == ENDING_STRAYED ||
			(command.cause != ENDING_EXITED && we_killed_it))
		send_ended(command.cause, command.cause_value);
	else if (WIFSIGNALED(command.leader_status))
		send_ended(ENDING_SIGNALLED, WTERMSIG(command.leader_status));
	else
		send_ended(ENDING_EXITED, WEXITSTATUS(command.leader_status));
}

static int leader_is_a_zombie(void)
{
	siginfo_t ended = {0};
	return !command.leader_ended && waitid(P_PID, (id_t)command.leader, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
			ended.si_pid != 0;
}

// Once the leader has ended, the rest is killed. After a request to stop, the rest has the grace period, too.
static void look_at_processes(void)
{
	int stopping = command.stop_deadline != NEVER;
	if (!stopping && leader_is_a_zombie())
		kill_all();
	else if (!reap())
		command.finished = 1;
	else if (command.leader_ended && !stopping)
		kill_all();
}

static int open_output(const struct request_run *request)
{
	if (!request->output_file[0])
		return -1;
	return open(request->output_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

static void reset_command(const struct request_run *request, int pipe, int file)
{
	memset(&command.usage, 0, sizeof command.usage);
	command.request = *request;
	command.output.pipe = pipe;
	command.output.file = file;
	command.output.room = request->output_limit;
	command.output.total = 0;
	command.leader_ended = 0;
	command.leader_status = SIGKILL; // in case it is never reaped
	command.finished = 0;
	command.cause = ENDING_EXITED;
	command.cause_seen = 0;
	command.strayed[0] = 0;
	command.started = now();
}

static void run(struct wire *frame)
{
	// The request's strings are needed as long as the command runs, longer than the buffer they came in.
	static struct wire kept;
	kept.length = kept.position = 0;
	kept.broken = 0;
	wire_put(&kept, frame->bytes, frame->length);
	struct request_run request;
	if (command.running || !command_decode(&kept, &request)) {
		fputs("powercut-supervisor: an invalid request\n", stderr);
		exit(70);
	}
	int ends[2];
	int file = open_output(&request);
	if (file < 0 && request.output_file[0]) {
		send_not_started(START_OUTPUT, errno);
		return;
	}
	if (pipe2(ends, O_CLOEXEC) != 0) {
		int error = errno;
		if (file >= 0)
			close(file);
		send_not_started(START_PROCESS, error);
		return;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	reset_command(&request, ends[0], file);
	enum start_stage stage;
	int error;
	command.leader = command_spawn(&request, ends[1], &stage, &error, &command.fence);
	close(ends[1]);
	if (command.leader < 0) {
		if (command.fence >= 0)
			close(command.fence);
		output_finish(&command.output);
		(void)reap();
		send_not_started(stage, error);
		return;
	}
	command.running = 1;
	command.deadline = request.time_limit ? command.started + request.time_limit : NEVER;
	command.next_cpu = request.cpu_limit ? command.started + request.cpu_limit : NEVER;
	command.next_watch = request.memory_limit || request.guard_count ? command.started + WATCH_INTERVAL : NEVER;
	command.stop_deadline = NEVER;
	if (request.flags & RUN_TELL_START) {
		wire_begin(&answer, ANSWER_STARTED);
		wire_put_32(&answer, (uint32_t)command.leader);
		send_answer();
	}
}

static void stop(struct wire *frame)
{
	int signal = (int)wire_take_32(frame);
	uint64_t grace = wire_take_64(frame);
	if (!command.running)
		return;
	command.stop_deadline = now() + grace;
	if (!command.leader_ended)
		kill(-command.leader, signal);
}

static void handle(int type, struct wire *frame)
{
	switch (type) {
	case REQUEST_RUN: run(frame); break;
	case REQUEST_STOP: stop(frame); break;
	case REQUEST_KILL:
		if (command.running)
			kill_for(ENDING_STOPPED, 0, 0);
		break;
	case REQUEST_STATUS: send_status(); break;
	default: fputs("powercut-supervisor: a request of unknown type\n", stderr); exit(70);
	}
}

static void end_everything(int status)
{
	kill_all();
	exit(status);
}

static void take_requests(void)
{
	wire_compact(&requests);
	if (!wire_fill(&requests, STDIN_FILENO))
		end_everything(0);
}

static int more_requests(void)
{
	struct wire frame;
	int type = wire_next(&requests, &frame);
	if (type < 0)
		end_everything(70);
	if (type > 0)
		handle(type, &frame);
	return type > 0;
}

static void take_signal(void)
{
	struct signalfd_siginfo information;
	while (read(signals, &information, sizeof information) > 0)
		if (information.ssi_signo != SIGCHLD)
			end_everything(128 + (int)information.ssi_signo);
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

static void check_limits(void)
{
	uint64_t time = now();
	if (time >= command.stop_deadline)
		kill_for(ENDING_STOPPED, 0, 0);
	else if (time >= command.deadline)
		kill_for(ENDING_TIME, 0, time - command.started);
	else if (time >= command.next_watch)
		watch();
	else if (time >= command.next_cpu)
		check_cpu(time);
}

// When the kernel hangs up, nobody uses the fence any more.
static void guard_fence(int events)
{
	if (!(events & POLLIN)) {
		close(command.fence);
		command.fence = -1;
	} else if (fence_answer(command.fence, command.request.own, command.strayed)) {
		kill_for(ENDING_STRAYED, 0, 0);
	} else {
		command.strayed[0] = 0;
	}
}

static void wait_for_events(void)
{
	struct pollfd descriptors[] = {
			{.fd = signals, .events = POLLIN},
			{.fd = STDIN_FILENO, .events = POLLIN},
			{.fd = command.running ? command.output.pipe : -1, .events = POLLIN},
			{.fd = command.running ? command.fence : -1, .events = POLLIN},
	};
	struct timespec timeout;
	uint64_t next = NEVER;
	if (command.running) {
		next = earlier(command.stop_deadline, earlier(command.deadline, earlier(command.next_watch, command.next_cpu)));
		uint64_t time = now(), left = next > time ? next - time : 0;
		timeout = (struct timespec){.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
	}
	if (ppoll(descriptors, 4, next == NEVER ? NULL : &timeout, NULL) < 0)
		return;
	if (descriptors[3].revents)
		guard_fence(descriptors[3].revents);
	if (descriptors[2].revents)
		output_pump(&command.output);
	if (descriptors[0].revents)
		take_signal();
	if (descriptors[1].revents)
		take_requests();
}

static void serve(void)
{
	send_hello();
	for (;;) {
		wait_for_events();
		while (more_requests())
			;
		if (!command.running) {
			(void)reap();
			continue;
		}
		look_at_processes();
		if (!command.finished)
			check_limits();
		if (command.finished)
			finish();
	}
}

// signalfd takes all signals that would end us. SIGPIPE from a dead JVM is never read. Both stay blocked rather than
// ignored, since a command would inherit that.
static sigset_t block_signals(void)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigaddset(&blocked, SIGHUP);
	sigset_t taken = blocked;
	sigaddset(&blocked, SIGPIPE);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	return taken;
}

static void guard(pid_t worker)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	int status = 0;
	for (;;) {
		pid_t changed = waitpid(-1, &status, WNOHANG | WUNTRACED);
		if (changed == worker && !WIFSTOPPED(status))
			break;
		if (changed == worker) {
			// Nothing that it runs would ever end, and nobody else can continue it for good.
			fprintf(stderr, "a process stopped the worker of powercut-supervisor with signal %d (%s)\n",
					WSTOPSIG(status), strsignal(WSTOPSIG(status)));
			kill(worker, SIGKILL);
		}
		if (changed > 0)
			continue;
		struct signalfd_siginfo information;
		struct pollfd descriptor = {.fd = signals, .events = POLLIN};
		if (poll(&descriptor, 1, -1) > 0 && read(signals, &information, sizeof information) > 0 &&
				information.ssi_signo != SIGCHLD)
			kill(worker, SIGTERM);
	}
	while (waitpid(-1, NULL, WNOHANG) >= 0) {
		descendants_kill();
		wait_for_signal(1);
	}
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

// Descriptors 0 to 2 are the JVM's pipes; 3 becomes /dev/null, for the commands' standard input.
static void prepare_descriptors(void)
{
	close_range(3, ~0u, 0);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null != 3) {
		fputs("powercut-supervisor: cannot open /dev/null\n", stderr);
		exit(70);
	}
}

int main(void)
{
	// The JVM gets the terminal's signals and decides. A crashing target leaves no core file in its directory.
	setsid();
	setrlimit(RLIMIT_CORE, &(struct rlimit){0});
	for (int signal = 1; signal < 32; signal++)
		sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	prepare_descriptors();
	sigset_t taken = block_signals();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t guardian = getpid();
	pid_t worker = fork();
	if (worker < 0) {
		perror("powercut-supervisor: fork");
		return 70;
	}
	signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (worker > 0)
		guard(worker);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_NAME, "powercut-worker");
	if (getppid() != guardian)
		return 70;
	serve();
}
