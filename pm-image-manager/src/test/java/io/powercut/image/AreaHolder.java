// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import java.nio.file.Files;
import java.nio.file.Path;

/** A process of its own that makes an area with a directory in it, says where, and waits. */
final class AreaHolder {
  private AreaHolder() {}

  public static void main(String[] arguments) throws Exception {
    PmArea area = PmArea.create(Path.of(arguments[0]));
    Files.writeString(area.newDirectory().path().resolve("pool"), "content");
    System.out.println(area.root());
    System.in.read();
  }

  /** Starts one; the caller destroys it. */
  static Process start(Path parent) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-Dpowercut.home=" + System.getProperty("powercut.home", ""),
            "-cp",
            System.getProperty("java.class.path"),
            AreaHolder.class.getName(),
            parent.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
