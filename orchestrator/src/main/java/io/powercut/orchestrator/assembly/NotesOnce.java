// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import io.powercut.orchestrator.session.Progress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes a note on the first time only: each run of the target finds the same to say. */
final class NotesOnce extends Progress.Forwarding {
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /**
   * @param progress gets everything else
   */
  NotesOnce(Progress progress) {
    super(progress);
  }

  @Override
  public void note(String message) {
    if (said.add(message)) {
      super.note(message);
    }
  }
}
