// SPDX-License-Identifier: Apache-2.0
#include "fence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Since Linux 6.6 the asker and the answerer may take turns on one processor, which takes a fraction of the time.
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, uint64_t)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP 1UL
#endif

#define QUESTION(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)

// The same, but not if an argument has a flag. If the number is another one, what is loaded stays.
#define QUESTION_UNLESS(number, argument, flag) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), \
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])), \
			BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flag, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)

static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		QUESTION(SYS_open),
		QUESTION(SYS_openat),
		QUESTION(SYS_openat2),
		QUESTION(SYS_creat),
		QUESTION(SYS_truncate),
		QUESTION(SYS_unlink),
		QUESTION(SYS_unlinkat),
		QUESTION(SYS_stat),
		QUESTION(SYS_lstat),
		QUESTION(SYS_access),
		QUESTION(SYS_faccessat),
		QUESTION(SYS_faccessat2),
		QUESTION_UNLESS(SYS_newfstatat, 3, AT_EMPTY_PATH), // of an open file
		QUESTION_UNLESS(SYS_statx, 2, AT_EMPTY_PATH),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static int install(void)
{
	struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

void fence_put_up(int socket)
{
	int listener = install();
	if (listener < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		listener = install(); // without root, set-user-id programs must be given up for it
	if (listener < 0)
		return;
	char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
	struct iovec data = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &listener, sizeof listener);
	(void)sendmsg(socket, &message, MSG_NOSIGNAL);
}

int fence_take(int socket)
{
	char room[CMSG_SPACE(sizeof(int))] = {0}, byte;
	struct iovec data = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
	if (recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return -1;
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return -1;
	int listener;
	memcpy(&listener, CMSG_DATA(header), sizeof listener);
	(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
	return listener;
}

// The name may end just before an unmapped page, so it is read page by page.
static int read_name(pid_t pid, uint64_t address, char name[PATH_MAX])
{
	size_t done = 0;
	while (done < PATH_MAX) {
		size_t left_in_page = 4096 - ((address + done) & 4095), room = PATH_MAX - done;
		struct iovec here = {.iov_base = name + done, .iov_len = left_in_page < room ? left_in_page : room};
		struct iovec there = {.iov_base = (void *)(uintptr_t)(address + done), .iov_len = here.iov_len};
		ssize_t count = process_vm_readv(pid, &here, 1, &there, 1, 0);
		if (count <= 0)
			return 0;
		if (memchr(name + done, 0, (size_t)count))
			return 1;
		done += (size_t)count;
	}
	return 0;
}

// The path once all links are followed. Of a file that does not exist, those that lead to its directory; if that does
// not exist either, it is the name itself.
static int resolve(int base, const char *name, int flags, char path[PATH_MAX])
{
	const char *missing = "";
	int place = openat(base, name, O_PATH | O_CLOEXEC | flags);
	if (place < 0 && errno == ENOENT) {
		const char *slash = strrchr(name, '/');
		missing = slash ? slash + 1 : name;
		snprintf(path, PATH_MAX, "%.*s", missing > name ? (int)(missing - name) : 1, missing > name ? name : ".");
		place = openat(base, path, O_PATH | O_CLOEXEC);
	}
	if (place < 0) {
		snprintf(path, PATH_MAX, "%s", name);
		return errno == ENOENT && name[0] == '/';
	}
	char self[64];
	snprintf(self, sizeof self, "/proc/self/fd/%d", place);
	ssize_t length = readlink(self, path, PATH_MAX - 1);
	close(place);
	if (length <= 0)
		return 0;
	path[length] = 0;
	if (*missing)
		snprintf(path + length, PATH_MAX - (size_t)length, "/%s", missing);
	return 1;
}

static int open_base(pid_t pid, int directory)
{
	char link[64];
	if (directory == AT_FDCWD)
		snprintf(link, sizeof link, "/proc/%d/cwd", pid);
	else
		snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, directory);
	return open(link, O_PATH | O_CLOEXEC);
}

// OWN is .../AREA/MINE/pm. Returns the length of .../AREA/, 0 if it is none.
static size_t area_of(const char *own)
{
	const char *end = strrchr(own, '/');
	while (end && end > own && end[-1] != '/')
		end--; // after the slash before MINE
	return end ? (size_t)(end - own) : 0;
}

// Returns 0 when it cannot be told.
static uint64_t mount_of(int base, const char *name, int flags)
{
	struct statx found;
	if (statx(base, name, flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_MNT_ID, &found) != 0)
		return 0;
	errno = 0;
	return found.stx_mask & STATX_MNT_ID ? found.stx_mnt_id : 0;
}

static uint64_t mount_of_area(const char *own)
{
	static char area[PATH_MAX];
	static uint64_t mount;
	size_t length = area_of(own);
	if (length == 0 || length >= sizeof area)
		return 0;
	if (strncmp(area, own, length) != 0 || area[length]) {
		memcpy(area, own, length);
		area[length] = 0;
		mount = mount_of(AT_FDCWD, area, 0);
	}
	return mount;
}

// Whether a file cannot be in the area, since it is on another mount: the one question for most files, such as
// libraries. A file that does not exist yet is where its directory is.
static int is_elsewhere(int base, char *name, int flags, const char *own)
{
	uint64_t area = mount_of_area(own), mount = area ? mount_of(base, name, flags) : 0;
	if (area && !mount && errno == ENOENT) {
		char *slash = strrchr(name, '/');
		if (slash && slash > name) {
			*slash = 0;
			mount = mount_of(base, name, 0);
			*slash = '/';
		}
	}
	return mount && mount != area;
}

// What is below .../AREA/OTHER/pm is foreign.
static int is_foreign(const char *own, const char *path)
{
	size_t area = area_of(own);
	const char *end = own + area;
	if (area == 0)
		return 0;
	size_t mine = strcspn(end, "/");
	if (strncmp(path, own, area) != 0)
		return 0;
	const char *other = path + area;
	size_t length = strcspn(other, "/");
	if (length == mine && strncmp(other, end, mine) == 0)
		return 0;
	return strcmp(other + length, "/pm") == 0 || strncmp(other + length, "/pm/", 4) == 0;
}

// Which directory the name is relative to, if it is.
static int has_directory(int number)
{
	return number == SYS_openat || number == SYS_openat2 || number == SYS_unlinkat || number == SYS_newfstatat ||
			number == SYS_faccessat || number == SYS_faccessat2 || number == SYS_statx;
}

// Removing a link, or looking at it, does not touch what it leads to.
static int is_about_link(const struct seccomp_data *call)
{
	switch (call->nr) {
	case SYS_unlink:
	case SYS_unlinkat:
	case SYS_lstat: return 1;
	case SYS_newfstatat:
	case SYS_faccessat2: return (call->args[3] & AT_SYMLINK_NOFOLLOW) != 0;
	case SYS_statx: return (call->args[2] & AT_SYMLINK_NOFOLLOW) != 0;
	default: return 0;
	}
}

static int asks_for_foreign(const struct seccomp_notif *question, const char *own, char path[PATH_MAX])
{
	static char name[PATH_MAX];
	int directory = has_directory(question->data.nr);
	pid_t pid = (pid_t)question->pid;
	if (!read_name(pid, question->data.args[directory], name))
		return 0;
	int base = AT_FDCWD;
	if (name[0] != '/') {
		base = open_base(pid, directory ? (int)question->data.args[0] : AT_FDCWD);
		if (base < 0)
			return 0;
	}
	int is_of_link = is_about_link(&question->data);
	int suspected = !is_elsewhere(base, name, is_of_link ? AT_SYMLINK_NOFOLLOW : 0, own);
	int known = suspected && resolve(base, name, is_of_link ? O_NOFOLLOW : 0, path);
	if (base != AT_FDCWD)
		close(base);
	return known && is_foreign(own, path);
}

int fence_answer(int listener, const char *own, char path[PATH_MAX])
{
	struct seccomp_notif question;
	memset(&question, 0, sizeof question);
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0)
		return 0; // the process that asked is gone
	if (asks_for_foreign(&question, own, path))
		return 1;
	struct seccomp_notif_resp answer = {.id = question.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
	(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	return 0;
}
