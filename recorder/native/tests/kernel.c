/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel stores into mapped PM beside what a call is for, and memory that is written through its process. */
#include "pm.h"

#include <elf.h>
#include <linux/aio_abi.h>
#include <linux/capability.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/fsmap.h>
#include <linux/futex.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>

static char *pm; /* 64 KiB */

static long futex(void *word, int operation, long value, long value2, void *word2, long value3)
{
	return syscall(SYS_futex, word, operation, value, value2, word2, value3);
}

static void futexes(void)
{
	uint32_t *word = (uint32_t *)(pm + 4);
	CHECK(futex(word, FUTEX_WAKE_OP, 1, 1, word + 1, FUTEX_OP(FUTEX_OP_SET, 77, FUTEX_OP_CMP_EQ, 0)) == 0);
	CHECK(word[1] == 77);
	CHECK(futex(word, FUTEX_WAKE_OP_PRIVATE, 1, 1, word + 1, FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 0)) == 0);
	CHECK(word[1] == 80);
	CHECK(futex(word + 2, FUTEX_LOCK_PI, 0, 0, NULL, 0) == 0);
	CHECK(word[2] == (uint32_t)gettid());
	CHECK(futex(word + 2, FUTEX_UNLOCK_PI, 0, 0, NULL, 0) == 0);
	CHECK(futex(word + 2, FUTEX_TRYLOCK_PI, 0, 0, NULL, 0) == 0);
}

static void lengths(void)
{
	int pair[2];
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char text[8];
	socklen_t *length = (socklen_t *)(pm + 128);
	int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
	CHECK(bind(server, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0 && listen(server, 5) == 0);
	length[0] = sizeof address;
	CHECK(getsockname(server, (struct sockaddr *)&address, &length[0]) == 0 && length[0] < sizeof address);
	CHECK(connect(client, (struct sockaddr *)&address, length[0]) == 0);
	struct sockaddr_un other;
	length[1] = sizeof other;
	CHECK(accept(server, (struct sockaddr *)&other, &length[1]) >= 0 && length[1] < sizeof other);
	CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && send(pair[0], "datagram", 8, 0) == 8);
	length[2] = sizeof other;
	CHECK(recvfrom(pair[1], text, 8, 0, (struct sockaddr *)&other, &length[2]) == 8 && length[2] == 0);
	length[3] = sizeof other;
	CHECK(getpeername(client, (struct sockaddr *)&other, &length[3]) == 0 && length[3] < sizeof other);
	length[4] = 8;
	CHECK(getsockopt(client, SOL_SOCKET, SO_TYPE, text, &length[4]) == 0 && length[4] == 4);
	struct msghdr *message = (struct msghdr *)(pm + 256);
	struct iovec *part = (struct iovec *)(pm + 512);
	*part = (struct iovec){text, 4};
	memset(message, 0x33, sizeof *message);
	*message = (struct msghdr){.msg_name = &other,
			.msg_namelen = sizeof other,
			.msg_iov = part,
			.msg_iovlen = 1,
			.msg_control = text,
			.msg_controllen = 8,
			.msg_flags = 0x777};
	CHECK(send(pair[0], "datagram", 8, 0) == 8);
	CHECK(recvmsg(pair[1], message, 0) == 4 && message->msg_namelen == 0 && message->msg_flags == MSG_TRUNC);
	struct mmsghdr *messages = (struct mmsghdr *)(pm + 600);
	for (int i = 0; i < 2; i++)
		messages[i] = (struct mmsghdr){
				.msg_hdr = {.msg_name = &other, .msg_namelen = 50, .msg_iov = part, .msg_iovlen = 1, .msg_flags = 99}};
	CHECK(send(pair[0], "d", 1, 0) == 1);
	CHECK(recvmmsg(pair[1], messages, 2, MSG_DONTWAIT, NULL) == 1 && messages[0].msg_len == 1);
}

