/* SPDX-License-Identifier: Apache-2.0
 *
 * Natives of io.powercut.image.pages.PageHashing. Files are read, never mapped: a file that somebody
 * truncates meanwhile reads as zeros, where a mapping would end the JVM with SIGBUS.
 */
#include <errno.h>
#include <jni.h>
#include <string.h>
#include <unistd.h>

#include "page_hash.h"

/* As many pages as stay in the first two cache levels between reading and hashing. */
#define BATCH 16

static ssize_t read_padded(int fd, uint8_t *into, size_t length, off_t offset)
{
	size_t done = 0;
	while (done < length) {
		ssize_t count = pread(fd, into + done, length - done, offset + done);
		if (count < 0) {
			if (errno == EINTR) {
				continue;
			}
			return -errno;
		}
		if (count == 0) {
			break;
		}
		done += count;
	}
	memset(into + done, 0, length - done);
	return 0;
}

static void store_hashes(JNIEnv *env, const uint8_t *pages, int count, jlongArray out, jint position)
{
	jlong hashes[2 * BATCH];
	for (int i = 0; i < count; i++) {
		page_hash hash = hash_page(pages + (size_t)i * PAGE_SIZE);
		hashes[2 * i] = (jlong)hash.low;
		hashes[2 * i + 1] = (jlong)hash.high;
	}
	(*env)->SetLongArrayRegion(env, out, position, 2 * count, hashes);
}

/* 0, or -errno. */
JNIEXPORT jint JNICALL Java_io_powercut_image_pages_PageHashing_hashFile(JNIEnv *env, jclass type, jint fd,
		jlong offset, jint pages, jlongArray out, jint position)
{
	(void)type;
	uint8_t buffer[BATCH * PAGE_SIZE] __attribute__((aligned(64)));
	while (pages > 0) {
		int count = pages < BATCH ? pages : BATCH;
		ssize_t error = read_padded(fd, buffer, (size_t)count * PAGE_SIZE, offset);
		if (error < 0) {
			return (jint)error;
		}
		store_hashes(env, buffer, count, out, position);
		offset += (off_t)count * PAGE_SIZE;
		position += 2 * count;
		pages -= count;
	}
	return 0;
}

JNIEXPORT void JNICALL Java_io_powercut_image_pages_PageHashing_hashMemory(JNIEnv *env, jclass type, jobject direct,
		jint offset, jint pages, jlongArray out, jint position)
{
	(void)type;
	const uint8_t *from = (const uint8_t *)(*env)->GetDirectBufferAddress(env, direct) + offset;
	while (pages > 0) {
		int count = pages < BATCH ? pages : BATCH;
		store_hashes(env, from, count, out, position);
		from += (size_t)count * PAGE_SIZE;
		position += 2 * count;
		pages -= count;
	}
}
