// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.campaign.dataraces.RaceBackend;
import io.powercut.process.PowercutHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a program is started so that something tells the detectors of its accesses. */
final class WatchedCommand {
  private static final String RECORDED = "race-runtime/recorded";

  private WatchedCommand() {}

  /**
   * The command that runs it.
   *
   * @param command the program and its arguments
   * @param directory where it runs
   * @param locks locks of the program's own making, as the recorder wants them; only it needs them
   */
  static List<String> of(
      List<String> command, Path directory, RaceBackend backend, List<String> locks) {
    if (backend != RaceBackend.RECORDER) {
      return ForeignProgram.command(command, directory);
    }
    List<String> recorded = new ArrayList<>();
    recorded.add(PowercutHome.find().resolve(RECORDED).toString());
    locks.forEach(lock -> recorded.add("--synchronise=" + lock));
    recorded.add("--");
    recorded.addAll(command);
    return recorded;
  }
}
