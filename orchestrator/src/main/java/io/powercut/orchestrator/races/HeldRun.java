// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.orchestrator.injection.InjectionLogs;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.identity.FailureReason;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a run in another order of threads shows. It counts only once the target has ended as it
 * should and its order of threads is kept: until then it is collected here.
 */
final class HeldRun implements ResultListener {
  private final FailurePointTree tree;
  private final StateLog states;
  private final List<Judgement> judgements = new CopyOnWriteArrayList<>();
  private final Set<Occurrence> failing = ConcurrentHashMap.newKeySet();

  /**
   * @param tree gets the failure points
   * @param file does not exist yet
   */
  HeldRun(FailurePointTree tree, Path file) {
    this.tree = tree;
    this.states = StateLog.open(file);
  }

  FailurePointTree tree() {
    return tree;
  }

  /** Where the results of its injection go. */
  InjectionLogs logs() {
    return new InjectionLogs(this, Map.of(), Optional.of(states), Optional.empty());
  }

  @Override
  public void judged(Judgement judgement) {
    judgements.add(judgement);
  }

  @Override
  public void explored(StateVerdicts found) {
    states.add(found);
    if (found.failing() > 0) {
      failing.add(found.at());
    }
  }

  /** Where recovery failed without some of the stores. */
  Set<Occurrence> failing() {
    return failing;
  }

  /** Whether a crash was tried in it. */
  boolean hasResults() {
    return !judgements.isEmpty() || !states.all().isEmpty();
  }

  /**
   * Passes on what was judged. Where recovery fails in the same words without any loss, at one
   * failure point after the other, the first one counts: whatever went wrong there is still so at
   * the others, where threads go on beside it.
   *
   * @param whole gets the failure points that it does not have
   */
  void report(FailurePointTree whole, ResultListener results) {
    Set<String> reasons = new HashSet<>();
    judgements.stream()
        .sorted(
            Comparator.comparing((Judgement one) -> one.ordinal().orElse(Long.MAX_VALUE))
                .thenComparing(Judgement::failurePointId)
                .thenComparing(Judgement::occurrence))
        .filter(one -> !one.isBug() || reasons.add(one.kind() + FailureReason.of(one)))
        .forEach(one -> report(one, whole, results));
    states.all().forEach(results::explored);
  }

  private FailurePoint point(Judgement judgement) {
    return tree.find(judgement.failurePointId()).orElseThrow();
  }

  private void report(Judgement judgement, FailurePointTree whole, ResultListener results) {
    if (whole.find(judgement.failurePointId()).isEmpty()) {
      FailurePoint point = point(judgement);
      whole.reach(point.stack(), point.instruction(), point.firstOrdinal());
    }
    results.judged(judgement);
  }
}
