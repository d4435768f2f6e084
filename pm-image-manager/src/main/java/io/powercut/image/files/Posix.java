// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The system calls of {@code native/files.c} and {@code native/attributes.c}. Each answers a
 * negative error number when it fails; {@link SystemErrors} turns that into an exception. Buffers
 * must be direct.
 */
public final class Posix {
  static final int READ = 0;
  static final int READ_WRITE = 1;
  static final int CREATE = 2;
  static final int DIRECTORY = 3;

  static final int NOT_PERMITTED = 1;
  static final int NO_SUCH_FILE = 2;
  static final int NO_SUCH_EXTENT = 6;
  static final int WOULD_BLOCK = 11;
  static final int ACCESS_DENIED = 13;
  static final int INVALID = 22;
  static final int NO_SPACE = 28;
  static final int NOT_SUPPORTED = 95;
  static final int QUOTA_EXCEEDED = 122;

  static {
    NativeLibrary.load();
  }

  private Posix() {}

  /**
   * Never follows a symbolic link in the last place and never waits for the other end of a FIFO.
   */
  public static native int open(byte[] path, int mode, int permissions);

  public static native int close(int file);

  public static native int status(int file, long[] status);

  public static native int linkStatus(byte[] path, long[] status);

  /**
   * Asks a file system for its free bytes, free inodes and all inodes; it counts none when there
   * are 0 of the last.
   */
  public static native int fileSystem(byte[] path, long[] status);

  public static native int makeDirectory(byte[] path, int permissions);

  /** As many bytes as a name has at most, and a zero byte. */
  static final int NAME_ROOM = 256;

  /**
   * Removes a file or a directory with all below it.
   *
   * @param content whether only what is in the directory goes
   * @param failed gets the name of the first entry that could not be removed; {@link #NAME_ROOM}
   */
  public static native int remove(byte[] path, boolean content, byte[] failed);

  /** Makes a symbolic link. */
  public static native int link(byte[] target, byte[] path);

  /** Gives a file one more name. */
  public static native int name(byte[] file, byte[] path);

  public static native int permissions(byte[] path, int permissions);

  /** Of the path itself, symbolic links not followed. */
  public static native int owner(byte[] path, int owner, int group);

  /** The user that this process acts as. */
  public static native int user();

  /** The group that this process acts as. */
  public static native int group();

  /**
   * All extended attributes of the path itself: for each the lengths of name and value in 4 bytes
   * of the machine's order, then both.
   *
   * @return null when there are none
   */
  public static native byte @Nullable [] extended(byte[] path);

  public static native int setExtended(byte[] path, byte[] name, byte[] value);

  /** Success also when there is no such attribute. */
  public static native int removeExtended(byte[] path, byte[] name);

  /** Takes the exclusive lock of the open file without waiting. */
  public static native int lock(int file);

  public static native long nextData(int file, long from);

  public static native long nextHole(int file, long from);

  public static native int resize(int file, long size);

  public static native int punch(int file, long offset, long length);

  public static native int shareBlocks(int from, int to);

  public static native int read(int file, ByteBuffer direct, int position, int length, long offset);

  public static native int write(
      int file, ByteBuffer direct, int position, int length, long offset);

  public static native long copy(int from, int to, long offset, long length);

  public static native String errorText(int error);
}
