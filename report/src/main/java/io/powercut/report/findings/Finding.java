// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.knowledge.Explanation;
import io.powercut.report.knowledge.LibraryCall;
import io.powercut.tree.Severity;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Something found, whatever found it. Equal findings (same {@code fingerprint}) are one finding
 * with a count, and what several analyses see at one place is one finding with several pieces of
 * evidence.
 *
 * @param kind what it is: a verdict's kind such as {@code UNRECOVERABLE}, a pattern's such as
 *     {@code REDUNDANT_FLUSH}, or a race's such as {@code DATA_RACE}
 * @param severity how much it claims
 * @param fails whether it makes the run end with exit code 1: by its severity and kind, and because
 *     it is not accepted
 * @param fingerprint the same for the same bug after a rebuild: made of the code to fix and of what
 *     is wrong with it
 * @param formerFingerprints what earlier versions of Powercut called it
 * @param daxOnly whether every crash that proved it needs a cut inside a sector of 512 bytes, and
 *     the program persists by system calls: it can only happen where the file is mapped directly
 *     (DAX)
 * @param count how often it was seen, at least 1: failure points, or instructions of a pattern
 * @param title what was seen, in one line
 * @param stack the target's call stack where to look first, innermost first
 * @param evidence what was seen, the strongest first; never empty. Of crashes that are alike, one
 * @param proofs all crashes that proved it, in short; empty for a pattern alone
 * @param accepted why it is lived with, when it is
 * @param explained why it is intended, when a library is known to do so on purpose
 */
