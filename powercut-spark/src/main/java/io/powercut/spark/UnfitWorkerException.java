// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A machine lacks what Powercut needs. It says nothing of the program under test. */
final class UnfitWorkerException extends IOException {
  private static final long serialVersionUID = 1;
  private static final long MIB = 1 << 20;

  UnfitWorkerException(String host, String what) {
    super("the machine " + host + " cannot run Powercut: " + what);
  }

  /**
   * Files could not be written.
   *
   * @param folder of Spark, in which they are
   */
  static UnfitWorkerException without(Path folder, IOException problem) {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "?";
    }
    String space =
        Files.isWritable(folder)
            ? folder.toFile().getUsableSpace() / MIB + " MiB free"
            : "not writable";
    String said = String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
    return new UnfitWorkerException(
        host,
        "%s; its files are in %s (%s): make room there, or set spark.local.dir"
            .formatted(said.isEmpty() ? problem.toString() : said, folder, space));
  }
}
