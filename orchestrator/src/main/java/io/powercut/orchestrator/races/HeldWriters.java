// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.injection.RecordedInjection;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.recorder.HeldWriter;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Brings races about that may happen and did not, or of which nothing followed: runs the target
 * again, and holds the writer between its store and its persist, so that the reader loads the store
 * and acts on it. A crash is tried there.
 *
 * <p>HawkSet and Vardalith leave it to a person to find out whether a race does harm.
 */
public final class HeldWriters {
  private static final Comparator<RaceLog.Found> STRONGEST_FIRST =
      Comparator.comparing(RaceLog.Found::evidence, PersistencyRace.STRONGEST_FIRST);

  /** They may take that long, even where injection took less. */
  private static final Duration LEAST = Duration.ofSeconds(20);

  private final Campaign campaign;
  private final RunParts parts;
  private final Workplace workplace;
  private final Scope scope;

  /**
   * @param scope which failure points, and what that may cost
   */
  public HeldWriters(Campaign campaign, RunParts parts, Scope scope) {
    this.campaign = campaign;
    this.parts = parts;
    this.workplace = parts.workplace();
    this.scope = scope;
  }

  /** What is known of a race once its writer was held. */
  private record Attempt(HeldOrder order, Optional<RaceLog.Found> seen) {}

  /**
   * Holds writers, one after the other, as far as the budget allows.
   *
   * @param base the PM directory after set-up
   * @param recorded what the recorded run showed, whose order of threads is kept
   * @param tree gets the failure points at which something was judged
   * @param results get what was judged, where that shows a bug
   * @return the races, each with what came of it
   */
  public RaceLog confirm(
      Path base,
      Observation recorded,
      RaceLog races,
      FailurePointTree tree,
      ResultListener results) {
    FindingIdentity identity = recorded.identity();
    Set<RacePlaces> open =
        races.races().stream()
            .filter(race -> race.evidence().tried().isEmpty())
            .map(race -> RacePlaces.of(race.evidence(), identity))
            .collect(toSet());
    Map<HeldWriter, Set<RacePlaces>> holds =
        recorded.holdChances().entrySet().stream()
            .filter(chance -> open.contains(chance.getKey()))
            .collect(
                groupingBy(
                    Map.Entry::getValue, LinkedHashMap::new, mapping(Map.Entry::getKey, toSet())));
    if (holds.isEmpty() || campaign.races().holds() == 0) {
      return races;
    }
    Duration most = scope.budget().elapsed();
    long end = System.nanoTime() + (most.compareTo(LEAST) < 0 ? LEAST : most).toNanos();
    int count = Math.min(holds.size(), campaign.races().holds());
    workplace
        .phases()
        .begin(
            "holding the writers of %d %s, so that races happen"
                .formatted(count, count == 1 ? "store" : "stores"));
    Map<RacePlaces, Attempt> attempts = new HashMap<>();
    int done = 0;
    for (Map.Entry<HeldWriter, Set<RacePlaces>> hold : holds.entrySet()) {
      workplace.resources().checkInterrupted();
      if (done == count || !scope.budget().isLeft() || System.nanoTime() > end) {
        break;
      }
      attempts.putAll(attempt(base, hold.getKey(), hold.getValue(), tree, results));
      workplace.phases().progress().step("writers held", ++done, count);
    }
    return new RaceLog(
        races.complete(),
        races.races().stream()
            .map(
                race ->
                    Optional.ofNullable(attempts.get(RacePlaces.of(race.evidence(), identity)))
                        .filter(attempt -> race.evidence().tried().isEmpty())
                        .map(attempt -> united(race, attempt))
                        .orElse(race))
            .sorted(STRONGEST_FIRST)
            .toList(),
        races.failures());
  }

