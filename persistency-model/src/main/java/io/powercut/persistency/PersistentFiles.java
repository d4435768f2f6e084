// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Receives what reaches persistent memory: bytes, and the sizes, names and attributes of the files
 * that hold them. Files have the numbers that the trace gives them; paths are relative to the PM
 * directory.
 *
 * <p>Every method throws {@link IOException} when the change cannot be kept or contradicts what was
 * said before.
 */
public interface PersistentFiles {
  /** How a file came to be known. */
  enum Origin {
    /** It was there before the run. */
    EXISTING,
    /** The program made it just now. */
    CREATED,
    /** The program made it just now and gave it no name yet. */
    CREATED_UNNAMED,
    /**
     * It had lost its last name before it was seen: it is in no image, whatever is stored to it.
     */
    LOST
  }

  /**
   * Gives a file its number.
   *
   * @param size in bytes at this moment
   */
  void define(int file, Origin origin, String path, long size) throws IOException;

  /**
   * Bytes reach a file. What lies beyond the file's end is dropped.
   *
   * @param offset in the file
   * @param size how many bytes
   * @param bytes holds them from index {@code position}; little-endian; valid during the call only,
   *     its own position and limit mean nothing
   */
  void store(int file, long offset, int size, ByteBuffer bytes, int position) throws IOException;

  /** A file has a new size in bytes; what it gained reads as zero. */
  void resize(int file, long size) throws IOException;

  /** A range reads as zero from now on; the size stays. */
  void zero(int file, long offset, long length) throws IOException;

  /** A file has another name than its only one; whatever had that before is gone. */
  void rename(int file, String path) throws IOException;

  /** A file lost its only name in the PM directory and got one elsewhere. */
  void moveOut(int file) throws IOException;

  /** A file has one more name. */
  void link(int file, String path) throws IOException;

  /**
   * A name of a file was removed.
   *
   * @param file 0 when the name was that of something else, such as a symbolic link
   * @param hasOtherNames whether the file can be reached by another one
   */
  void delete(int file, String path, boolean hasOtherNames) throws IOException;

  /** A directory was made. */
  void createDirectory(String path) throws IOException;

  /** A directory was removed. */
  void deleteDirectory(String path) throws IOException;

  /** A directory, and all in it, has another name. */
  void renameDirectory(String from, String to) throws IOException;

  /** A symbolic link was made. */
  void createSymbolicLink(String path, String target) throws IOException;

  /**
   * What a file, a directory or a symbolic link has beside its content is this from now on.
   *
   * @param file 0 when it is no regular file, but what has the path
   * @param path empty for the PM directory itself, or when there is a file
   */
  void setAttributes(int file, String path, FileAttributes attributes) throws IOException;
}
