// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;

/**
 * By which calls a lost store was flushed. Stores of several functions may be flushed by one loop,
 * behind which one fence is missing. A helper that flushes what it is told has other callers for
 * each of them, and each of these lacks its own fence.
 */
public final class FlushOfLost {
  private static final long LINE = 64;

  private FlushOfLost() {}

  /**
   * The calls that led to the flush.
   *
   * @param state whose first lost store lacks a fence
   * @param timeline of what came before the power cut
   * @return nothing if no flush is known
   */
  public static Optional<List<StackFrame>> calls(JudgedState state, Timeline timeline) {
    return flush(timeline.steps(), state.lost().get(0).store());
  }

  private static Optional<List<StackFrame>> flush(List<Timeline.Event> steps, ImageStore lost) {
    boolean isStored = false;
    for (Timeline.Event step : steps) {
      boolean isOfLine =
          step.file().equals(lost.file()) && step.offset() / LINE == lost.offset() / LINE;
      if (isOfLine && step.fate() == Timeline.Fate.LOST) {
        isStored = true;
      } else if (isOfLine && isStored && step.kind() == Timeline.Action.FLUSH) {
        return UserCode.of(step.stack())
            .map(user -> step.stack().subList(step.stack().indexOf(user), step.stack().size()));
      }
    }
    return Optional.empty();
  }
}
