// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.campaign.Campaign;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.differences.KnownChanges;
import io.powercut.orchestrator.target.Observation;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.ChangeLog;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the program-order images of bugs have that those before them have not, and lack. */
final class ImagesOfBugs {
  private final Campaign campaign;
  private final KnownChanges known;
  private final FailurePointTree tree;
  private final RunDirectory directory;

  ImagesOfBugs(
      Campaign campaign, Observation observation, FailurePointTree tree, RunDirectory directory) {
    this.campaign = campaign;
    this.known = observation.changes();
    this.tree = tree;
    this.directory = directory;
  }

  /**
   * Stores it, where it is known. A part that took the tree from an earlier one has not seen first
   * occurrences itself, and what an earlier part judged has been seen by that one alone.
   */
  void storeChanges(VerdictLog verdicts, StateLog states) {
    List<Judgement> inOrder = verdicts.all().stream().filter(one -> one.order() == 0).toList();
    List<Judgement> recovered =
        inOrder.stream().filter(one -> one.kind() == Verdict.Kind.CONSISTENT).toList();
    ChangeLog before = directory.changes();
    Map<Occurrence, ImageChanges> changes = new LinkedHashMap<>();
    inOrder.stream()
        .filter(Judgement::isBug)
        .forEach(
            bug -> {
              ImageChanges ofImage =
                  known
                      .of(bug.cut())
                      .map(one -> one.withLacks(lacks(bug, recovered)))
                      .map(one -> isConsistentBefore(bug, recovered) ? one : one.withoutCall())
                      .orElseGet(() -> before.of(bug.cut()));
              if (!ofImage.equals(ImageChanges.UNKNOWN)) {
                changes.put(bug.cut(), ofImage);
              }
            });
    states.proved().stream()
        .flatMap(line -> line.findings().stream())
        .filter(finding -> finding.order() == 0)
        .forEach(
            finding ->
                early(finding, recovered)
                    .or(
                        () ->
                            Optional.of(before.of(finding.cut())).filter(ImageChanges::isOnlyCall))
                    .ifPresent(early -> changes.putIfAbsent(finding.cut(), early)));
    Json.write(directory.changesFile(), ChangeLog.of(changes));
  }

  /**
   * The change of metadata that is to blame for a crash state: recovery succeeds on the image
   * before it, all else that changed since then is in flight, and the loss of that is enough. Where
   * it has to be torn, recovery succeeds behind the change, too. Code without failure points could
   * have persisted something in between.
   */
  private Optional<ImageChanges> early(Judgement finding, List<Judgement> recovered) {
    return finding
        .state()
        .filter(state -> state.hasCause() && state.arrived().isEmpty() && !state.isTorn())
        .filter(state -> hasAllFailurePoints() && isConsistentBefore(finding, recovered))
        .flatMap(state -> known.callBefore(finding.cut(), state.lost().get(0).store()))
        .map(ImageChanges::ofCall);
  }

  private boolean hasAllFailurePoints() {
    return campaign.failurePoints().begin().isEmpty()
        && campaign.failurePoints().exclude().isEmpty();
  }

  /** Before the first failure point, that is the state after set-up, which controls look at. */
  private boolean isConsistentBefore(Judgement bug, List<Judgement> recovered) {
    return known.of(bug.cut()).isPresent()
        && known
            .previous(bug.cut())
            .map(
                ordinal ->
                    recovered.stream().anyMatch(one -> one.ordinal().equals(Optional.of(ordinal))))
            .orElse(campaign.oracle().controls() && hasAllFailurePoints());
  }

  /**
   * What the next consistent image in the order of the trace has and this one has not.
   *
   * @param recovered where images of program order are consistent
   */
  private Optional<ImageLacks> lacks(Judgement bug, List<Judgement> recovered) {
    Optional<Judgement> behind =
        ordinal(bug)
            .flatMap(
                here ->
                    recovered.stream()
                        .filter(one -> one.ordinal().filter(ordinal -> ordinal > here).isPresent())
                        .min(Comparator.comparing(one -> one.ordinal().orElseThrow())));
    Optional<FailurePoint> first = nextFirst(bug, recovered);
    long end = behind.flatMap(Judgement::ordinal).orElse(Long.MAX_VALUE);
    return behind
        .flatMap(next -> known.until(bug.cut(), next.cut(), end))
        .or(
            () ->
                first
                    .filter(later -> later.firstOrdinal() <= end)
                    .flatMap(later -> until(bug, later)))
        .or(() -> behind.flatMap(next -> known.atLeastUntil(bug.cut(), next.cut())))
        .or(() -> first.flatMap(later -> until(bug, later)));
  }

  private Optional<Long> ordinal(Judgement bug) {
    return bug.occurrence() == 1
        ? tree.find(bug.failurePointId()).map(FailurePoint::firstOrdinal)
        : bug.ordinal();
  }

  /**
   * The next first occurrence where recovery succeeds, behind that of a bug: of these it is known
   * what was stored between them, however much that is.
   */
  private Optional<FailurePoint> nextFirst(Judgement bug, List<Judgement> recovered) {
    if (bug.occurrence() > 1) {
      return Optional.empty();
    }
    Set<FailurePointId> first =
        recovered.stream()
            .filter(one -> one.occurrence() == 1)
            .map(Judgement::failurePointId)
            .collect(Collectors.toSet());
    return tree.find(bug.failurePointId()).stream()
        .flatMap(here -> behind(here).filter(later -> first.contains(later.id())))
        .min(Comparator.comparingLong(FailurePoint::firstOrdinal));
  }

  private Optional<ImageLacks> until(Judgement bug, FailurePoint later) {
    return known.between(bug.failurePointId(), later.id());
  }

  private Stream<FailurePoint> behind(FailurePoint here) {
    return tree.failurePoints().stream()
        .filter(later -> later.firstOrdinal() > here.firstOrdinal());
  }
}
