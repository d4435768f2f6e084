// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import io.powercut.analysis.PatternKind;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.identity.FormerFingerprint;
import io.powercut.report.knowledge.Knowledge;
import io.powercut.report.mistakes.Crash;
import io.powercut.report.mistakes.CrashGroups;
import io.powercut.report.mistakes.CrashPlaces;
import io.powercut.report.rundir.DataRaceLog;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes one finding of all that was seen of one mistake, and puts them in order. */
final class FindingMerge {
  /** What recovery cannot handle comes first, then what certainly gets lost, then the rest. */
  private static final Comparator<Finding> WHAT_TO_MEND_FIRST =
      Comparator.comparing((Finding finding) -> finding.accepted().isPresent())
          .thenComparing(finding -> rank(finding.severity()))
          .thenComparing(finding -> finding.injection().isEmpty())
          .thenComparing(FindingMerge::isOnlyInvolved)
          .thenComparing(FindingMerge::evidence)
          .thenComparing(Comparator.comparing(Finding::count).reversed())
          .thenComparing(Finding::fingerprint);

  private final List<Crash> crashes = new ArrayList<>();
  private final ListMultimap<String, Proof> again = ArrayListMultimap.create();
  private final ListMultimap<String, String> joined = ArrayListMultimap.create();
  private final List<PatternLog.Pattern> patterns = new ArrayList<>();
  private final List<RaceLog.Found> races = new ArrayList<>();
  private final List<DataRaceLog.Found> dataRaces = new ArrayList<>();

  private final Knowledge knowledge;

  /**
   * @param knowledge which patterns are intended
   */
  FindingMerge(Knowledge knowledge) {
    this.knowledge = knowledge;
  }

  private static int rank(Severity severity) {
    return switch (severity) {
      case BUG -> 0;
      case RACE -> 1;
      case PERFORMANCE -> 2;
      case WARNING -> 3;
    };
  }

  /** Of races, the strongest evidence comes first. */
  private static PersistencyRace.Level evidence(Finding finding) {
    return finding.races().stream()
        .findFirst()
        .filter(race -> finding.severity() == Severity.RACE)
        .map(PersistencyRace::level)
        .orElse(PersistencyRace.Level.CONSEQUENCE);
  }

  /** Adds what one cut of the power showed. */
  void add(Crash crash) {
    crashes.add(crash);
  }

  /** Says that crashes with these fingerprints show one mistake. */
  void join(String one, String other) {
    joined.put(one, other);
  }

  /** Adds where something was seen again that is proved elsewhere. */
  void addAgain(Proof proof) {
    again.put(proof.fingerprint(), proof);
  }

  /** Adds a pattern. */
  void add(PatternLog.Pattern pattern) {
    patterns.add(pattern);
  }

  /** Adds a race; those with the strongest evidence come first. */
  void add(RaceLog.Found race) {
    races.add(race);
  }

  /** Adds a data race. */
  void add(DataRaceLog.Found race) {
    dataRaces.add(race);
  }

  /** All findings. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    List<CrashPlaces> places = new ArrayList<>();
    ListMultimap<String, Proof> left = ArrayListMultimap.create(again);
    List<List<Crash>> groups = CrashGroups.of(crashes, joined);
    Set<String> called =
        groups.stream().map(FindingMerge::name).collect(Collectors.toUnmodifiableSet());
    for (List<Crash> group : groups) {
      findings.add(CrashFinding.of(group, take(group, called, left)));
      places.add(CrashPlaces.of(group));
    }
    ListMultimap<String, PatternLog.Pattern> ofPatterns =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    for (PatternLog.Pattern pattern : patterns) {
      int reason = reasonOf(pattern.evidence(), places);
      if (reason < places.size()) {
        findings.set(reason, findings.get(reason).with(pattern.evidence()));
      } else {
        ofPatterns.put(pattern.fingerprint(), pattern);
      }
    }
    Map<String, Finding> ofRaces = new LinkedHashMap<>();
    for (RaceLog.Found race : races) {
      int proof = proofOf(race.evidence(), findings, places);
      if (proof < places.size()) {
        findings.set(proof, RaceProof.of(findings.get(proof), race.evidence()));
      } else {
        ofRaces.merge(
            race.fingerprint(),
            finding(race),
            (first, next) -> first.with(race.evidence(), next.count()));
      }
    }
    findings.addAll(ofRaces.values());
    addDataRaces(findings);
    Multimaps.asMap(ofPatterns).values().forEach(alike -> findings.add(finding(alike)));
    return findings;
  }

  /**
   * A race of the same store and load as a persistency-induced one is the same mistake: it is seen
   * in two ways.
   */
  private void addDataRaces(List<Finding> findings) {
    Map<String, Finding> others = new LinkedHashMap<>();
    for (DataRaceLog.Found race : dataRaces) {
      int same = 0;
      while (same < findings.size()
          && !CrashPlaces.areSame(race.evidence(), findings.get(same).races())) {
        same++;
      }
      if (same < findings.size()) {
        findings.set(same, findings.get(same).with(race.evidence()));
      } else {
        others.merge(
            race.fingerprint(),
            finding(race),
            (first, next) -> first.with(race.evidence(), next.count()));
      }
    }
    findings.addAll(others.values());
  }

