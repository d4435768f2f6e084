// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.powercut.report.history.FindingHistory.State;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One campaign's runs in order, and what they say together: when each finding came and went.
 *
 * <p>Only a conclusive run makes a finding gone. Any run can show one.
 */
public final class Timeline {
  private static final Comparator<FindingHistory> WORST_FIRST =
      Comparator.comparing((FindingHistory one) -> one.accepted())
          .thenComparing(one -> rank(one.finding()))
          .thenComparing(one -> one.first().position())
          .thenComparing(one -> one.finding().fingerprint());

  private final List<HistoryRun> runs;
  private final Map<String, KnownFinding> known;
  private final ListMultimap<Integer, Sighting> sightings = ArrayListMultimap.create();

  /**
   * @param runs in order; the first has position 1
   * @param known the campaign's findings by fingerprint
   * @param sightings of these findings in these runs
   */
  Timeline(List<HistoryRun> runs, Map<String, KnownFinding> known, List<Sighting> sightings) {
    this.runs = List.copyOf(runs);
    this.known = Map.copyOf(known);
    sightings.forEach(sighting -> this.sightings.put(sighting.position(), sighting));
  }

  private static int rank(KnownFinding finding) {
    return switch (finding.severity()) {
      case BUG -> 0;
      case RACE -> 1;
      case PERFORMANCE -> 2;
      case WARNING -> 3;
    };
  }

  /** All runs, the oldest first; never empty. */
  public List<HistoryRun> runs() {
    return runs;
  }

  /** The last run. */
  public HistoryRun last() {
    return runs.get(runs.size() - 1);
  }

  /** The last run that came to a report. */
  public Optional<HistoryRun> lastWithReport() {
    return runs.stream().filter(run -> run.facts().hasReport()).reduce((earlier, later) -> later);
  }

  /** The run in this directory. */
  public Optional<HistoryRun> in(Path directory) {
    return runs.stream()
        .filter(
            run ->
                run.facts().directory().equals(Optional.of(directory.toAbsolutePath().normalize())))
        .findFirst();
  }

  /**
   * From which position on news are new.
   *
   * @param since the time from which on; without it, that of the last run with a report
   * @return a position, which may be one after the last
   */
  public int from(Optional<Instant> since) {
    int none = runs.size() + 1;
    return since
        .map(
            time ->
                runs.stream()
                    .filter(run -> !run.started().isBefore(time))
                    .map(HistoryRun::position)
                    .findFirst())
        .orElseGet(() -> lastWithReport().map(HistoryRun::position))
        .orElse(none);
  }

  /** All findings, what is there and the worst first. */
  public List<FindingHistory> findings() {
    return findings(runs.size());
  }

  /** What the runs from that position on have changed. */
  public RunChanges changesFrom(int from) {
    return changes(findings(), from);
  }

  /** What that one run changed. */
  public RunChanges changesOf(HistoryRun run) {
    return changes(findings(run.position()), run.position());
  }

  private static RunChanges changes(List<FindingHistory> findings, int from) {
    return new RunChanges(
        findings.stream().filter(one -> one.state(from, from) == State.NEW).toList(),
        findings.stream().filter(one -> one.state(from, from) == State.AGAIN).toList(),
        findings.stream().filter(one -> one.wentFrom(from)).toList());
  }

  private List<FindingHistory> findings(int upTo) {
    Map<String, FindingHistory> histories = new LinkedHashMap<>();
    for (HistoryRun run : runs.subList(0, upTo)) {
      addSightings(run, histories);
      if (run.facts().isConclusive()) {
        histories.replaceAll((fingerprint, one) -> gone(one, run));
      }
    }
    return histories.values().stream()
        .sorted(
            Comparator.comparing((FindingHistory one) -> one.goneSince().isPresent())
                .thenComparing(WORST_FIRST))
        .toList();
  }

  /** What a finding was called before continues under its new name, of which it may get several. */
  private void addSightings(HistoryRun run, Map<String, FindingHistory> histories) {
    Map<String, FindingHistory> before = Map.copyOf(histories);
    Set<String> named = new HashSet<>();
    Set<String> renamed = new HashSet<>();
    for (Sighting sighting : sightings.get(run.position())) {
      KnownFinding finding = finding(sighting);
      named.add(sighting.fingerprint());
      Optional<FindingHistory> earlier =
          Optional.ofNullable(before.get(sighting.fingerprint()))
              .or(() -> finding.former().stream().flatMap(name -> of(name, before)).findFirst());
      histories.put(
          sighting.fingerprint(),
          earlier
              .map(one -> seen(finding, one, sighting, run))
              .orElseGet(() -> first(sighting, run)));
      renamed.addAll(finding.former());
    }
    renamed.removeAll(named);
    histories.keySet().removeAll(renamed);
  }

  private static Stream<FindingHistory> of(String name, Map<String, FindingHistory> histories) {
    return Optional.ofNullable(histories.get(name)).stream();
  }

  private KnownFinding finding(Sighting sighting) {
    return requireNonNull(known.get(sighting.fingerprint()), "a sighting without a finding");
  }

  private FindingHistory first(Sighting sighting, HistoryRun run) {
    return new FindingHistory(
        finding(sighting), run, run, Optional.empty(), Optional.empty(), 1, sighting.accepted());
  }

  private static FindingHistory seen(
      KnownFinding finding, FindingHistory earlier, Sighting sighting, HistoryRun run) {
    return new FindingHistory(
        finding,
        earlier.first(),
        run,
        earlier.goneSince().isPresent() ? Optional.of(run) : earlier.cameBack(),
        Optional.empty(),
        earlier.runs() + 1,
        sighting.accepted());
  }

  private static FindingHistory gone(FindingHistory one, HistoryRun run) {
    return one.goneSince().isPresent() || one.last().position() == run.position()
        ? one
        : new FindingHistory(
            one.finding(),
            one.first(),
            one.last(),
            one.cameBack(),
            Optional.of(run),
            one.runs(),
            one.accepted());
  }
}
