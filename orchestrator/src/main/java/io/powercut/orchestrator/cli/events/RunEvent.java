// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.events;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;

/** Something that happened in a run, as {@code --json} tells it; {@code docs/events.md}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = RunEvent.CampaignBegan.class, name = "campaign"),
  @JsonSubTypes.Type(value = RunEvent.Phase.class, name = "phase"),
  @JsonSubTypes.Type(value = RunEvent.Step.class, name = "step"),
  @JsonSubTypes.Type(value = RunEvent.Judged.class, name = "judged"),
  @JsonSubTypes.Type(value = RunEvent.States.class, name = "states"),
  @JsonSubTypes.Type(value = RunEvent.Bug.class, name = "bug"),
  @JsonSubTypes.Type(value = RunEvent.Note.class, name = "note"),
  @JsonSubTypes.Type(value = RunEvent.FindingTold.class, name = "finding"),
  @JsonSubTypes.Type(value = RunEvent.Result.class, name = "result"),
  @JsonSubTypes.Type(value = RunEvent.SweepResult.class, name = "sweep"),
  @JsonSubTypes.Type(value = RunEvent.Failed.class, name = "error")
})
public sealed interface RunEvent {
  /** When it happened, in UTC, as ISO 8601 writes it. */
  String time();

  /**
   * A campaign of a sweep begins.
   *
   * @param campaign its name
   * @param number which one, from 1
   * @param count how many the sweep has
   */
  record CampaignBegan(String time, String campaign, int number, int count) implements RunEvent {}

  /**
   * A phase of the run begins.
   *
   * @param title what is done
   * @param images how many images are judged in it; 0 when unknown
   */
  record Phase(String time, String title, long images) implements RunEvent {}

  /**
   * How far something has come; at most one a second.
   *
   * @param task what is counted
   * @param total how many there are; 0 when unknown
   */
  record Step(String time, String task, long done, long total) implements RunEvent {}

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
      implements RunEvent {}

  /**
   * Crash states were judged at an occurrence.
   *
   * @param judged how many
   * @param failing on how many of them recovery fails
   */
  record States(String time, String failurePoint, long occurrence, int judged, int failing)
      implements RunEvent {}

  /**
   * A bug, as soon as it is found; the report may count several of them as one finding.
   *
   * @param text for a person
   */
  record Bug(String time, String text) implements RunEvent {}

  /**
   * Something worth knowing.
   *
   * @param text for a person
   */
  record Note(String time, String text) implements RunEvent {}

  /**
   * A finding of the report, when the run has ended.
   *
   * @param severity {@code BUG}, {@code RACE}, {@code PERFORMANCE} or {@code WARNING}
   * @param place the code to look at
   * @param accepted whether the baseline accepts it
   * @param replay the command that shows it again, if there is one
   */
  record FindingTold(
      String time,
      String severity,
      String kind,
      String fingerprint,
      String title,
      String place,
      boolean accepted,
      Optional<String> replay)
      implements RunEvent {}

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
      implements RunEvent {}

  /**
   * A sweep has ended. It is the last event of {@code powercut sweep}.
   *
   * @param exit the exit code, 0 to 4
   * @param campaigns how many were planned
   * @param run how many of them were run
   */
  record SweepResult(String time, int exit, String meaning, int campaigns, int run, double seconds)
      implements RunEvent {}

  /**
   * The command ended early. It is the last event.
   *
   * @param exit the exit code, 2 to 4
   * @param message what happened, and the remedy
   */
  record Failed(String time, int exit, String message) implements RunEvent {}
}