public record Finding(
    String kind,
    Severity severity,
    boolean fails,
    String fingerprint,
    List<String> formerFingerprints,
    boolean daxOnly,
    long count,
    String title,
    List<StackFrame> stack,
    List<Evidence> evidence,
    List<Proof> proofs,
    Optional<Acceptance> accepted,
    Optional<Explanation> explained) {
  /** Copies the lists. */
  public Finding {
    formerFingerprints = List.copyOf(formerFingerprints);
    proofs = List.copyOf(proofs);
    stack = List.copyOf(stack);
    evidence = List.copyOf(evidence);
  }

  /** The same, seen in another way as well. */
  public Finding with(Evidence more) {
    return with(more, 0);
  }

  /**
   * The same, seen in another way as well.
   *
   * @param times how often that was seen, as far as it counts
   */
  public Finding with(Evidence more, long times) {
    List<Evidence> all = new ArrayList<>(evidence);
    all.add(more);
    return new Finding(
        kind,
        severity,
        fails,
        fingerprint,
        formerFingerprints,
        daxOnly,
        count + times,
        title,
        stack,
        all,
        proofs,
        accepted,
        explained);
  }

  /**
   * The same with no more than so many patterns in the trace: one place may misuse PM in thousands
   * of ways.
   *
   * @param most the most frequent ones are kept
   */
  public Finding withPatterns(int most) {
    if (evidence.size() <= most) {
      return this;
    }
    List<Evidence> kept = new ArrayList<>();
    int found = 0;
    for (Evidence one : evidence) {
      if (!(one instanceof TraceEvidence) || found++ < most) {
        kept.add(one);
      }
    }
    return withEvidence(title, kept);
  }

  /** The same bug, whose crashes are told in other words. */
  Finding told(List<Evidence> others) {
    String other =
        others.stream()
            .findFirst()
            .flatMap(
                first ->
                    first.match(
                        crash -> Optional.of(crash.title()),
                        pattern -> Optional.<String>empty(),
                        race -> Optional.<String>empty(),
                        dataRace -> Optional.<String>empty()))
            .orElse(title);
    return withEvidence(other, others);
  }

  private Finding withEvidence(String otherTitle, List<Evidence> otherEvidence) {
    return new Finding(
        kind,
        severity,
        fails,
        fingerprint,
        formerFingerprints,
        daxOnly,
        count,
        otherTitle,
        stack,
        otherEvidence,
        proofs,
        accepted,
        explained);
  }

  /**
   * The same with what follows from it.
   *
   * @param makesRunFail whether it does
   * @param acceptance why it is lived with
   */
  public Finding judged(boolean makesRunFail, Optional<Acceptance> acceptance) {
    return new Finding(
        kind,
        severity,
        makesRunFail,
        fingerprint,
        formerFingerprints,
        daxOnly,
        count,
        title,
        stack,
        evidence,
        proofs,
        acceptance,
        explained);
  }

  /**
   * Whether it is left out of what is shown first, of code hosts and of what is new: a warning, or
   * what a library does on purpose, unless it fails the run or is accepted.
   */
  @JsonIgnore
  public boolean isQuiet() {
    return !fails && accepted.isEmpty() && (severity == Severity.WARNING || explained.isPresent());
  }

  /** The library in which it is, by the user's call; nothing if it is in the user's own code. */
  @JsonIgnore
  public Optional<String> library() {
    return injection().isPresent() || severity == Severity.RACE
        ? Optional.empty()
        : LibraryCall.of(stack).map(LibraryCall::library);
  }

  /**
   * Its part of all flushes or of all fences of the run, 0 to 1; nothing if it is about neither.
   */
  @JsonIgnore
  public Optional<Double> share() {
    return patterns().stream().flatMap(one -> one.share().stream()).reduce(Double::sum);
  }

  /** All that it is: its own kind, and that of a data race beside other evidence. */
  @JsonIgnore
  public List<String> kinds() {
    return Stream.concat(Stream.of(kind), dataRaces().stream().map(DataRace::kind))
        .distinct()
        .toList();
  }

  /** Whether a fingerprint is its own, or was in an earlier version of Powercut. */
  public boolean isCalled(String name) {
    return fingerprint.equals(name) || formerFingerprints.contains(name);
  }

  /** The crash that shows it, when there is one. */
  @JsonIgnore
  public Optional<InjectionEvidence> injection() {
    return evidence.stream()
        .filter(InjectionEvidence.class::isInstance)
        .map(InjectionEvidence.class::cast)
        .findFirst();
  }

  /** The patterns in the trace that are part of it. */
  @JsonIgnore
  public List<TraceEvidence> patterns() {
    return evidence.stream()
        .filter(TraceEvidence.class::isInstance)
        .map(TraceEvidence.class::cast)
        .toList();
  }

  /** The data races that are part of it. */
  @JsonIgnore
  public List<DataRace> dataRaces() {
    return evidence.stream().filter(DataRace.class::isInstance).map(DataRace.class::cast).toList();
  }

  /** The persistency-induced races that are part of it. */
  @JsonIgnore
  public List<PersistencyRace> races() {
    return evidence.stream()
        .filter(PersistencyRace.class::isInstance)
        .map(PersistencyRace.class::cast)
        .toList();
  }

  /**
   * Where it is, in a line: the user's code, and of a pattern in a library what it called. Empty
   * when no stack is known.
   */
  @JsonIgnore
  public String place() {
    String user = UserCode.of(stack).map(StackFrame::text).orElse("");
    return library()
        .flatMap(library -> LibraryCall.of(stack))
        .map(
            call -> user + ", in " + (call.function().isEmpty() ? call.library() : call.function()))
        .orElse(user);
  }

  /**
   * How often it was seen, in words: {@code 2 failure points, 40 occurrences}; of what no crash
   * proves, {@code 3 times}. Empty where that was once.
   */
  @JsonIgnore
  public String seenInWords() {
    if (injection().isEmpty()) {
      return count > 1 ? String.format(Locale.ROOT, "%,d times", count) : "";
    }
    long occurrences = proofs.stream().map(Proof::cut).distinct().count();
    if (occurrences <= 1) {
      return "";
    }
    String words = String.format(Locale.ROOT, "%,d failure point%s", count, count == 1 ? "" : "s");
    return occurrences == count
        ? words
        : String.format(Locale.ROOT, "%s, %,d occurrences", words, occurrences);
  }

  /** The kind in words: {@code redundant flush}. */
  @JsonIgnore
  public String kindInWords() {
    return kind.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