  /** Nothing if there was no time for it. */
  private Map<RacePlaces, Attempt> attempt(
      Path base,
      HeldWriter writer,
      Set<RacePlaces> wanted,
      FailurePointTree tree,
      ResultListener results) {
    Observation observation = Observation.ofRaces(campaign, wanted);
    try {
      if (!run(base, writer, observation, tree, results)) {
        return Map.of();
      }
    } catch (PowercutException e) {
      workplace
          .phases()
          .note(
              "with thread %d held behind its store %d: %s"
                  .formatted(writer.thread(), writer.store(), e.getMessage()));
      return wanted.stream()
          .collect(
              toMap(place -> place, place -> attempt(writer, HeldOrder.FAILED, Optional.empty())));
    }
    FindingIdentity identity = observation.identity();
    List<RaceLog.Found> seen = observation.races().map(RaceLog::races).orElse(List.of());
    return wanted.stream()
        .collect(
            toMap(
                place -> place,
                place ->
                    attempt(
                        writer,
                        seen.stream()
                            .filter(race -> RacePlaces.of(race.evidence(), identity).equals(place))
                            .min(STRONGEST_FIRST))));
  }

  /** Runs the target once; whether it came to its end. */
  private boolean run(
      Path base,
      HeldWriter writer,
      Observation observation,
      FailurePointTree tree,
      ResultListener results) {
    int number = ThreadSchedules.nextHeld(workplace.directory());
    boolean isKept = false;
    try (PrivateDirectory scratch = workplace.resources().area().newDirectory()) {
      HeldRun held =
          new HeldRun(InstrumentedRun.emptyTree(campaign), scratch.path().resolve("states.jsonl"));
      RecordedInjection injection =
          new RecordedInjection(
              campaign,
              workplace,
              Recording.held(parts.instrumentedRun(order(writer)), number, observation),
              parts.recoveries(scope.budget()::isTimeLeft),
              scope,
              held.logs());
      Optional<Execution> ended = injection.runHeld(base, held.tree());
      if (ended.isEmpty()) {
        return false;
      }
      try (Execution execution = ended.get()) {
        if (held.hasResults()) {
          ThreadSchedules.keep(execution, workplace.directory(), number);
          isKept = true;
          held.report(tree, results);
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!isKept) {
        removeImages(number);
      }
    }
  }

  /** Of an order that is not kept. */
  private void removeImages(int order) {
    Path images = workplace.directory().imagesDirectory();
    if (!Files.isDirectory(images)) {
      return;
    }
    String name = "*-order-" + order;
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(images, "{" + name + "," + name + "-*}")) {
      for (Path image : left) {
        Removal.remove(image);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ThreadSchedule order(HeldWriter writer) {
    ThreadSchedule recorded = ThreadSchedules.kept(campaign, workplace.directory());
    ThreadSchedule order =
        writer.reader().isEmpty()
            ? recorded
            : ThreadSchedule.of(ThreadSchedule.Policy.DEFAULT, 0, recorded.quantum());
    return order.holding(writer);
  }

  private static Attempt attempt(HeldWriter writer, Optional<RaceLog.Found> seen) {
    String outcome = HeldOrder.IMPOSSIBLE;
    if (seen.filter(race -> race.evidence().tried().isPresent()).isPresent()) {
      outcome = HeldOrder.TRIED;
    } else if (seen.filter(race -> race.evidence().observations() > 0).isPresent()) {
      outcome = HeldOrder.UNUSED;
    }
    return attempt(writer, outcome, seen);
  }

  private static Attempt attempt(HeldWriter writer, String outcome, Optional<RaceLog.Found> seen) {
    return new Attempt(new HeldOrder(writer.thread(), writer.store(), outcome), seen);
  }

  /** The race as it happened, if it did so between the same places. */
  private static RaceLog.Found united(RaceLog.Found race, Attempt attempt) {
    PersistencyRace known = race.evidence();
    PersistencyRace shown =
        attempt
            .seen()
            .filter(seen -> seen.fingerprint().equals(race.fingerprint()))
            .map(seen -> seen.evidence().in(known.runs(), known.searched()))
            .filter(seen -> PersistencyRace.STRONGEST_FIRST.compare(seen, known) < 0)
            .orElse(known);
    return new RaceLog.Found(
        race.fingerprint(),
        shown
            .triedAt(attempt.seen().flatMap(seen -> seen.evidence().tried()))
            .heldIn(attempt.order()));
  }
}
