// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Removes what executions leave, whatever it is: directories that may not be entered, names that
 * are not text, FIFOs and devices, any depth. Links are removed, not followed; what is mounted
 * below is left alone, and so it then fails.
 */
public final class Removal {
  private static final int BUSY = 16;

  private Removal() {}

  /**
   * Removes a file, or a directory with all below it. Nothing there is success.
   *
   * @throws IOException if something cannot be removed; all else is
   */
  public static void remove(Path path) throws IOException {
    run(path, false);
  }

  /**
   * Removes all that is in a directory; what is no directory goes itself.
   *
   * @throws IOException if something cannot be removed; all else is
   */
  public static void empty(Path directory) throws IOException {
    run(directory, true);
  }

  private static void run(Path path, boolean content) throws IOException {
    byte[] failed = new byte[Posix.NAME_ROOM];
    int result = Posix.remove(SystemErrors.bytes(path), content, failed);
    if (result < 0) {
      String name = new String(failed, 0, length(failed), StandardCharsets.UTF_8);
      throw SystemErrors.of(
          -result,
          "remove"
              + (name.isEmpty()
                  ? ""
                  : " " + name + (-result == BUSY ? ", which is mounted or in use," : "") + " in"),
          path);
    }
  }

  private static int length(byte[] name) {
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return length;
  }
}
