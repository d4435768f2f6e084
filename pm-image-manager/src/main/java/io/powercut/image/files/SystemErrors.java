// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Makes exceptions of the negative error numbers that {@link Posix} answers. */
public final class SystemErrors {
  private static final Charset PATH_ENCODING =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private SystemErrors() {}

  /**
   * The result itself unless it is an error.
   *
   * @param action what was tried, as in "/path: cannot {@code action} it: reason"
   */
  public static long checked(long result, String action, Path path) throws IOException {
    if (result < 0) {
      throw of((int) -result, action, path);
    }
    return result;
  }

  static IOException of(int error, String action, Path path) {
    return switch (error) {
      case Posix.NO_SPACE, Posix.QUOTA_EXCEEDED -> OutOfSpaceException.at(path, 0);
      case Posix.NO_SUCH_FILE -> new NoSuchFileException(path.toString());
      case Posix.ACCESS_DENIED, Posix.NOT_PERMITTED ->
          new AccessDeniedException(path.toString(), null, "cannot " + action);
      default ->
          new FileSystemException(
              path.toString(), null, "cannot " + action + " it: " + Posix.errorText(error));
    };
  }

  public static byte[] bytes(Path path) {
    return path.toString().getBytes(PATH_ENCODING);
  }
}
