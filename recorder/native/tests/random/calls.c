/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that store into mapped PM. */
#include "random.h"

#include <linux/aio_abi.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <time.h>

#define MOST 600 /* bytes of one read */

/* The kernel stored `size` of the bytes there, from the first on; at most `room`. */
static void expect_kernel(Actor *a, const void *address, long size, long room)
{
	if (size > 0)
		expect_at(a, KERNEL, 0, address, size, room);
	else
		expect_anything(a);
}

/* From a file: of elsewhere, of the pool itself, at and past its end. */
void op_read(Actor *a)
{
	long size = below(a, MOST) + 1;
	char *p = spot(a, size, 1), *q = spot(a, 20, 1);
	struct iovec parts[2] = {{q, 20}, {p, (size_t)size}};
	int fd = chance(a, 60) ? a->source : chance(a, 50) ? a->pool : a->own;
	off_t offset = below(a, 5000);
	expect_anything(a);
	switch (pick(a, 6)) {
	case 0: CHECK(lseek(a->own, offset, SEEK_SET) >= 0 && read(a->own, p, (size_t)size) >= 0); break;
	case 1: CHECK(preadv(fd, parts, 2, offset) >= 0); break;
	case 2: CHECK(preadv2(fd, parts, 2, offset, 0) >= 0); break;
	case 3: CHECK(lseek(a->own, offset, SEEK_SET) >= 0 && readv(a->own, parts, 2) >= 0); break;
	case 4: CHECK(pread(a->source, p, (size_t)size, 1 << 20) == 0); break; /* past its end */
	default: CHECK(pread(fd, p, (size_t)size, offset) >= 0); break;
	}
}

static void make_socket_pair(int *pair, int type)
{
	CHECK(socketpair(AF_UNIX, type, 0, pair) == 0);
}

/*
 * From pipes and sockets, with all that goes with them; pointers, lengths and descriptors lie in PM only where nobody
 * else stores.
 */
