/* SPDX-License-Identifier: Apache-2.0
 *
 * Natives of io.powercut.image.files.Posix: the system calls on sparse files that Java 17 has no way to ask
 * for. Each answers -errno when it fails. Nothing is mapped and nothing waits: a FIFO that a recovery
 * left behind is opened without blocking.
 */
#include "removal.h"

#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_powercut_image_files_Posix_##name
#define BOUNCE (256 * 1024)

static jlong result(long value)
{
	return value < 0 ? -(jlong)errno : (jlong)value;
}

static const char *path_bytes(JNIEnv *env, jbyteArray path, char *into, size_t size)
{
	jsize length = (*env)->GetArrayLength(env, path);
	if ((size_t)length >= size) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	(*env)->GetByteArrayRegion(env, path, 0, length, (jbyte *)into);
	into[length] = '\0';
	return into;
}

static void give_status(JNIEnv *env, const struct stat *status, jlongArray out)
{
	jlong values[] = {
			status->st_mode,
			status->st_size,
			status->st_blocks * 512,
			status->st_nlink,
			(jlong)status->st_dev,
			(jlong)status->st_ino,
			status->st_uid,
			status->st_gid,
	};
	(*env)->SetLongArrayRegion(env, out, 0, sizeof values / sizeof *values, values);
}

/* While one thread gives itself a permission, no other may see it. */
static pthread_mutex_t permissions_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * A file of our own that its owner may not read: without root, we permit it to ourselves, and restore that afterwards.
 */