  private static String name(List<Crash> group) {
    return group.get(0).fingerprint();
  }

  /**
   * What was seen again of one fingerprint goes to the finding that is called so, or else to the
   * first one that has it.
   *
   * @param called what findings are called
   */
  private static List<Proof> take(
      List<Crash> group, Set<String> called, ListMultimap<String, Proof> left) {
    return group.stream()
        .map(Crash::fingerprint)
        .distinct()
        .filter(fingerprint -> fingerprint.equals(name(group)) || !called.contains(fingerprint))
        .flatMap(fingerprint -> left.removeAll(fingerprint).stream())
        .toList();
  }

  /** Which finding a pattern is part of; after the last if it is none's. */
  private static int reasonOf(TraceEvidence pattern, List<CrashPlaces> places) {
    int index = 0;
    while (index < places.size() && !places.get(index).areOf(pattern)) {
      index++;
    }
    return index;
  }

  /**
   * Which finding proves that a race loses data: recovery failed where it was tried without the
   * store, or anywhere else without it and with what another thread stored. After the last if none
   * does.
   */
  private static int proofOf(
      PersistencyRace race, List<Finding> findings, List<CrashPlaces> places) {
    int index = 0;
    while (index < places.size()
        && !((isTried(race, findings.get(index)) && places.get(index).lost(race))
            || RaceProof.isSeenInAnotherThread(findings.get(index), race))) {
      index++;
    }
    return index;
  }

  private static boolean isTried(PersistencyRace race, Finding finding) {
    return finding.proofs().stream().map(Proof::cut).anyMatch(race.tries()::contains);
  }

  private static Finding finding(RaceLog.Found race) {
    PersistencyRace evidence = race.evidence();
    return race(evidence.kind(), Severity.RACE, race.fingerprint(), evidence);
  }

  private static Finding finding(DataRaceLog.Found race) {
    DataRace evidence = race.evidence();
    return race(evidence.kind(), evidence.severity(), race.fingerprint(), evidence);
  }

  private static Finding race(
      String kind, Severity severity, String fingerprint, Evidence evidence) {
    return new Finding(
        kind,
        severity,
        false,
        fingerprint,
        List.of(),
        false,
        evidence.count(),
        evidence.seen(),
        evidence.stack(),
        List.of(evidence),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** Patterns at one place, between several instructions or called by several functions. */
  private Finding finding(List<PatternLog.Pattern> alike) {
    TraceEvidence first = alike.get(0).evidence();
    long count = alike.stream().mapToLong(pattern -> pattern.evidence().count()).sum();
    String title =
        alike.size() == 1
            ? first.seen()
            : String.format(
                Locale.ROOT,
                "%,d times in %d ways; the first: %s",
                count,
                alike.size(),
                first.seen());
    return new Finding(
        first.pattern().name(),
        first.severity(),
        false,
        alike.get(0).fingerprint(),
        former(alike),
        false,
        count,
        title,
        first.stack(),
        alike.stream().<Evidence>map(PatternLog.Pattern::evidence).toList(),
        List.of(),
        Optional.empty(),
        knowledge.of(first));
  }

  private static List<String> former(List<PatternLog.Pattern> alike) {
    return alike.stream()
        .map(PatternLog.Pattern::evidence)
        .map(evidence -> new KindAndStack(evidence.pattern(), evidence.stack()))
        .distinct() // Hashing thousands of stacks takes time.
        .map(one -> FormerFingerprint.of(one.kind().name(), one.stack()))
        .filter(former -> !former.equals(alike.get(0).fingerprint()))
        .distinct()
        .toList();
  }

  private record KindAndStack(PatternKind kind, List<StackFrame> stack) {}

  /** Whether its lost stores are not proved to be the cause. */
  private static boolean isOnlyInvolved(Finding finding) {
    return finding
        .injection()
        .flatMap(InjectionEvidence::state)
        .map(state -> !state.hasCause())
        .orElse(false);
  }

  /** The order of a report: the most urgent first. */
  static List<Finding> sorted(List<Finding> findings) {
    return findings.stream().sorted(WHAT_TO_MEND_FIRST).toList();
  }
}