void op_receive(Actor *a)
{
	char text[MOST];
	int pair[2];
	long size = below(a, MOST / 2) + 1, room = below(a, MOST) + 1;
	long got = size < room ? size : room;
	char *p = spot(a, room, 1);
	fill(a, text, sizeof text);
	long which = pick(a, alone ? 8 : 3);
	if (which == 0)
		CHECK(pipe(pair) == 0 && write(pair[1], text, (size_t)size) == size);
	else {
		make_socket_pair(pair, which < 4 ? SOCK_STREAM : SOCK_DGRAM);
		CHECK(write(pair[1], text, (size_t)size) == size);
	}
	switch (which) {
	case 0:
	case 1:
		CHECK(read(pair[0], p, (size_t)room) == got);
		expect_kernel(a, p, got, room);
		break;
	case 2:
		CHECK(recv(pair[0], p, (size_t)room, chance(a, 50) ? MSG_PEEK : 0) == got);
		expect_kernel(a, p, got, room);
		break;
	case 3: { /* its name, or the name's length */
		struct sockaddr_un name;
		socklen_t length = sizeof name;
		socklen_t *in_pm = (socklen_t *)spot(a, 4, 4);
		expect_anything(a);
		CHECK(getsockname(pair[0], (struct sockaddr *)spot(a, sizeof name, 8), &length) == 0);
		*in_pm = 100;
		TRY(getsockname(pair[0], (struct sockaddr *)&name, in_pm));
		*in_pm = 4;
		TRY(getsockopt(pair[0], SOL_SOCKET, SO_RCVBUF, &length, in_pm));
		CHECK(getsockopt(pair[0], SOL_SOCKET, SO_RCVBUF, spot(a, 4, 4), &(socklen_t){4}) == 0);
		break;
	}
	case 4: {
		struct sockaddr_un name;
		socklen_t length = sizeof name;
		socklen_t *in_pm = (socklen_t *)spot(a, 4, 4);
		expect_anything(a);
		CHECK(recvfrom(pair[0], p, (size_t)room, MSG_PEEK, (struct sockaddr *)&name, &length) == got);
		*in_pm = 100;
		TRY(recvfrom(pair[0], text, (size_t)room, 0, (struct sockaddr *)&name, in_pm));
		break;
	}
	case 5: { /* the message is in PM; what it leads to is not, or else that would change */
		struct msghdr *message = (struct msghdr *)spot(a, sizeof *message, 8);
		struct iovec part = {text, (size_t)room};
		char name[110], control[64];
		struct msghdr m = {.msg_iov = &part,
				.msg_iovlen = 1,
				.msg_control = control,
				.msg_controllen = sizeof control,
				.msg_name = name,
				.msg_namelen = sizeof name};
		expect_anything(a);
		memcpy(message, &m, sizeof m);
		CHECK(recvmsg(pair[0], message, 0) == got);
		break;
	}
	case 6: { /* a descriptor comes with it */
		char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
		struct iovec part = {text, 3}, into = {p, (size_t)room};
		struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
		struct cmsghdr *header = CMSG_FIRSTHDR(&m);
		*header =
				(struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
		memcpy(CMSG_DATA(header), &pair[0], sizeof(int));
		CHECK(sendmsg(pair[1], &m, 0) == 3 && recv(pair[0], p, (size_t)room, 0) == got);
		expect_anything(a);
		char *in_pm = spot(a, sizeof control, 8);
		struct msghdr received = {.msg_iov = &into,
				.msg_iovlen = 1,
				.msg_control = in_pm,
				.msg_controllen = sizeof control};
		TRY(recvmsg(pair[0], &received, 0));
		for (int fd = 3; fd < 200 && received.msg_controllen != 0; fd++) { /* whatever number it got */
			if (fd == *(int *)(in_pm + CMSG_LEN(0)) && fd != pair[0] && fd != pair[1]) {
				close(fd);
				break;
			}
		}
		break;
	}
	default: { /* the list of messages is in PM */
		struct mmsghdr *messages = (struct mmsghdr *)spot(a, 2 * sizeof *messages, 8);
		struct iovec part = {text, (size_t)room};
		expect_anything(a);
		memset(messages, 0, 2 * sizeof *messages);
		for (int i = 0; i < 2; i++) {
			messages[i].msg_hdr.msg_iov = &part;
			messages[i].msg_hdr.msg_iovlen = 1;
		}
		TRY(recvmmsg(pair[0], messages, 2, MSG_DONTWAIT, NULL));
		break;
	}
	}
	close(pair[0]), close(pair[1]);
}

/* Calls that answer with a structure. */
void op_status(Actor *a)
{
	char *p = spot(a, 512, 8);
	expect_anything(a);
	switch (pick(a, 36)) {
	case 0: CHECK(fstat(a->source, (struct stat *)p) == 0); break;
	case 1: CHECK(statx(a->source, "", AT_EMPTY_PATH, STATX_ALL, (struct statx *)p) == 0); break;
	case 2: CHECK(statfs(".", (struct statfs *)p) == 0); break;
	case 3: CHECK(getcwd(p, 512) != NULL); break;
	case 4: CHECK(readlink("/proc/self/exe", p, 512) > 0); break;
	case 5: {
		int fd = open(".", O_RDONLY | O_DIRECTORY);
		CHECK(syscall(SYS_getdents64, fd, p, 512) > 0);
		close(fd);
		break;
	}
	case 6: {
		int fds[2];
		if (!alone)
			break;
		CHECK(pipe2((int *)p, O_CLOEXEC) == 0);
		memcpy(fds, p, sizeof fds);
		close(fds[0]), close(fds[1]);
		break;
	}
	case 7: {
		int fds[2];
		if (!alone)
			break;
		make_socket_pair((int *)p, SOCK_DGRAM);
		memcpy(fds, p, sizeof fds);
		close(fds[0]), close(fds[1]);
		break;
	}
	case 8: CHECK(syscall(SYS_clock_gettime, CLOCK_REALTIME, p) == 0); break;
	case 9: CHECK(syscall(SYS_gettimeofday, p, p + 64) == 0); break;
	case 10: CHECK(syscall(SYS_clock_getres, CLOCK_MONOTONIC, p) == 0); break;
	case 11: CHECK(syscall(SYS_time, p) > 0); break;
	case 12: CHECK(getrusage(RUSAGE_SELF, (struct rusage *)p) == 0); break;
	case 13: CHECK(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, p) == 0); break;
	case 14: CHECK(syscall(SYS_getrlimit, RLIMIT_STACK, p) == 0); break;
	case 15: CHECK(times((struct tms *)p) != -1); break;
	case 16: CHECK(uname((struct utsname *)p) == 0); break;
	case 17: CHECK(sysinfo((struct sysinfo *)p) == 0); break;
	case 18: CHECK(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, p, 8) == 0); break;
	case 19: CHECK(syscall(SYS_rt_sigaction, SIGUSR2, NULL, p, 8) == 0); break;
	case 20: CHECK(sigaltstack(NULL, (stack_t *)p) == 0); break;
	case 21: CHECK(sigpending((sigset_t *)p) == 0); break;
	case 22: CHECK(syscall(SYS_getitimer, ITIMER_REAL, p) == 0); break;
	case 23: CHECK(syscall(SYS_sched_getaffinity, 0, 128, p) > 0); break;
	case 24: CHECK(sched_getparam(0, (struct sched_param *)p) == 0); break;
	case 25: CHECK(prctl(PR_GET_NAME, p) == 0); break;
	case 26: CHECK(syscall(SYS_getresuid, p, p + 4, p + 100) == 0); break;
	case 27: CHECK(getgroups(100, (gid_t *)p) >= 0); break;
	case 28: {
		struct __user_cap_header_struct *header = (struct __user_cap_header_struct *)p;
		*header = (struct __user_cap_header_struct){_LINUX_CAPABILITY_VERSION_3, 0};
		TRY(syscall(SYS_capget, header, p + 64));
		break;
	}
	case 29: CHECK(getrandom(p, (size_t)below(a, 256) + 1, 0) > 0); break;
	case 30: CHECK(mincore(a->maps[0].start, POOL, (unsigned char *)p) == 0); break;
	case 31: CHECK(syscall(SYS_getcpu, p, p + 8, NULL) == 0); break;
	case 32: CHECK(syscall(SYS_get_robust_list, 0, p, p + 8) == 0); break;
	case 33: CHECK(prctl(PR_GET_PDEATHSIG, p) == 0); break;
	case 34: CHECK(syscall(SYS_sched_rr_get_interval, 0, p) == 0); break;
	default: CHECK(ioctl(a->source, FIONREAD, p) == 0); break;
	}
}

