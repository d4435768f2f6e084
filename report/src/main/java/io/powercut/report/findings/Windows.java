// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.mistakes.Window;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a trace between two points whose program-order images were judged consistent. What
 * fails inside one of them in one way has one cause.
 */
final class Windows {
  private final FailurePointTree tree;
  private final long[] consistent;

  /**
   * @param judgements of program-order images
   */
  Windows(FailurePointTree tree, List<Judgement> judgements) {
    this.tree = tree;
    this.consistent =
        judgements.stream()
            .filter(judgement -> judgement.kind() == Verdict.Kind.CONSISTENT)
            .filter(judgement -> judgement.order() == 0)
            .map(this::ordinal)
            .flatMap(Optional::stream)
            .mapToLong(Long::longValue)
            .sorted()
            .toArray();
  }

  /** Where in the trace it was judged, as far as that is known. */
  Optional<Long> ordinal(Judgement judgement) {
    return judgement
        .ordinal()
        .or(
            () ->
                tree.find(judgement.failurePointId())
                    .filter(point -> judgement.occurrence() == 1)
                    .map(FailurePoint::firstOrdinal));
  }

  /** The window of a place in the trace, from 0; a consistent point is the end of its own. */
  Window at(long ordinal) {
    int found = Arrays.binarySearch(consistent, ordinal);
    int number = found < 0 ? -found - 1 : found;
    return new Window(number, number == 0 ? -1 : consistent[number - 1]);
  }
}
