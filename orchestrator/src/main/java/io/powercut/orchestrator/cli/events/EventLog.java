// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.events;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.Severity;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Events of a run, one line of JSON each. Safe for use by several threads. */
public final class EventLog implements Progress {
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(1);

  private final PrintStream out;
  private long lastStep = System.nanoTime() - BETWEEN_STEPS.toNanos();

  /**
   * @param out takes the lines
   */
  public EventLog(PrintStream out) {
    this.out = out;
  }

  /** Writes an event. */
  public synchronized void write(RunEvent event) {
    out.println(Json.line(event));
    out.flush();
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
    write(new RunEvent.Phase(now(), title, images));
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
    write(new RunEvent.Step(now(), task, done, total));
  }

  @Override
  public void judged(Judgement judgement) {
    write(
        new RunEvent.Judged(
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
          new RunEvent.States(
              now(),
              states.failurePointId().toString(),
              states.occurrence(),
              states.total(),
              states.failing()));
    }
  }

  @Override
  public void found(String line) {
    write(new RunEvent.Bug(now(), line));
  }

  @Override
  public void note(String message) {
    write(new RunEvent.Note(now(), message));
  }

  /** The findings and the result of a run that has ended. */
  public void ended(Report report, Path directory) {
    for (Finding finding : report.findings()) {
      if (!finding.isQuiet()) {
        write(
            new RunEvent.FindingTold(
                now(),
                finding.severity().name(),
                finding.kindInWords(),
                finding.fingerprint(),
                finding.title(),
                finding.place(),
                finding.accepted().isPresent(),
                finding.injection().map(crash -> crash.replay())));
      }
    }
    write(
        new RunEvent.Result(
            now(),
            report.campaign().name(),
            report.outcome().exitCode(),
            report.outcome().meaning(),
            count(report, Severity.BUG),
            count(report, Severity.RACE),
            Optional.of(directory.resolve("report.json").toString()),
            "",
            report.timings().getOrDefault("total", 0.0)));
  }

  /** What ended a command early. */
  public void failed(ExitCode exit, String message) {
    write(new RunEvent.Failed(now(), exit.code(), message));
  }

  private static long count(Report report, Severity severity) {
    return report.findings().stream()
        .filter(one -> !one.isQuiet() && one.severity() == severity)
        .count();
  }

  @Override
  public void close() {}
}
