/* SPDX-License-Identifier: Apache-2.0
 *
 * Natives of io.powercut.image.files.Posix: extended attributes. Symbolic links are not followed.
 */
#include <errno.h>
#include <jni.h>
#include <linux/limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_powercut_image_files_Posix_##name
#define NAME_ROOM (XATTR_NAME_MAX + 1)
#define LIST_ROOM 65536

struct packed {
	char *bytes;
	size_t length;
	size_t room;
};

static char *java_bytes(JNIEnv *env, jbyteArray array, char *into, size_t size)
{
	jsize length = (*env)->GetArrayLength(env, array);
	if ((size_t)length >= size) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	(*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)into);
	into[length] = '\0';
	return into;
}

static int append(struct packed *packed, const void *bytes, size_t length)
{
	if (packed->room - packed->length < length) {
		size_t room = 2 * (packed->length + length) + 256;
		char *larger = realloc(packed->bytes, room);
		if (larger == NULL) {
			return -1;
		}
		packed->bytes = larger;
		packed->room = room;
	}
	memcpy(packed->bytes + packed->length, bytes, length);
	packed->length += length;
	return 0;
}

/* Length of the name, length of the value, name, value. Returns 0 for one that may not be read or is gone, too. */
static int append_attribute(struct packed *packed, const char *path, const char *name, char *value)
{
	ssize_t length = lgetxattr(path, name, value, LIST_ROOM);
	if (length < 0) {
		return errno == E2BIG || errno == ERANGE ? -1 : 0;
	}
	uint32_t head[2] = {(uint32_t)strlen(name), (uint32_t)length};
	return append(packed, head, sizeof head) < 0 || append(packed, name, head[0]) < 0 ||
					append(packed, value, head[1]) < 0
			? -1
			: 0;
}

static jbyteArray pack(JNIEnv *env, const char *path, const char *names, ssize_t length)
{
	struct packed packed = {0};
	char *value = malloc(LIST_ROOM);
	int failed = value == NULL;
	for (ssize_t at = 0; at < length && !failed; at += strlen(names + at) + 1) {
		failed = append_attribute(&packed, path, names + at, value) < 0;
	}
	jbyteArray result = failed ? NULL : (*env)->NewByteArray(env, (jsize)packed.length);
	if (result != NULL) {
		(*env)->SetByteArrayRegion(env, result, 0, (jsize)packed.length, (const jbyte *)packed.bytes);
	}
	free(value);
	free(packed.bytes);
	return result;
}

/* All of them in one array; null when there are none, or the file system does not support them. */
NATIVE(jbyteArray, extended)(JNIEnv *env, jclass type, jbyteArray path)
{
	(void)type;
	char name[4096];
	char names[4096];
	if (java_bytes(env, path, name, sizeof name) == NULL) {
		return NULL;
	}
	ssize_t length = llistxattr(name, names, sizeof names);
	if (length >= 0 || errno != ERANGE) {
		return length > 0 ? pack(env, name, names, length) : NULL;
	}
	char *many = malloc(LIST_ROOM);
	length = many == NULL ? -1 : llistxattr(name, many, LIST_ROOM);
	jbyteArray result = length > 0 ? pack(env, name, many, length) : NULL;
	free(many);
	return result;
}

NATIVE(jint, setExtended)(JNIEnv *env, jclass type, jbyteArray path, jbyteArray name, jbyteArray value)
{
	(void)type;
	char file[4096];
	char attribute[NAME_ROOM];
	if (java_bytes(env, path, file, sizeof file) == NULL ||
			java_bytes(env, name, attribute, sizeof attribute) == NULL) {
		return -errno;
	}
	jsize length = (*env)->GetArrayLength(env, value);
	jbyte *bytes = (*env)->GetByteArrayElements(env, value, NULL);
	if (bytes == NULL) {
		return -ENOMEM;
	}
	int error = lsetxattr(file, attribute, bytes, (size_t)length, 0) < 0 ? errno : 0;
	(*env)->ReleaseByteArrayElements(env, value, bytes, JNI_ABORT);
	return -error;
}

NATIVE(jint, removeExtended)(JNIEnv *env, jclass type, jbyteArray path, jbyteArray name)
{
	(void)type;
	char file[4096];
	char attribute[NAME_ROOM];
	if (java_bytes(env, path, file, sizeof file) == NULL ||
			java_bytes(env, name, attribute, sizeof attribute) == NULL) {
		return -errno;
	}
	return lremovexattr(file, attribute) < 0 && errno != ENODATA ? -errno : 0;
}
