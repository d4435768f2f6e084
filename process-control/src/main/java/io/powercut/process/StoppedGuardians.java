// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks for guardians that a command has stopped with a signal: such a supervisor would never end,
 * nor would its command. It is killed with all below it, and so counts as lost.
 */
final class StoppedGuardians {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** What forks while it is being killed is found in the next round. */
  private static final int MOST_ROUNDS = 1000;

  private static final Set<SupervisorProcess> WATCHED = ConcurrentHashMap.newKeySet();

  static {
    Thread thread = new Thread(StoppedGuardians::look, "powercut-stopped-guardians");
    thread.setDaemon(true);
    thread.start();
  }

  private StoppedGuardians() {}

  /** Watches a supervisor as long as it lives. */
  static void watch(SupervisorProcess process) {
    WATCHED.add(process);
  }

  private static void look() {
    while (true) {
      WATCHED.removeIf(process -> !process.isAlive());
      WATCHED.stream()
          .filter(process -> state(process.guardianPid()) == 'T')
          .forEach(StoppedGuardians::kill);
      try {
        Thread.sleep(LOOK_EVERY.toMillis());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void kill(SupervisorProcess process) {
    process.wasStopped();
    ProcessHandle guardian = ProcessHandle.of(process.guardianPid()).orElse(null);
    if (guardian == null) {
      return;
    }
    // It is the parent of all that is orphaned, also while it is stopped, so it goes last.
    for (int round = 0; round < MOST_ROUNDS; round++) {
      List<ProcessHandle> alive =
          guardian.descendants().filter(each -> state(each.pid()) != 'Z').toList();
      if (alive.isEmpty()) {
        break;
      }
      alive.forEach(ProcessHandle::destroyForcibly);
    }
    guardian.destroyForcibly();
  }

  /** The state as ps shows it; a blank when there is no such process. */
  private static char state(long pid) {
    try {
      String status =
          Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
      return status.charAt(status.lastIndexOf(')') + 2);
    } catch (IOException | IndexOutOfBoundsException gone) {
      return ' ';
    }
  }
}
