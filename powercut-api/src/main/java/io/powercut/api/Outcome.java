// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a run ended.
 *
 * @param exitCode 0 nothing new, 1 new bugs, 2 wrong campaign, 3 not trustworthy, 4 incomplete
 * @param meaning the same in words
 * @param findings all of them, warnings too, in the order of the report
 * @param report the folder with {@code report.html} and the other forms; none if the run ended
 *     early
 */
public record Outcome(int exitCode, String meaning, List<Finding> findings, Optional<Path> report) {
  public Outcome {
    findings = List.copyOf(findings);
  }

  /**
   * How a run ended, by its events: for the command {@code powercut run} itself, and for a program
   * that started it.
   *
   * @param events of which each {@link Event.Ending} matters
   * @param exitCode of the process, which counts: it may have been killed behind its last event
   * @param otherwise what it means if no event says so
   */
  public static Outcome of(List<Event> events, int exitCode, String otherwise) {
    Outcome outcome = new Outcome(exitCode, otherwise, List.of(), Optional.empty());
    for (Event event : events) {
      if (event instanceof Event.Ending ending) {
        outcome = ending.addedTo(outcome);
      }
    }
    return outcome;
  }

  /** Whether everything that was asked for was done, and nothing new was found. */
  public boolean isClean() {
    return exitCode == 0;
  }

  /** What makes the run fail: new bugs, and whatever else {@code failOn} names, such as races. */
  public List<Finding> failures() {
    return findings.stream().filter(Finding::fails).toList();
  }

  /**
   * For tests of any framework.
   *
   * @throws AssertionError unless {@link #isClean}, with what was found and how to replay it. A run
   *     that could not test anything is no success either.
   */
  public void requireClean() {
    if (!isClean()) {
      throw new AssertionError(describe());
    }
  }

  /** What a person wants to read. */
  public String describe() {
    String found = failures().stream().map(Finding::describe).collect(Collectors.joining("\n"));
    return (found.isEmpty() ? "" : found + "\n")
        + "powercut: "
        + meaning
        + " (exit code "
        + exitCode
        + ")"
        + report.map(folder -> "\nreport: " + folder.resolve("report.html")).orElse("");
  }
}
