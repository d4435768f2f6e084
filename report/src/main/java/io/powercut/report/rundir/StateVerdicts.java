// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One line of the log of crash states beyond program order: the outcome of all of those that were
 * chosen at one occurrence of a failure point.
 *
 * @param failurePointId where the states were
 * @param occurrence which occurrence of the failure point it was, from 1
 * @param order which order of threads that was: 0 for that of the recorded run, else the number of
 *     the one in which a writer was held
 * @param chosen how many states were judged, by the policy that chose them
 * @param left how many further states policies wanted judged and the budget of the occurrence did
 *     not allow, by policy
 * @param recoveries for how many of them recovery was run; the images of the others were known
 * @param unread how many of them only differ in what recovery does not read
 * @param failing how many of them recovery cannot handle
 * @param findings one for each culprit that was found here first
 * @param again fingerprints of culprits that were found before and showed here as well
 * @param inconclusive why states could not be judged, with how many each
 * @param complete whether all states that were chosen were looked at
 * @param decided whether every state is decided that a power cut may leave there
 */
public record StateVerdicts(
    FailurePointId failurePointId,
    @JsonAlias("visit") long occurrence,
    int order,
    Map<String, Integer> chosen,
    Map<String, Long> left,
    int recoveries,
    int unread,
    int failing,
    List<Judgement> findings,
    List<String> again,
    Map<String, Integer> inconclusive,
    boolean complete,
    boolean decided)
    implements OccurrenceLog.Line {
  /** Copies the collections; runs of before did not count what was left. */
  @SuppressWarnings("NullAway") // as old files are read
  public StateVerdicts {
    chosen = new LinkedHashMap<>(chosen);
    left = left == null ? Map.of() : new LinkedHashMap<>(left);
    findings = List.copyOf(findings);
    again = List.copyOf(again);
    inconclusive = new LinkedHashMap<>(inconclusive);
  }

  /**
   * Of an occurrence at which no state was chosen.
   *
   * @param decided whether there is none but that of program order
   */
  public static StateVerdicts none(Occurrence occurrence, boolean decided) {
    return empty(occurrence, true, decided);
  }

  /** Of an occurrence at which states were chosen that are still to be judged. */
  public static StateVerdicts pending(Occurrence occurrence) {
    return empty(occurrence, false, false);
  }

  private static StateVerdicts empty(Occurrence occurrence, boolean complete, boolean decided) {
    return new StateVerdicts(
        occurrence.id(),
        occurrence.number(),
        occurrence.order(),
        Map.of(),
        Map.of(),
        0,
        0,
        0,
        List.of(),
        List.of(),
        Map.of(),
        complete,
        decided);
  }

  /** The same with these findings. */
  public StateVerdicts withFindings(List<Judgement> other) {
    return new StateVerdicts(
        failurePointId,
        occurrence,
        order,
        chosen,
        left,
        recoveries,
        unread,
        failing,
        other,
        again,
        inconclusive,
        complete,
        decided);
  }

  /**
   * The same with what was proved here before: an occurrence that is redone may find less, and what
   * was proved stays proved. Of one state, what is given here counts.
   *
   * @param earlier of the same occurrence
   */
  StateVerdicts after(StateVerdicts earlier) {
    Map<String, Judgement> byState = new LinkedHashMap<>();
    Stream.of(earlier, this)
        .flatMap(line -> line.findings().stream())
        .forEach(one -> byState.put(one.stateId().orElseThrow(), one));
    return new StateVerdicts(
        failurePointId,
        occurrence,
        order,
        chosen,
        left,
        recoveries,
        unread,
        failing,
        List.copyOf(byState.values()),
        Stream.of(earlier, this).flatMap(line -> line.again().stream()).distinct().toList(),
        inconclusive,
        complete,
        decided);
  }

  /** Where the states were. */
  @Override
  public Occurrence at() {
    return new Occurrence(failurePointId, occurrence, order);
  }

  /** How many states were chosen. */
  public int total() {
    return chosen.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Whether the findings have all the advice that there may be for them. */
  @JsonIgnore
  public boolean isAdvised() {
    return findings.stream()
        .flatMap(finding -> finding.state().stream())
        .allMatch(state -> state.adviceVerified() || !state.hasCause());
  }

  /** Whether nothing is left to judge here. */
  @JsonIgnore
  public boolean isSettled() {
    return complete && inconclusive.isEmpty();
  }
}
