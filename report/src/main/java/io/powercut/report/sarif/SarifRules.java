// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import io.powercut.analysis.PatternKind;
import io.powercut.oracle.Verdict;
import io.powercut.process.PowercutHome;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.findings.Finding;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kinds of findings as SARIF's rules: each verdict that is a bug, and each pattern. */
final class SarifRules {
  private static final String REPLAY =
      " The finding has the powercut replay command that reproduces it.";

  private static final String DATA_RACES = "data-races.md";

  private final List<Sarif.ReportingDescriptor> rules = new ArrayList<>();

  SarifRules() {
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      switch (kind) {
        case UNRECOVERABLE ->
            addVerdict(
                kind,
                "Recovery fails after a power cut.",
                "The power was cut before an instruction that persists data. The program's own recovery"
                    + " ran on the crash image and did not accept it.");
        case CRASHED ->
            addVerdict(
                kind,
                "Recovery crashes after a power cut.",
                "The power was cut before an instruction that persists data. The program's own recovery"
                    + " ran on the crash image and was ended by a signal.");
        case HUNG ->
            addVerdict(
                kind,
                "Recovery hangs after a power cut.",
                "The power was cut before an instruction that persists data. The program's own recovery"
                    + " ran on the crash image and exceeded its time limit.");
        case CONSISTENT, INCONCLUSIVE -> {}
      }
    }
    for (PatternKind kind : PatternKind.values()) {
      add(
          kind.name(),
          kind.meaning(),
          "Seen in the trace of the program's run, without any crash. " + kind.meaning(),
          "patterns.md",
          level(kind));
    }
    addRace("LOCKSET", "no lock is held from the store to its persist and at the load.");
    addRace("REGION", "nothing orders store, persist and load.");
    addRace("OBSERVED", "it happened in the recorded run.");
    addRace("CONSEQUENCE", "it happened, and the reader then persisted something or wrote output.");
    add(
        DataRace.CONFIRMED,
        "Two threads use the same bytes, one of them writes, and nothing orders them.",
        "Two threads used the same bytes of memory, one of them wrote, and neither a common lock nor"
            + " other synchronisation orders the two accesses.",
        DATA_RACES,
        level(Severity.RACE));
    add(
        DataRace.UNCONFIRMED,
        "A thread uses what the critical section of another one usually uses.",
        "KARD: the section held the key of the object, and did not use the same bytes this time.",
        DATA_RACES,
        level(Severity.WARNING));
  }

  private void addRace(String level, String meaning) {
    add(
        level + "_RACE",
        "A thread loads what another one has not persisted: " + meaning,
        "A thread loads what another thread stored and has not persisted, and may act on it. "
            + "A power cut then takes the store away and leaves its effect. Of this one is known: "
            + meaning,
        "races.md",
        level(Severity.RACE));
  }

  private void addVerdict(Verdict.Kind kind, String meaning, String help) {
    add(kind.name(), meaning, help + REPLAY, "verdicts.md", level(Severity.BUG));
  }

  private void add(String kind, String meaning, String help, String page, String level) {
    rules.add(
        new Sarif.ReportingDescriptor(
            id(kind),
            name(kind),
            new Sarif.Message(meaning),
            new Sarif.Message(help),
            new Sarif.Message(help),
            PowercutHome.find().resolve("docs").resolve(page).toUri().toString(),
            new Sarif.Configuration(level)));
  }

  private static String level(PatternKind kind) {
    return switch (kind) {
      case REDUNDANT_FLUSH, REDUNDANT_FENCE -> level(Severity.PERFORMANCE);
      case NOT_PERSISTED, TRANSIENT_DATA, DIRTY_OVERWRITE, MULTI_STORE_FLUSH, UNORDERED_FENCE ->
          level(Severity.WARNING);
    };
  }

  /** What SARIF calls a severity. */
  static String level(Severity severity) {
    return switch (severity) {
      case BUG -> "error";
      case RACE, PERFORMANCE -> "warning";
      case WARNING -> "note";
    };
  }

  /** A kind as a rule: {@code redundant-flush}. */
  static String id(String kind) {
    return kind.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The same as viewers show it: {@code RedundantFlush}. */
  private static String name(String kind) {
    StringBuilder name = new StringBuilder();
    for (String word : kind.split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  /** All rules. */
  List<Sarif.ReportingDescriptor> all() {
    return List.copyOf(rules);
  }

  /** The place of a finding's rule among them. */
  int indexOf(Finding finding) {
    String id = id(finding.kind());
    for (int index = 0; index < rules.size(); index++) {
      if (rules.get(index).id().equals(id)) {
        return index;
      }
    }
    throw new IllegalArgumentException("no rule for " + finding.kind());
  }
}
