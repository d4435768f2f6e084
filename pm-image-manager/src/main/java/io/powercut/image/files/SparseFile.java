// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** An open regular file, read and written by position, that knows its holes. */
public final class SparseFile implements AutoCloseable {
  private final Path path;
  private final int descriptor;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SparseFile(Path path, int mode, int permissions) throws IOException {
    this.path = path;
    String action = mode == Posix.CREATE ? "create" : "open";
    this.descriptor =
        (int)
            SystemErrors.checked(
                Posix.open(SystemErrors.bytes(path), mode, permissions), action, path);
  }

  /** A descriptor of the directory or file, to take its lock. */
  public static SparseFile openDirectory(Path path) throws IOException {
    return new SparseFile(path, Posix.DIRECTORY, 0);
  }

  public static SparseFile openForReading(Path path) throws IOException {
    return new SparseFile(path, Posix.READ, 0).requireRegular();
  }

  public static SparseFile openForWriting(Path path) throws IOException {
    return new SparseFile(path, Posix.READ_WRITE, 0).requireRegular();
  }

  /** Creates the file, which must not exist, with these permissions less the process's umask. */
  public static SparseFile create(Path path, int permissions) throws IOException {
    return new SparseFile(path, Posix.CREATE, permissions);
  }

  private SparseFile requireRegular() throws IOException {
    boolean regular = false;
    try {
      regular = status().kind() == FileStatus.Kind.FILE;
    } finally {
      if (!regular) {
        close();
      }
    }
    if (!regular) {
      throw new IOException(path + " is not a regular file");
    }
    return this;
  }

  public Path path() {
    return path;
  }

  public int descriptor() {
    return descriptor;
  }

  public FileStatus status() throws IOException {
    return FileStatus.ofOpen(descriptor, path);
  }

  /** False if another open file description holds the exclusive lock. */
  public boolean tryLock() throws IOException {
    int result = Posix.lock(descriptor);
    if (result == -Posix.WOULD_BLOCK) {
      return false;
    }
    SystemErrors.checked(result, "lock", path);
    return true;
  }

  /** Offset of the first byte at or after {@code from} that is not in a hole; -1 if none is. */
  public long nextData(long from) throws IOException {
    long result = Posix.nextData(descriptor, from);
    return result == -Posix.NO_SUCH_EXTENT ? -1 : SystemErrors.checked(result, "seek in", path);
  }

  /** Offset of the end of the data at {@code from}, which is not after the end of the file. */
  public long nextHole(long from) throws IOException {
    long result = Posix.nextHole(descriptor, from);
    return result == -Posix.NO_SUCH_EXTENT ? from : SystemErrors.checked(result, "seek in", path);
  }

  public void resize(long size) throws IOException {
    SystemErrors.checked(Posix.resize(descriptor, size), "resize", path);
  }

  /** Makes a hole. False if the file system cannot. */
  public boolean punch(long offset, long length) {
    return Posix.punch(descriptor, offset, length) == 0;
  }

  /** Bytes read: fewer than asked for at the end of the file only. */
  public int read(ByteBuffer direct, int position, int length, long offset) throws IOException {
    return (int)
        SystemErrors.checked(
            Posix.read(descriptor, direct, position, length, offset), "read", path);
  }

  public void write(ByteBuffer direct, int position, int length, long offset) throws IOException {
    SystemErrors.checked(Posix.write(descriptor, direct, position, length, offset), "write", path);
  }

  /**
   * Makes all content of this file the other's, by sharing blocks. False if that cannot be done.
   */
  boolean shareBlocksWith(SparseFile other) {
    return Posix.shareBlocks(descriptor, other.descriptor) == 0;
  }

  /** Copies a range to the same place in another file. */
  void copyTo(SparseFile other, long offset, long length) throws IOException {
    SystemErrors.checked(
        Posix.copy(descriptor, other.descriptor, offset, length), "copy to", other.path);
  }

  /** Closes the descriptor once: its number may be another file's afterwards. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      Posix.close(descriptor);
    }
  }
}
