/**
 * Persistent-memory files outside the target: private directories, copies, comparison, and crash
 * images.
 *
 * <p>No file that a target or a recovery can reach is ever mapped into this JVM: truncating a
 * mapped file kills the JVM with SIGBUS, and so does a full tmpfs. All of it is {@code pread} and
 * {@code pwrite}, through a small native library, because Java 17 cannot ask for {@code SEEK_DATA},
 * {@code fallocate} or {@code flock}, without which a sparse pool of 64 GB would have to be read in
 * full.
 */
@NullMarked
package io.powercut.image;

import org.jspecify.annotations.NullMarked;
