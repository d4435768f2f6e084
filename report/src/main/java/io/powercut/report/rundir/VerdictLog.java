// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The verdicts of a run on program-order images, appended to a file as they come, so that an
 * interrupted run can be resumed. Safe for use by several threads.
 */
public final class VerdictLog {
  private static final Comparator<Occurrence> IN_ORDER =
      Comparator.comparingInt(Occurrence::order).thenComparingLong(Occurrence::number);

  private final LineLog<Judgement> lines;
  private final Map<FailurePointId, NavigableMap<Occurrence, Judgement>> judgements =
      new LinkedHashMap<>();

  private VerdictLog(LineLog<Judgement> lines) {
    this.lines = lines;
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws PowercutException if a line other than the last cannot be read
   */
  public static VerdictLog open(Path file) {
    VerdictLog log = new VerdictLog(new LineLog<>(file, Judgement.class, "a verdict"));
    log.lines.readBack().forEach(log::remember);
    return log;
  }

  /** Adds a verdict; a later one of the same occurrence takes the earlier one's place. */
  public synchronized void add(Judgement judgement) {
    lines.append(judgement);
    remember(judgement);
  }

  private void remember(Judgement judgement) {
    judgements
        .computeIfAbsent(judgement.failurePointId(), unknown -> new TreeMap<>(IN_ORDER))
        .put(judgement.cut(), judgement);
  }

  /**
   * The most telling verdict of a failure point: a bug if an occurrence showed one, else one that
   * is inconclusive, else any; the earliest occurrence of these.
   */
  public synchronized Optional<Judgement> find(FailurePointId failurePointId) {
    Collection<Judgement> occurrences =
        judgements.getOrDefault(failurePointId, new TreeMap<>(IN_ORDER)).values();
    return occurrences.stream()
        .filter(Judgement::isBug)
        .findFirst()
        .or(
            () ->
                occurrences.stream()
                    .filter(judgement -> judgement.kind() == Verdict.Kind.INCONCLUSIVE)
                    .findFirst())
        .or(() -> occurrences.stream().findFirst());
  }

  /** The latest verdict of every occurrence that has one, in the order of the failure points. */
  public synchronized List<Judgement> all() {
    return judgements.values().stream()
        .flatMap(occurrences -> occurrences.values().stream())
        .toList();
  }
}
