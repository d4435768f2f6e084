// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.KeptAttributes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Copies a directory in a process that is not root, and says what was not kept. */
final class OrdinaryUser {
  private static final String NOBODY = "65534";

  private OrdinaryUser() {}

  /** The original, the copy, and a scratch directory. */
  public static void main(String[] arguments) throws Exception {
    Path original = Path.of(arguments[0]);
    DirectoryCopy.copy(original, Path.of(arguments[1]));
    System.out.println(
        "missing: " + KeptAttributes.missing(original, Path.of(arguments[2])).orElse("nothing"));
  }

  /** What such a process prints, errors included. */
  static String copy(Path original, Path copy, Path scratch) throws Exception {
    List<String> command =
        List.of(
            "setpriv",
            "--reuid=" + NOBODY,
            "--regid=" + NOBODY,
            "--clear-groups",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dpowercut.home=" + System.getProperty("powercut.home", ""),
            "-cp",
            System.getProperty("java.class.path"),
            OrdinaryUser.class.getName(),
            original.toString(),
            copy.toString(),
            scratch.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