/* Results whose size the request does not tell. What the file system or the kernel lacks is left out. */
static void sized(void)
{
	int program = open("/proc/self/exe", O_RDONLY), udp = socket(AF_INET, SOCK_DGRAM, 0),
		terminal = open("/dev/ptmx", 2);
	memset(pm, 7, 32768);
	struct fiemap *extents = (struct fiemap *)pm;
	*extents = (struct fiemap){.fm_length = ~0ULL, .fm_extent_count = 20};
	CHECK(ioctl(program, FS_IOC_FIEMAP, extents) == -1 || extents->fm_mapped_extents > 0);
	struct fsmap_head *ranges = (struct fsmap_head *)(pm + 4096);
	memset(ranges, 0, sizeof *ranges);
	memset(&ranges->fmh_keys[1], 255, sizeof ranges->fmh_keys[1] - sizeof ranges->fmh_keys[1].fmr_reserved);
	memset(&ranges->fmh_keys[1].fmr_length, 0, 8 + sizeof ranges->fmh_keys[1].fmr_reserved);
	ranges->fmh_count = 10;
	CHECK(ioctl(program, FS_IOC_GETFSMAP, ranges) == -1 || ranges->fmh_entries > 0);
	struct ifreq *interface = (struct ifreq *)(pm + 8192);
	strcpy(interface->ifr_name, "lo");
	CHECK(ioctl(udp, SIOCGIFFLAGS, interface) == 0 && interface->ifr_name[15] == 0);
	CHECK(ioctl(udp, 0x8903, pm + 8448) == 0 && pm[8448] == 0); /* FIOGETOWN */
	CHECK(ioctl(terminal, TIOCGETD, pm + 8452) == 0 && pm[8452] == 0);
	CHECK(ioctl(terminal, TIOCGLCKTRMIOS, pm + 8456) == 0 && pm[8456] == 0);
	CHECK(syscall(SYS_sched_getattr, 0, pm + 8704, 200, 0) == 0);
	*(uint32_t *)(pm + 9000) = 160;
	pm[9100] = 1;
	CHECK(syscall(SYS_sched_setattr, 0, pm + 9000, 0) == -1 && *(uint32_t *)(pm + 9000) != 160);
	CHECK(prctl(0x41555856, pm + 9216, 1024, 0, 0) == -1 || pm[9217] == 0); /* PR_GET_AUXV */
	*(uint32_t *)(pm + 10240) = 0;
	CHECK(syscall(SYS_name_to_handle_at, AT_FDCWD, "/", pm + 10240, pm + 10248, 0) == -1);
	fd_set none;
	FD_ZERO(&none);
	struct timespec *timeout = (struct timespec *)(pm + 10496);
	*timeout = (struct timespec){0, 1000};
	CHECK(syscall(SYS_pselect6, 0, &none, NULL, NULL, timeout, NULL) == 0 && timeout->tv_nsec == 0);
	int queue = msgget(IPC_PRIVATE, 0600);
	CHECK(msgctl(queue, IPC_STAT, (struct msqid_ds *)(pm + 10752)) == 0 && msgctl(queue, IPC_RMID, NULL) == 0);
	CHECK(pm[10752 + 119] == 0);
	aio_context_t context = 0;
	struct iocb *request = (struct iocb *)(pm + 11008);
	*request = (struct iocb){.aio_key = 77, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = (unsigned)program};
	struct io_event event;
	CHECK(syscall(SYS_io_setup, 1, &context) == 0 && syscall(SYS_io_submit, context, 1, &request) == 1);
	CHECK(request->aio_key == 0 && syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1);
	pid_t child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME);
		raise(SIGSTOP);
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child);
	struct iovec *registers = (struct iovec *)(pm + 12288);
	*registers = (struct iovec){pm + 12352, 1000};
	CHECK(ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, registers) == 0 && registers->iov_len != 1000);
	CHECK(ptrace(PTRACE_GETSIGMASK, child, 8, pm + 13568) == 0 && pm[13568] == 0);
	CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