/* Calls that say what is ready, or which processes have ended. */
void op_wait(Actor *a)
{
	int pair[2];
	uint64_t one = 1;
	char *p = spot(a, 256, 8);
	make_socket_pair(pair, SOCK_STREAM);
	CHECK(write(pair[1], "x", 1) == 1);
	expect_anything(a);
	switch (pick(a, alone ? 9 : 6)) {
	case 0: {
		struct pollfd fds[2] = {{pair[0], POLLIN, 0}, {pair[1], POLLIN | POLLOUT, 77}};
		memcpy(p, fds, sizeof fds);
		CHECK(poll((struct pollfd *)p, 2, 0) >= 0);
		break;
	}
	case 6: {
		struct pollfd fds[2] = {{pair[0], POLLIN, 0}, {-1, POLLIN, 5}};
		struct timespec *timeout = (struct timespec *)(p + 64);
		memcpy(p, fds, sizeof fds);
		*timeout = (struct timespec){0, 100};
		CHECK(syscall(SYS_ppoll, p, 2, timeout, NULL, 8) >= 0);
		break;
	}
	case 7: {
		fd_set *sets = (fd_set *)spot(a, 2 * sizeof *sets, 8);
		struct timeval *timeout = (struct timeval *)p;
		FD_ZERO(&sets[0]);
		memset(&sets[1], 0xff, sizeof *sets);
		FD_ZERO(&sets[1]);
		FD_SET(pair[0], &sets[0]);
		FD_SET(pair[1], &sets[1]);
		*timeout = (struct timeval){0, 5};
		CHECK(select(pair[0] + pair[1] + 1, &sets[0], &sets[1], NULL, timeout) >= 0);
		break;
	}
	case 3: {
		int queue = epoll_create1(0);
		struct epoll_event event = {EPOLLIN, {.u64 = 0x1122334455667788}};
		CHECK(queue >= 0 && epoll_ctl(queue, EPOLL_CTL_ADD, pair[0], &event) == 0);
		CHECK(epoll_wait(queue, (struct epoll_event *)p, 3, 0) >= 0);
		close(queue);
		break;
	}
	case 4: {
		int fd = eventfd(5, EFD_NONBLOCK);
		CHECK(fd >= 0 && read(fd, p, 8) == 8 && read(fd, p, 8) == -1 && write(fd, &one, 8) == 8);
		close(fd);
		break;
	}
	case 5: {
		int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
		struct itimerspec past = {{0, 0}, {0, 1}};
		CHECK(fd >= 0 && timerfd_settime(fd, 0, &past, (struct itimerspec *)p) == 0 &&
				timerfd_gettime(fd, (struct itimerspec *)(p + 64)) == 0);
		(void)!read(fd, p + 128, 8);
		close(fd);
		break;
	}
	default: {
		timer_t timer;
		struct sigevent silent = {.sigev_notify = SIGEV_NONE};
		CHECK(syscall(SYS_timer_create, CLOCK_REALTIME, &silent, p) == 0);
		memcpy(&timer, p, 4);
		CHECK(syscall(SYS_timer_gettime, *(int *)&timer, p + 64) == 0 &&
				syscall(SYS_timer_delete, *(int *)&timer) == 0);
		break;
	}
	case 1: CHECK(syscall(SYS_waitid, P_ALL, 0, p, WEXITED | WNOHANG | WNOWAIT, p + 128) <= 0); break;
	case 2: CHECK(ioctl(pair[0], FIONREAD, p) == 0); break;
	}
	close(pair[0]), close(pair[1]);
}

