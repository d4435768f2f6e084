// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.target.Observation;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.ChangeLog;
import io.powercut.report.rundir.RunDirectory;
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

/** What the program-order images of bugs have that those before them have not, and lack. */
final class ImagesOfBugs {
  private final Observation observation;
  private final FailurePointTree tree;
  private final RunDirectory directory;

  ImagesOfBugs(Observation observation, FailurePointTree tree, RunDirectory directory) {
    this.observation = observation;
    this.tree = tree;
    this.directory = directory;
  }

  /**
   * Stores it, of first occurrences, of which it is known. A part that took the tree from an
   * earlier one has not seen them itself.
   */
  void storeChanges(VerdictLog verdicts) {
    List<Judgement> inOrder = verdicts.all().stream().filter(one -> one.order() == 0).toList();
    List<Judgement> recovered =
        inOrder.stream().filter(one -> one.kind() == Verdict.Kind.CONSISTENT).toList();
    Map<FailurePointId, ImageChanges> changes = new LinkedHashMap<>();
    for (Judgement judgement : inOrder) {
      if (judgement.occurrence() == 1 && judgement.isBug()) {
        FailurePointId id = judgement.failurePointId();
        changes.put(
            id,
            observation
                .changes(id)
                .map(known -> known.withLacks(lacks(id, recovered)))
                .map(known -> isConsistentBefore(id, recovered) ? known : known.withoutCall())
                .orElseGet(() -> directory.changes().of(id)));
      }
    }
    Json.write(directory.changesFile(), new ChangeLog(changes));
  }

  private boolean isConsistentBefore(FailurePointId id, List<Judgement> recovered) {
    return observation
        .previous(id)
        .filter(
            ordinal ->
                recovered.stream().anyMatch(one -> one.ordinal().equals(Optional.of(ordinal))))
        .isPresent();
  }

  /**
   * What the next consistent image in the order of the trace has and this one has not.
   *
   * @param recovered where images of program order are consistent
   */
  private Optional<ImageLacks> lacks(FailurePointId id, List<Judgement> recovered) {
    Optional<FailurePoint> here = tree.find(id);
    Optional<Judgement> next =
        recovered.stream()
            .filter(one -> one.ordinal().isPresent() && here.isPresent())
            .filter(one -> one.ordinal().get() > here.get().firstOrdinal())
            .min(Comparator.comparing(one -> one.ordinal().get()));
    return next.flatMap(later -> observation.between(id, later.cut(), later.ordinal().get()))
        .or(() -> here.flatMap(point -> lacksUntilFirst(point, recovered)));
  }

  /** The same, of first occurrences alone: of these it is known what was stored between them. */
  private Optional<ImageLacks> lacksUntilFirst(FailurePoint here, List<Judgement> recovered) {
    Set<FailurePointId> first =
        recovered.stream()
            .filter(one -> one.occurrence() == 1)
            .map(Judgement::failurePointId)
            .collect(Collectors.toSet());
    return tree.failurePoints().stream()
        .filter(later -> later.firstOrdinal() > here.firstOrdinal())
        .filter(later -> first.contains(later.id()))
        .min(Comparator.comparingLong(FailurePoint::firstOrdinal))
        .flatMap(later -> observation.between(here.id(), later.id()));
  }
}