/* What calls store beside their results, even when they fail, and Valgrind does not report. */
static void results(void)
{
	char text[100] = "text";
	int pipes[2], from = make_file("../results", 0), to = make_file("copied", 0);
	off_t *offset = (off_t *)(pm + 128);
	CHECK(write(from, text, sizeof text) == sizeof text && pipe(pipes) == 0);
	CHECK(copy_file_range(from, &offset[0], to, &offset[1], 20, 0) == 20 && offset[0] == 20 && offset[1] == 20);
	CHECK(splice(from, &offset[2], pipes[1], NULL, 30, 0) == 30 && splice(pipes[0], NULL, to, &offset[3], 30, 0) == 30);
	CHECK(offset[2] == 30 && offset[3] == 30);
	struct timespec *timeout = (struct timespec *)(pm + 256);
	timeout->tv_nsec = 1000;
	CHECK(syscall(SYS_ppoll, NULL, 0, timeout, NULL, 8) == 0 && timeout->tv_nsec == 0);
	memset(pm + 512, 7, 128);
	CHECK(syscall(SYS_waitid, P_ALL, 0, pm + 512, WEXITED | WNOHANG, NULL) == -1 && errno == ECHILD && pm[512] == 0);
	struct __user_cap_header_struct *header = (struct __user_cap_header_struct *)(pm + 1024);
	header->version = _LINUX_CAPABILITY_VERSION_3;
	memset(pm + 1032, 7, 24);
	CHECK(syscall(SYS_capget, header, pm + 1032) == 0 && pm[1055] != 7);
	header->version = 5;
	CHECK(syscall(SYS_capget, header, NULL) == -1 || header->version != 5);
	struct flock *lock = (struct flock *)(pm + 2048);
	*lock = (struct flock){.l_type = F_WRLCK};
	CHECK(fcntl(to, F_GETLK, lock) == 0 && lock->l_type == F_UNLCK);
	lock[1] = (struct flock){.l_type = F_WRLCK};
	CHECK(fcntl(to, F_OFD_GETLK, &lock[1]) == 0 && lock[1].l_type == F_UNLCK);
	memset(pm + 2176, 7, 64);
	CHECK(fcntl(from, F_GET_RW_HINT, pm + 2176) == -1 || pm[2176] != 7);
	CHECK(fcntl(from, F_GET_FILE_RW_HINT, pm + 2184) == -1 || pm[2184] != 7);
	CHECK(prctl(PR_GET_TSC, pm + 2192) == 0 && prctl(PR_GET_CHILD_SUBREAPER, pm + 2196) == 0 && pm[2196] != 7);
	CHECK(prctl(PR_GET_TID_ADDRESS, pm + 2200) == -1 || pm[2200] != 7);
	struct ifconf *interfaces = (struct ifconf *)(pm + 2304);
	*interfaces = (struct ifconf){.ifc_len = 1000, .ifc_buf = pm + 3072};
	CHECK(ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCGIFCONF, interfaces) == 0 && interfaces->ifc_len != 1000);
	unlink("../results");
	char *last = map_fd(make_file("end", 4096), 8192,
			0); /* Valgrind reports a result that the kernel did not give, over the file's end */
	CHECK(syscall(SYS_waitid, P_ALL, 0, NULL, WEXITED | WNOHANG, last + 4090) == -1);
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	CHECK(syscall(SYS_waitid, P_ALL, 0, last, WEXITED | WNOHANG, last + 4090) == 0);
	CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

/* ---------------------------------------------------------------- threads */

static char child_stack[65536] __attribute__((aligned(64)));
static int is_over;

static int of_child(void *unused)
{
	(void)unused;
	__atomic_store_n((int *)(pm + 1028), *(int *)(pm + 1024), __ATOMIC_SEQ_CST);
	__atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
	return 0;
}

