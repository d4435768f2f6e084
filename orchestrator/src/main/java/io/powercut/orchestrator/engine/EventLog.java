// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.engine;

import io.powercut.api.Event;
import io.powercut.api.Finding;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.Severity;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells what happens in a run as events of the Java API. Safe for use by several threads. */
public final class EventLog implements Progress {
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(1);

  private final Consumer<Event> out;
  private long lastStep = System.nanoTime() - BETWEEN_STEPS.toNanos();

  /**
   * @param out takes the events, by one thread at a time
   */
  public EventLog(Consumer<Event> out) {
    this.out = out;
  }

  /** Tells an event. */
  public synchronized void write(Event event) {
    out.accept(event);
  }

  /** The present time, as events have it. */
  public static String now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  @Override
  public void phase(String title) {
    phase(title, 0);
  }

  @Override
  public void phase(String title, long images) {
    write(new Event.Phase(now(), title, images));
  }

  @Override
  public void step(String task, long done, long total) {
    synchronized (this) {
      long time = System.nanoTime();
      if (time - lastStep < BETWEEN_STEPS.toNanos()) {
        return;
      }
      lastStep = time;
    }
    write(new Event.Step(now(), task, done, total));
  }

  @Override
  public void judged(Judgement judgement) {
    write(
        new Event.Judged(
            now(),
            judgement.failurePointId().toString(),
            judgement.occurrence(),
            judgement.kind().name(),
            judgement.seen(),
            judgement.seconds()));
  }

  @Override
  public void explored(StateVerdicts states) {
    if (states.total() > 0) {
      write(
          new Event.States(
              now(),
              states.failurePointId().toString(),
              states.occurrence(),
              states.total(),
              states.failing()));
    }
  }

  @Override
  public void found(String line) {
    write(new Event.Bug(now(), line));
  }

  @Override
  public void note(String message) {
    write(new Event.Note(now(), message));
  }

  /**
   * What says how a run ended: its findings, then its result.
   *
   * @param directory of the run
   */
  static List<Event> ending(Report report, Path directory) {
    List<Event> events = new ArrayList<>();
    report.findings().stream()
        .filter(finding -> !finding.isQuiet())
        .forEach(finding -> events.add(new Event.Found(now(), told(finding))));
    events.add(
        new Event.Result(
            now(),
            report.campaign().name(),
            report.outcome().exitCode(),
            report.outcome().meaning(),
            count(report, Severity.BUG),
            count(report, Severity.RACE),
            Optional.of(directory.resolve("report.json").toString()),
            "",
            report.timings().getOrDefault("total", 0.0)));
    return events;
  }

  private static Finding told(io.powercut.report.findings.Finding finding) {
    return new Finding(
        finding.severity().name(),
        finding.kindInWords(),
        finding.fingerprint(),
        finding.title(),
        finding.place(),
        finding.accepted().isPresent(),
        finding.fails(),
        finding.injection().map(crash -> crash.replay()));
  }

  /** What ended a command early. */
  public void failed(ExitCode exit, String message) {
    write(new Event.Failed(now(), exit.code(), message));
  }

  private static long count(Report report, Severity severity) {
    return report.findings().stream()
        .filter(one -> !one.isQuiet() && one.severity() == severity)
        .count();
  }

  @Override
  public void close() {}
}