static int open_own(const char *name, int flags)
{
	struct stat status;
	char self[64];
	int place = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (place < 0) {
		return -1;
	}
	int opened = -1;
	int error = EACCES;
	snprintf(self, sizeof self, "/proc/self/fd/%d", place);
	pthread_mutex_lock(&permissions_lock);
	if (fstat(place, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
			chmod(self, (status.st_mode & 07777) | S_IRUSR) == 0) {
		opened = open(self, flags);
		error = errno;
		(void)chmod(self, status.st_mode & 07777);
	}
	pthread_mutex_unlock(&permissions_lock);
	close(place);
	errno = error;
	return opened;
}

NATIVE(jint, open)(JNIEnv *env, jclass type, jbyteArray path, jint mode, jint permissions)
{
	(void)type;
	static const int flags[] = {O_RDONLY, O_RDWR, O_RDWR | O_CREAT | O_EXCL, O_RDONLY | O_DIRECTORY};
	char name[4096];
	if (path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	int opened = open(name, flags[mode] | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, permissions);
	if (opened < 0 && errno == EACCES && flags[mode] == O_RDONLY) {
		opened = open_own(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	return (jint)result(opened);
}

NATIVE(jint, close)(JNIEnv *env, jclass type, jint fd)
{
	(void)env, (void)type;
	return (jint)result(close(fd));
}

NATIVE(jint, status)(JNIEnv *env, jclass type, jint fd, jlongArray out)
{
	(void)type;
	struct stat status;
	if (fstat(fd, &status) < 0) {
		return -errno;
	}
	give_status(env, &status, out);
	return 0;
}

NATIVE(jint, linkStatus)(JNIEnv *env, jclass type, jbyteArray path, jlongArray out)
{
	(void)type;
	char name[4096];
	struct stat status;
	if (path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	pthread_mutex_lock(&permissions_lock);
	int error = lstat(name, &status) < 0 ? errno : 0;
	pthread_mutex_unlock(&permissions_lock);
	if (error != 0) {
		return -error;
	}
	give_status(env, &status, out);
	return 0;
}

/* Free bytes, free inodes and all inodes of a file system; the latter 0 when it does not count them. */
NATIVE(jint, fileSystem)(JNIEnv *env, jclass type, jbyteArray path, jlongArray out)
{
	(void)type;
	char name[4096];
	struct statvfs system;
	if (path_bytes(env, path, name, sizeof name) == NULL || statvfs(name, &system) < 0) {
		return -errno;
	}
	jlong values[] = {(jlong)(system.f_bavail * system.f_frsize), (jlong)system.f_favail, (jlong)system.f_files};
	(*env)->SetLongArrayRegion(env, out, 0, sizeof values / sizeof *values, values);
	return 0;
}

NATIVE(jint, makeDirectory)(JNIEnv *env, jclass type, jbyteArray path, jint permissions)
{
	(void)type;
	char name[4096];
	if (path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	return (jint)result(mkdir(name, permissions));
}

/* The name of the first entry that could not be removed goes to the array, followed by a zero byte. */
NATIVE(jint, remove)(JNIEnv *env, jclass type, jbyteArray path, jboolean content, jbyteArray failed)
{
	(void)type;
	char name[4096];
	struct removal_failure failure;
	if (path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	if (removal_run(name, content ? REMOVE_CONTENT : REMOVE_ALL, &failure) == 0) {
		return 0;
	}
	(*env)->SetByteArrayRegion(env, failed, 0, sizeof failure.name, (const jbyte *)failure.name);
	return -failure.error;
}

NATIVE(jint, link)(JNIEnv *env, jclass type, jbyteArray target, jbyteArray path)
{
	(void)type;
	char to[4096];
	char name[4096];
	if (path_bytes(env, target, to, sizeof to) == NULL || path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	return (jint)result(symlink(to, name));
}

NATIVE(jint, permissions)(JNIEnv *env, jclass type, jbyteArray path, jint permissions)
{
	(void)type;
	char name[4096];
	if (path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	return (jint)result(chmod(name, permissions));
}

/* One more name of a file. */
NATIVE(jint, name)(JNIEnv *env, jclass type, jbyteArray file, jbyteArray path)
{
	(void)type;
	char from[4096];
	char name[4096];
	if (path_bytes(env, file, from, sizeof from) == NULL || path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	return (jint)result(linkat(AT_FDCWD, from, AT_FDCWD, name, 0));
}

NATIVE(jint, owner)(JNIEnv *env, jclass type, jbyteArray path, jint owner, jint group)
{
	(void)type;
	char name[4096];
	if (path_bytes(env, path, name, sizeof name) == NULL) {
		return -errno;
	}
	return (jint)result(lchown(name, (uid_t)owner, (gid_t)group));
}

NATIVE(jint, user)(JNIEnv *env, jclass type)
{
	(void)env, (void)type;
	return (jint)geteuid();
}

NATIVE(jint, group)(JNIEnv *env, jclass type)
{
	(void)env, (void)type;
	return (jint)getegid();
}

NATIVE(jint, lock)(JNIEnv *env, jclass type, jint fd)
{
	(void)env, (void)type;
	return (jint)result(flock(fd, LOCK_EX | LOCK_NB));
}

NATIVE(jlong, nextData)(JNIEnv *env, jclass type, jint fd, jlong from)
{
	(void)env, (void)type;
	return result(lseek(fd, from, SEEK_DATA));
}

NATIVE(jlong, nextHole)(JNIEnv *env, jclass type, jint fd, jlong from)
{
	(void)env, (void)type;
	return result(lseek(fd, from, SEEK_HOLE));
}

NATIVE(jint, resize)(JNIEnv *env, jclass type, jint fd, jlong size)
{
	(void)env, (void)type;
	return (jint)result(ftruncate(fd, size));
}

NATIVE(jint, punch)(JNIEnv *env, jclass type, jint fd, jlong offset, jlong length)
{
	(void)env, (void)type;
	return (jint)result(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length));
}

NATIVE(jint, shareBlocks)(JNIEnv *env, jclass type, jint from, jint to)
{
	(void)env, (void)type;
	return (jint)result(ioctl(to, FICLONE, from));
}

static ssize_t read_whole(int fd, char *into, size_t length, off_t offset)
{
	size_t done = 0;
	while (done < length) {
		ssize_t count = pread(fd, into + done, length - done, offset + done);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			return -1;
		}
		if (count == 0) {
			break;
		}
		done += count;
	}
	return done;
}

static ssize_t write_whole(int fd, const char *from, size_t length, off_t offset)
{
	size_t done = 0;
	while (done < length) {
		ssize_t count = pwrite(fd, from + done, length - done, offset + done);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0) {
			return -1;
		}
		done += count;
	}
	return done;
}

/* Bytes read; fewer than requested only at the end of the file. */
NATIVE(jint, read)(JNIEnv *env, jclass type, jint fd, jobject direct, jint position, jint length, jlong offset)
{
	(void)type;
	char *memory = (*env)->GetDirectBufferAddress(env, direct);
	return (jint)result(read_whole(fd, memory + position, length, offset));
}

NATIVE(jint, write)(JNIEnv *env, jclass type, jint fd, jobject direct, jint position, jint length, jlong offset)
{
	(void)type;
	const char *memory = (*env)->GetDirectBufferAddress(env, direct);
	return (jint)result(write_whole(fd, memory + position, length, offset));
}

static ssize_t copy_through_memory(int from, int to, off_t offset, size_t length)
{
	char *bounce = malloc(BOUNCE);
	if (bounce == NULL) {
		return -1;
	}
	size_t done = 0;
	ssize_t count = 1;
	while (done < length && count > 0) {
		size_t wanted = length - done < BOUNCE ? length - done : BOUNCE;
		count = read_whole(from, bounce, wanted, offset + done);
		if (count > 0) {
			count = write_whole(to, bounce, count, offset + done);
		}
		if (count > 0) {
			done += count;
		}
	}
	int error = errno;
	free(bounce);
	errno = error;
	return count < 0 ? -1 : (ssize_t)done;
}

/* Bytes copied, at the same offset in both; fewer than requested only at the end of the source. */
NATIVE(jlong, copy)(JNIEnv *env, jclass type, jint from, jint to, jlong offset, jlong length)
{
	(void)env, (void)type;
	jlong done = 0;
	while (done < length) {
		loff_t source = offset + done;
		loff_t target = source;
		ssize_t count = copy_file_range(from, &source, to, &target, length - done, 0);
		if (count > 0) {
			done += count;
			continue;
		}
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO)) {
			return -errno;
		}
		/*
		 * On other file systems and old kernels, read and write. That also distinguishes the end of the file from a
		 * refusal.
		 */
		ssize_t rest = copy_through_memory(from, to, offset + done, length - done);
		return rest < 0 ? -(jlong)errno : done + rest;
	}
	return done;
}

NATIVE(jstring, errorText)(JNIEnv *env, jclass type, jint error)
{
	(void)type;
	return (*env)->NewStringUTF(env, strerror(error));
}