/* Through the process's memory, and words beside a call. */
void op_memory(Actor *a)
{
	char text[64];
	long size = below(a, 64) + 1;
	char *p = spot(a, size, 1), *q = spot(a, 8, 1);
	struct iovec from = {text, (size_t)size}, to[2] = {{p, (size_t)size}, {q, 8}};
	fill(a, text, sizeof text);
	expect_anything(a);
	switch (pick(a, 6)) {
	case 0: CHECK(process_vm_writev(getpid(), &from, 1, to, 2, 0) > 0); break;
	case 1: CHECK(process_vm_readv(getpid(), to, 2, &from, 1, 0) > 0); break;
	case 2: {
		int fd = open("/proc/self/mem", O_RDWR);
		CHECK(fd >= 0 && pwrite(fd, text, (size_t)size, (off_t)p) == size);
		CHECK(lseek(fd, (off_t)q, SEEK_SET) == (off_t)q && write(fd, text, 3) == 3);
		close(fd);
		break;
	}
	case 3: {
		uint32_t *word = (uint32_t *)spot(a, 8, 8), elsewhere = 0;
		CHECK(syscall(SYS_futex, &elsewhere, FUTEX_WAKE_OP, 1, 1, word,
					  FUTEX_OP(FUTEX_OP_ADD, below(a, 99), FUTEX_OP_CMP_EQ, 0)) == 0);
		break;
	}
	case 4: {
		int pair[2];
		struct iovec into = {p, (size_t)size};
		CHECK(pipe(pair) == 0 && write(pair[1], text, 20) == 20 && vmsplice(pair[0], &into, 1, 0) > 0);
		close(pair[0]), close(pair[1]);
		break;
	}
	default: {
		uint32_t *word = (uint32_t *)spot(a, 4, 4);
		__atomic_store_n(word, 0, __ATOMIC_RELAXED);
		if (syscall(SYS_futex, word, FUTEX_TRYLOCK_PI, 0, 0, NULL, 0) == 0)
			(void)!syscall(SYS_futex, word, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
		break;
	}
	}
}

/* Offsets that the kernel advances are in PM. */
void op_offsets(Actor *a)
{
	if (!alone)
		return;
	off_t *offset = (off_t *)spot(a, 16, 8);
	int pair[2];
	long start = below(a, 1000);
	int target = open("offsets", O_RDWR | O_CREAT, 0644);
	CHECK(target >= 0);
	expect_anything(a);
	offset[0] = start;
	switch (pick(a, 4)) {
	case 0: CHECK(sendfile(target, a->source, offset, 500) == 500); break;
	case 1:
		offset[1] = below(a, 100);
		CHECK(copy_file_range(a->source, NULL, target, &offset[1], 20, 0) >= 0);
		break;
	case 2:
		CHECK(pipe(pair) == 0 && splice(a->source, offset, pair[1], NULL, 100, 0) == 100);
		offset[1] = 3;
		CHECK(splice(pair[0], NULL, target, &offset[1], 60, 0) == 60);
		close(pair[0]), close(pair[1]);
		break;
	default: CHECK(syscall(SYS_copy_file_range, a->source, offset, target, NULL, 30, 0) == 30); break;
	}
	close(target);
}

void op_handed_in(Actor *a)
{
	char text[300];
	long size = below(a, 300) + 1;
	struct io_event elsewhere[2];
	char *p = spot(a, size, 1);
	void *events = alone ? spot(a, sizeof elsewhere, 8) : (void *)elsewhere; /* Valgrind follows its pointers */
	struct iocb read = {.aio_lio_opcode = IOCB_CMD_PREAD,
			.aio_fildes = (uint32_t)a->source,
			.aio_buf = (uintptr_t)p,
			.aio_nbytes = (uint64_t)size,
			.aio_offset = below(a, 3000)};
	struct iocb write = {.aio_lio_opcode = IOCB_CMD_PWRITE,
			.aio_fildes = (uint32_t)a->own,
			.aio_buf = (uintptr_t)text,
			.aio_nbytes = (uint64_t)size,
			.aio_offset = below(a, OWN - 300)};
	struct iocb *requests[2] = {&read, &write};
	fill(a, text, sizeof text);
	expect_anything(a);
	if (a->handing_in_of != getpid()) {
		a->handing_in = 0;
		if (syscall(SYS_io_setup, 4, &a->handing_in) != 0)
			return; /* a kernel without it */
		a->handing_in_of = getpid();
	}
	CHECK(syscall(SYS_io_submit, a->handing_in, 2, requests) == 2);
	CHECK(syscall(SYS_io_getevents, a->handing_in, 2, 2, events, NULL) == 2);
}

/* Calls that fail store nothing. */
void op_fails(Actor *a)
{
	char *p = spot(a, 64, 8);
	char *nowhere = (char *)(uintptr_t)(8 + 8 * a->number);
	int pair[2];
	expect_anything(a);
	switch (pick(a, 11)) {
	case 0: CHECK(read(-1, p, 64) == -1); break;
	case 1: CHECK(pread(a->source, p, 64, -5) == -1); break;
	case 2:
		CHECK(pipe2(pair, O_NONBLOCK) == 0 && read(pair[0], p, 64) == -1);
		close(pair[0]), close(pair[1]);
		break;
	case 3: CHECK(write(a->source, p, 64) == -1); break;
	case 4: CHECK(pwrite(a->pool, nowhere, 64, 0) == -1); break;
	case 5: CHECK(pwrite(a->pool, p, 64, -1) == -1); break;
	case 6: CHECK(ftruncate(a->own, -1) == -1 && ftruncate(a->source, 5) == -1); break;
	case 7: CHECK(fallocate(a->own, FALLOC_FL_PUNCH_HOLE, 0, 10) == -1); break;
	case 8: CHECK(rename("nothing", "other") == -1 && unlink("nothing") == -1 && link("nothing", "own-0") == -1); break;
	case 9: CHECK(mremap((void *)4096, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED && munmap(p, 0) == -1); break;
	default: CHECK(readlink("own-0", p, 64) == -1 && fstat(-1, (struct stat *)p) == -1); break;
	}
}
