// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Something that happened in a run. The command {@code powercut} writes these with {@code --json},
 * and {@link Powercut} reads them; {@code docs/events.md} lists them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Event.CampaignBegan.class, name = "campaign"),
  @JsonSubTypes.Type(value = Event.Phase.class, name = "phase"),
  @JsonSubTypes.Type(value = Event.Step.class, name = "step"),
  @JsonSubTypes.Type(value = Event.Judged.class, name = "judged"),
  @JsonSubTypes.Type(value = Event.States.class, name = "states"),
  @JsonSubTypes.Type(value = Event.Bug.class, name = "bug"),
  @JsonSubTypes.Type(value = Event.Note.class, name = "note"),
  @JsonSubTypes.Type(value = Event.Found.class, name = "finding"),
  @JsonSubTypes.Type(value = Event.Result.class, name = "result"),
  @JsonSubTypes.Type(value = Event.SweepResult.class, name = "sweep"),
  @JsonSubTypes.Type(value = Event.Failed.class, name = "error")
})
public sealed interface Event {
  /** What says how a run ended. */
  sealed interface Ending extends Event {
    /** An outcome with what this says, too. */
    Outcome addedTo(Outcome outcome);
  }

  /** When it happened, in UTC, as ISO 8601 writes it. */
  String time();

  /**
   * A campaign of a sweep begins.
   *
   * @param campaign its name
   * @param number which one, from 1
   * @param count how many the sweep has
   */
  record CampaignBegan(String time, String campaign, int number, int count) implements Event {}

  /**
   * A phase of the run begins.
   *
   * @param title what is done
   * @param images how many images are judged in it; 0 when unknown
   */
  record Phase(String time, String title, long images) implements Event {}

  /**
   * How far something has come; at most one a second.
   *
   * @param task what is counted
   * @param total how many there are; 0 when unknown
   */
  record Step(String time, String task, long done, long total) implements Event {}

  /**
   * An image was judged.
   *
   * @param failurePoint where the power was cut
   * @param occurrence which occurrence of it, from 1
   * @param verdict {@code CONSISTENT}, {@code UNRECOVERABLE}, {@code CRASHED}, {@code HUNG} or
   *     {@code INCONCLUSIVE}
   * @param seen what recovery did
   * @param seconds how long it took
   */
  record Judged(
      String time,
      String failurePoint,
      long occurrence,
      String verdict,
      String seen,
      double seconds)
      implements Event {}

  /**
   * Crash states were judged at an occurrence.
   *
   * @param judged how many
   * @param failing on how many of them recovery fails
   */
  record States(String time, String failurePoint, long occurrence, int judged, int failing)
      implements Event {}

  /**
   * A bug, as soon as it is found; the report may count several of them as one finding.
   *
   * @param text for a person
   */
  record Bug(String time, String text) implements Event {}

  /**
   * Something worth knowing.
   *
   * @param text for a person
   */
  record Note(String time, String text) implements Event {}

  /** A finding of the report, when the run has ended. Its keys are those of the finding. */
  record Found(String time, @JsonUnwrapped Finding finding) implements Ending {
    @Override
    public Outcome addedTo(Outcome outcome) {
      List<Finding> findings = new ArrayList<>(outcome.findings());
      findings.add(finding);
      return new Outcome(outcome.exitCode(), outcome.meaning(), findings, outcome.report());
    }
  }

  /**
   * A run has ended. It is the last event of {@code powercut run}.
   *
   * @param exit the exit code, 0 to 4
   * @param meaning of the exit code
   * @param bugs how many findings are bugs
   * @param races how many are races
   * @param report where report.json is; nothing when there is none
   * @param reason why there is no report; empty when there is one
   */
  record Result(
      String time,
      String campaign,
      int exit,
      String meaning,
      long bugs,
      long races,
      Optional<String> report,
      String reason,
      double seconds)
      implements Ending {
    @Override
    public Outcome addedTo(Outcome outcome) {
      return new Outcome(
          outcome.exitCode(),
          meaning + (reason.isEmpty() ? "" : ": " + reason),
          outcome.findings(),
          report.map(file -> Path.of(file).toAbsolutePath().getParent()));
    }
  }

  /**
   * A sweep has ended. It is the last event of {@code powercut sweep}.
   *
   * @param exit the exit code, 0 to 4
   * @param campaigns how many were planned
   * @param run how many of them were run
   */
  record SweepResult(String time, int exit, String meaning, int campaigns, int run, double seconds)
      implements Event {}

  /**
   * The command ended early. It is the last event.
   *
   * @param exit the exit code, 2 to 4
   * @param message what happened, and the remedy
   */
  record Failed(String time, int exit, String message) implements Ending {
    @Override
    public Outcome addedTo(Outcome outcome) {
      return new Outcome(outcome.exitCode(), message, outcome.findings(), outcome.report());
    }
  }

  /** The event as one line of JSON, without its end. */
  default String toLine() {
    return EventLines.write(this);
  }

  /** The event in a line; nothing if it holds none that is known. */
  static Optional<Event> of(String line) {
    return EventLines.read(line);
  }
}
