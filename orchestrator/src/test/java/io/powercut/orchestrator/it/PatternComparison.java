// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.rundir.PatternLog;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The patterns of misuse in a trace of the bug suite against those of its ground truth: exactly
 * those, no more and no less.
 */
record PatternComparison(BugTruth truth, List<BugTruth.ExpectedPattern> expected) {
  /** What the truth gives no number for. */
  private static final String ANY = "any number of times";

  static PatternComparison of(BugTruth truth, String variant) {
    return new PatternComparison(truth, truth.patterns().getOrDefault(variant, List.of()));
  }

  void assertExactly(PatternLog log) {
    List<TraceEvidence> seen = log.patterns().stream().map(PatternLog.Pattern::evidence).toList();
    Map<String, String> counts = new HashMap<>();
    for (BugTruth.ExpectedPattern pattern : expected) {
      String count = pattern.count().map(PatternComparison::times).orElse(ANY);
      assertThat(counts.put(key(pattern), count)).as("twice in the truth: %s", pattern).isNull();
    }
    assertThat(counts(seen, counts)).isEqualTo(counts);
    expected.forEach(pattern -> assertReason(pattern, seen));
  }

  private static String times(long count) {
    return count + " times";
  }

  /** Those that differ in the library's part of a stack count as one. */
  private Map<String, String> counts(List<TraceEvidence> seen, Map<String, String> wanted) {
    Map<String, Long> counts = new HashMap<>();
    seen.forEach(one -> counts.merge(key(one), one.count(), Long::sum));
    Map<String, String> described = new HashMap<>();
    counts.forEach(
        (key, count) -> described.put(key, ANY.equals(wanted.get(key)) ? ANY : times(count)));
    return described;
  }

  private void assertReason(BugTruth.ExpectedPattern pattern, List<TraceEvidence> seen) {
    pattern
        .because()
        .ifPresent(
            words ->
                assertThat(seen)
                    .filteredOn(one -> key(one).equals(key(pattern)))
                    .extracting(TraceEvidence::seen)
                    .allMatch(text -> text.contains(words), "has the words: " + words));
  }

  private static String key(BugTruth.ExpectedPattern pattern) {
    return key(pattern.kind(), pattern.severity(), pattern.at());
  }

  /** A pattern as truth.yaml writes it, without its reason and count. */
  private String key(TraceEvidence one) {
    return key(
        one.pattern().label(),
        one.severity().name().toLowerCase(Locale.ROOT),
        one.places().stream().map(this::place).toList());
  }

  private static String key(String kind, String severity, List<String> at) {
    return severity + " " + kind + " at " + at;
  }

  private String place(TraceEvidence.Place place) {
    return place.role().replace(' ', '-') + " " + ownPlace(place.stack());
  }

  /** The name of the innermost line of the program's own source. */
  private String ownPlace(List<StackFrame> stack) {
    return stack.stream()
        .filter(frame -> frame.file().endsWith("/" + truth.sourceName()))
        .findFirst()
        .map(
            frame ->
                truth.places().getOrDefault(frame.line(), truth.sourceName() + ":" + frame.line()))
        .orElseGet(stack::toString);
  }
}
