// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.facts.FailedOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The persistency-induced races that were found in the trace of a run; {@code races.json} holds it.
 *
 * @param complete whether all of the trace could be kept, so that none is missing
 * @param races the strongest evidence first
 * @param failures orders of threads in which the target failed
 * @param left how many holds of writers were not tried, by the key of the campaign that limited
 *     them
 * @param limits of what is kept of a trace that were reached, in words
 * @param serial whether threads used persistent memory one after the other in all runs, although
 *     nothing but locks orders them, or one of them alone used it
 */
public record RaceLog(
    boolean complete,
    List<Found> races,
    List<FailedOrder> failures,
    Map<String, Long> left,
    List<String> limits,
    boolean serial) {
  /** Under this key in {@link #left}: what the whole run may cost, in time and images. */
  public static final String LIMITS = "limits";

  /** Copies the lists. Earlier versions wrote neither {@code left} nor {@code limits}. */
  @SuppressWarnings("NullAway") // as old files are read
  public RaceLog {
    races = List.copyOf(races);
    failures = List.copyOf(failures);
    left = left == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(left));
    limits = limits == null ? List.of() : List.copyOf(limits);
  }

  /** Of threads that took turns, with no limit to tell of. */
  public RaceLog(boolean complete, List<Found> races, List<FailedOrder> failures) {
    this(complete, races, failures, Map.of(), List.of(), false);
  }

  /** What one run found, which did not fail. */
  public static RaceLog of(boolean complete, List<Found> races) {
    return new RaceLog(complete, races, List.of());
  }

  /** The same, with orders of threads in which the target failed. */
  public RaceLog failedIn(List<FailedOrder> orders) {
    return new RaceLog(complete, races, orders, left, limits, serial);
  }

  /**
   * The same, once writers were held.
   *
   * @param known the races, each with what came of it
   * @param untried how many holds were not tried, by the key that limited them
   */
  public RaceLog held(List<Found> known, Map<String, Long> untried) {
    return new RaceLog(complete, known, failures, untried, limits, serial);
  }

  /** The same, with limits that were reached, and whether threads ran one after the other. */
  public RaceLog noting(List<String> reached, boolean isSerial) {
    return new RaceLog(complete, races, failures, left, reached, isSerial);
  }

  /** Only those of which the reader loaded what was not persisted. */
  public RaceLog observed() {
    return new RaceLog(
        complete,
        races.stream()
            .filter(race -> race.evidence().level().compareTo(PersistencyRace.Level.OBSERVED) <= 0)
            .toList(),
        failures,
        left,
        limits,
        serial);
  }

  /**
   * What may have kept races from being found, a sentence each.
   *
   * @param limits that were reached
   * @param isSerial whether threads used persistent memory one after the other, or one alone
   */
  public static List<String> notes(List<String> limits, boolean isSerial) {
    List<String> notes = new ArrayList<>();
    limits.forEach(limit -> notes.add("limit reached: " + limit));
    if (isSerial) {
      notes.add(
          "the threads used PM one after the other, or one of them alone, so what one stored looks like"
              + " initialisation to the next; they take turns with --set schedule.policy=delay or"
              + " schedule.quantum=1000, for example, or with races.runs=4");
    }
    return notes;
  }

  /**
   * The races of several runs of one target: each once, with its strongest evidence.
   *
   * @param logs of one run each; those first whose evidence is to be shown, if others have no
   *     stronger one
   */
  public static RaceLog united(List<RaceLog> logs) {
    Map<String, List<Found>> byPlace = new LinkedHashMap<>();
    for (RaceLog log : logs) {
      Set<String> seen = new HashSet<>();
      for (Found race : log.races()) {
        if (seen.add(race.fingerprint())) {
          byPlace.computeIfAbsent(race.fingerprint(), unknown -> new ArrayList<>()).add(race);
        }
      }
    }
    List<Found> all = new ArrayList<>();
    byPlace.forEach(
        (fingerprint, found) -> {
          PersistencyRace strongest =
              found.stream()
                  .map(Found::evidence)
                  .min(PersistencyRace.STRONGEST_FIRST)
                  .orElseThrow();
          List<Occurrence> tried =
              found.stream()
                  .map(race -> race.evidence().tries())
                  .filter(tries -> !tries.isEmpty())
                  .findFirst()
                  .orElse(List.of());
          all.add(new Found(fingerprint, strongest.triedAt(tried).in(found.size(), logs.size())));
        });
    all.sort(Comparator.comparing(Found::evidence, PersistencyRace.STRONGEST_FIRST));
    return RaceLog.of(logs.stream().allMatch(RaceLog::complete), all)
        .noting(
            logs.stream().flatMap(log -> log.limits().stream()).distinct().toList(),
            !logs.isEmpty() && logs.stream().allMatch(RaceLog::serial));
  }

  /**
   * One race.
   *
   * @param fingerprint of its places: store, persist and load
   * @param evidence what was seen
   */
  public record Found(String fingerprint, PersistencyRace evidence) {}
}