/* The numbers of threads: stored when they begin, cleared when they end. */
static void numbers(void)
{
	int *number = (int *)(pm + 1024);
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	*number = 5;
	CHECK(clone(of_child, child_stack + sizeof child_stack,
				  flags | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID, NULL, pm + 1032, NULL,
				  number) > 0);
	while (__atomic_load_n(&is_over, __ATOMIC_SEQ_CST) == 0 || __atomic_load_n(number, __ATOMIC_SEQ_CST) != 0)
		sched_yield();
	pid_t child = (pid_t)syscall(SYS_clone, CLONE_CHILD_SETTID | SIGCHLD, NULL, NULL, pm + 1040, NULL);
	if (child == 0)
		_exit(*(int *)(pm + 1040) == getpid() ? 0 : 1);
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static pthread_mutex_t *mutex;

static void *lock_and_end(void *unused)
{
	CHECK(pthread_mutex_lock(mutex) == 0);
	CHECK(pthread_mutex_lock(mutex + 1) == 0);
	return unused;
}

/* Threads, and a process, that end with locks. */
static void owners(void)
{
	pthread_mutexattr_t attributes;
	pthread_t thread;
	mutex = (pthread_mutex_t *)(pm + 2048);
	CHECK(pthread_mutexattr_init(&attributes) == 0 &&
			pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
	CHECK(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_mutex_init(mutex + i, &attributes) == 0);
	CHECK(pthread_create(&thread, NULL, lock_and_end, NULL) == 0 && pthread_join(thread, NULL) == 0);
	CHECK(pthread_mutex_lock(mutex) == EOWNERDEAD);
	CHECK(pthread_mutex_consistent(mutex) == 0 && pthread_mutex_unlock(mutex) == 0);
	pid_t child = fork();
	if (child == 0) {
		mutex += 2;
		lock_and_end(NULL);
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child);
}

#define REMOVED (1 << 25)

static volatile int is_removed, is_storing;

/* One word after the other, each once. */
static void *store_all_the_time(void *pages)
{
	for (long i = 0; i < REMOVED / 64 && !is_removed; i++) {
		((volatile long *)pages)[i] = i + 1;
		is_storing = 1;
	}
	return NULL;
}

/*
 * A hole is punched while another thread stores there: which came last shows. Not each time, so it is done a few times.
 */
static void removals(void)
{
	pthread_t thread;
	for (int round = 0; round < 4; round++) {
		char name[32];
		snprintf(name, sizeof name, "removed-%d", round);
		int fd = make_file(name, REMOVED);
		char *pages = map_fd(fd, REMOVED, 0);
		CHECK(fallocate(fd, 0, 0, REMOVED) == 0);
		is_removed = is_storing = 0;
		CHECK(pthread_create(&thread, NULL, store_all_the_time, pages) == 0);
		while (!is_storing)
			sched_yield();
		CHECK(madvise(pages, REMOVED, MADV_REMOVE) == 0);
		is_removed = 1;
		CHECK(pthread_join(thread, NULL) == 0);
		CHECK(munmap(pages, REMOVED) == 0 && ftruncate(fd, REMOVED / 16) == 0 && close(fd) == 0);
	}
}

/* --------------------------------------------------- memory of a process */

static void memory(void)
{
	int fd = open("/proc/self/mem", O_RDWR);
	CHECK(fd >= 0);
	CHECK(pwrite(fd, "by offset", 9, (off_t)(pm + 4096)) == 9);
	CHECK(lseek(fd, (off_t)(pm + 8190), SEEK_SET) == (off_t)(pm + 8190));
	CHECK(write(fd, "across pages", 12) == 12);
	static char elsewhere[16];
	CHECK(pwrite(fd, "no pm", 5, (off_t)elsewhere) == 5);
	struct iovec from = {"vector", 6}, to[2] = {{pm + 9000, 2}, {pm + 9010, 4}};
	CHECK(process_vm_writev(getpid(), &from, 1, to, 2, 0) == 6);
	int pipes[2];
	CHECK(pipe(pipes) == 0 && write(pipes[1], "through a pipe", 14) == 14);
	struct iovec into = {pm + 9100, 100};
	CHECK(vmsplice(pipes[0], &into, 1, 0) == 14);
	int ready[2];
	CHECK(pipe(ready) == 0);
	pid_t child = fork();
	if (child == 0) {
		char byte;
		CHECK(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
		raise(SIGSTOP);
		(void)!read(ready[0], &byte, 1);
		_exit(0);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
	CHECK(ptrace(PTRACE_POKEDATA, child, pm + 9200, 0x1122334455667788) == 0);
	struct iovec word = {"remote", 6}, there = {pm + 9300, 6};
	CHECK(process_vm_writev(child, &word, 1, &there, 1, 0) == 6);
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/mem", child);
	int theirs = open(path, O_RDWR);
	CHECK(theirs >= 0 && pwrite(theirs, "theirs", 6, (off_t)(pm + 9400)) == 6);
	CHECK(ptrace(PTRACE_DETACH, child, 0, 0) == 0 && write(ready[1], "x", 1) == 1);
	CHECK(waitpid(child, &status, 0) == child);
}

/* ------------------------------------------------------------- mappings */

/* Mapped first, then renamed or linked into the directory of PM files. */
static void of_before(void)
{
	char outside[] = "../before-XXXXXX";
	int fd = mkstemp(outside);
	CHECK(fd >= 0 && ftruncate(fd, 16384) == 0);
	char *first = map_fd(fd, 8192, 0), *second = map_fd(fd, 8192, 8192);
	char *private = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	first[5] = 1;
	int ready[2];
	CHECK(pipe(ready) == 0);
	pid_t child = fork(); /* has the mappings, too */
	if (child == 0) {
		char byte;
		CHECK(read(ready[0], &byte, 1) == 1);
		second[200] = 9;
		_exit(0);
	}
	CHECK(rename(outside, "renamed") == 0);
	first[4097] = 2;
	second[4098] = 3;
	private[7] = 4; /* no PM */
	CHECK(write(ready[1], "x", 1) == 1 && waitpid(child, NULL, 0) == child);
	char again[] = "../linked-XXXXXX";
	int other = mkstemp(again);
	CHECK(other >= 0 && ftruncate(other, 4096) == 0);
	char *linked = map_fd(other, 4096, 0);
	CHECK(link(again, "link") == 0);
	linked[9] = 5;
	CHECK(unlink(again) == 0);
	CHECK(rename("renamed", outside) == 0); /* and back */
	first[6] = 6;
	CHECK(rename(outside, "renamed again") == 0);
	first[4100] = 7;
	second[4101] = 8;
}

static void shared_memory(void)
{
	char *mapped = map_file("under shm", 16384);
	int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
	CHECK(id >= 0);
	char *at = shmat(id, mapped + 4096, SHM_REMAP);
	CHECK(shmctl(id, IPC_RMID, NULL) == 0 && at == mapped + 4096);
	mapped[4095] = 1;
	at[0] = 2; /* no PM any more */
	at[8191] = 3;
	mapped[12288] = 4;
}

/* ------------------------------------------------------------- addresses */

/* (stack pointer & mask) + constant: with a mask of few bits that is anywhere. */
static void masked_stack_pointer(void)
{
	char *low = mmap((void *)0x40000000, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
			make_file("low", 4096), 0);
	CHECK(low == (char *)0x40000000);
	__asm__ volatile("mov %%rsp, %%rax\n and $0xff8, %%eax\n movl $0x5a5a5a5a, 0x40000000(%%rax)" ::: "rax", "memory");
	__asm__ volatile("mov %%rsp, %%rax\n and $0x7f8, %%rax\n add $0x40000100, %%rax\n movl $0x6b6b6b6b, (%%rax)" ::
							 : "rax", "memory");
	__asm__ volatile("mov %%rsp, %%rax\n sub %%rsp, %%rax\n movb $7, 0x40000003(%%rax)" ::: "rax", "memory");
}

static volatile int handled;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	volatile char local[64]; /* on the alternate stack, relative to the stack pointer */
	(void)context;
	for (unsigned i = 0; i < sizeof local; i++)
		local[i] = (char)(signal + info->si_signo);
	handled++;
}

static void signals(void)
{
	char *stack = map_file("signal stack", 65536);
	stack_t alternate = {.ss_sp = stack, .ss_size = 65536};
	CHECK(sigaltstack(&alternate, NULL) == 0);
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_ONSTACK | SA_SIGINFO};
	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	raise(SIGUSR1);
	raise(SIGUSR1);
	CHECK(handled == 2);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 3 && chdir(argv[1]) == 0);
	const char *what = argv[2];
	pm = map_file("pm", 65536);
	if (strcmp(what, "futexes") == 0)
		futexes();
	else if (strcmp(what, "lengths") == 0)
		lengths();
	else if (strcmp(what, "results") == 0)
		results();
	else if (strcmp(what, "sized") == 0)
		sized();
	else if (strcmp(what, "removals") == 0)
		removals();
	else if (strcmp(what, "numbers") == 0)
		numbers();
	else if (strcmp(what, "owners") == 0)
		owners();
	else if (strcmp(what, "memory") == 0)
		memory();
	else if (strcmp(what, "before") == 0)
		of_before();
	else if (strcmp(what, "shared") == 0)
		shared_memory();
	else if (strcmp(what, "masked") == 0)
		masked_stack_pointer();
	else if (strcmp(what, "signals") == 0)
		signals();
	else
		return 98;
	return 0;
}
