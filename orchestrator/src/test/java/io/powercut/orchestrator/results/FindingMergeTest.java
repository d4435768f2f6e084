package io.powercut.orchestrator.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.report.Acceptance;
import io.powercut.orchestrator.report.Finding;
import io.powercut.orchestrator.report.ImageChanges;
import io.powercut.orchestrator.report.ImageStore;
import io.powercut.orchestrator.report.InjectionEvidence;
import io.powercut.orchestrator.report.JudgedState;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.orchestrator.report.TraceEvidence;
import io.powercut.tree.Severity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is one finding, and in which order findings come. */
class FindingMergeTest {
  private static final Optional<String> NO_HASH = Optional.empty();
  private static final StackFrame MAIN = new StackFrame("main", "app.c", 50, "app", "0x1");

  private static StackFrame frame(String function, int line) {
    return new StackFrame(function, "app.c", line, "app", "0x2");
  }

  private static InjectionEvidence crash(String function, String id) {
    return crash(function, id, Optional.empty());
  }

  /** Of a state that lost a store of this function. */
  private static InjectionEvidence lost(String function, String id) {
    return lost(function, id, Optional.empty());
  }

  private static InjectionEvidence lost(String function, String id, Optional<String> shownBefore) {
    StackFrame frame = frame(function, 10);
    ImageStore store = new ImageStore("pool", 64, 8, "0100000000000000", List.of(frame, MAIN));
    JudgedState state =
        new JudgedState(
            "0123456789abcdef",
            "one-line-lost",
            "fingerprint",
            List.of(),
            List.of(new JudgedState.Store(store, 1, "flush")),
            List.of(),
            true,
            shownBefore,
            "flush it");
    return crash("elsewhere", id, Optional.of(state));
  }

  private static InjectionEvidence crash(String function, String id, Optional<JudgedState> state) {
    return new InjectionEvidence(
        "CRASHED",
        id,
        1,
        1,
        "clwb",
        List.of(new StackFrame("persist", "pm.h", 4, "app", "0x3"), frame(function, 12), MAIN),
        "recovery crashed",
        "recovery",
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        state,
        Optional.empty(),
        ImageChanges.UNKNOWN,
        "replay");
  }

  private static PatternLog.Pattern pattern(
      String fingerprint, String kind, Severity severity, String function, long count) {
    return new PatternLog.Pattern(
        fingerprint,
        new TraceEvidence(
            kind,
            severity,
            "seen",
            List.of(new TraceEvidence.Place("store", "mov", List.of(frame(function, 10), MAIN))),
            count,
            Optional.empty(),
            "pool",
            64));
  }

  @Test
  void missingFlushThatACrashShowsTooShouldBeOneFindingWithTwoPiecesOfEvidence() {
    FindingMerge merge = new FindingMerge();
    merge.add("a", crash("update", "1"), NO_HASH);
    merge.add(pattern("b", "NOT_PERSISTED", Severity.BUG, "update", 7));

    Finding only = merge.findings().get(0);
    assertThat(merge.findings()).hasSize(1);
    assertThat(only.kind()).isEqualTo("CRASHED");
    assertThat(only.fingerprint()).isEqualTo("a");
    assertThat(only.count()).isEqualTo(1);
    assertThat(only.evidence()).hasSize(2);
    assertThat(only.patterns()).hasSize(1);
  }

  @Test
  void patternElsewhereOrOfPerformanceShouldStayAFindingOfItsOwn() {
    FindingMerge merge = new FindingMerge();
    merge.add("a", crash("update", "1"), NO_HASH);
    merge.add(pattern("b", "NOT_PERSISTED", Severity.BUG, "other", 1));
    merge.add(pattern("c", "REDUNDANT_FLUSH", Severity.PERFORMANCE, "update", 1));

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a", "b", "c");
  }

  @Test
  void equalFingerprintsShouldBeOneFindingWithACount() {
    FindingMerge merge = new FindingMerge();
    merge.add("a", crash("update", "1"), NO_HASH);
    merge.add("a", crash("update", "2"), NO_HASH);
    merge.add(pattern("b", "REDUNDANT_FENCE", Severity.PERFORMANCE, "other", 3));
    merge.add(pattern("b", "REDUNDANT_FENCE", Severity.PERFORMANCE, "other", 4));

    assertThat(merge.findings()).extracting(Finding::count).containsExactly(2L, 7L);
    assertThat(merge.findings().get(0).injection().orElseThrow().failurePointId()).isEqualTo("1");
    assertThat(merge.findings().get(0).evidence()).hasSize(1);
    assertThat(merge.findings().get(1).evidence()).hasSize(2);
    assertThat(merge.findings().get(1).title()).isEqualTo("7 times in 2 ways; the first: seen");
  }

  @Test
  void stateThatProgramOrderLeavesElsewhereShouldBeEvidenceOfThatFinding() {
    FindingMerge merge = new FindingMerge();
    merge.add("a", crash("update", "1"), Optional.of("image"));
    merge.add("b", lost("put", "2"), Optional.of("image"));
    merge.add("c", lost("put", "3"), Optional.of("another"));
    merge.addAgain("b");

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a", "c");
    assertThat(merge.findings()).extracting(Finding::count).containsExactly(3L, 1L);
    assertThat(merge.findings().get(0).evidence()).hasSize(2);
  }

  @Test
  void stateOfWhichProgramOrderShowsTheMistakeBeforeShouldBeEvidenceOfThatFinding() {
    FindingMerge merge = new FindingMerge();
    merge.add("a", crash("update", "1"), Optional.of("image"));
    merge.add("b", lost("put", "2", Optional.of("1")), Optional.of("another"));
    merge.add("c", lost("put", "3", Optional.of("2")), Optional.of("a third"));

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a", "c");
    assertThat(merge.findings().get(0).evidence()).hasSize(2);
  }

  @Test
  void statesOfOneMistakeShouldBeOneFindingInWhateverOrderTheyCome() {
    InjectionEvidence known = lost("put", "2", Optional.of("1"));
    InjectionEvidence unknown = lost("put", "3");
    for (List<InjectionEvidence> order :
        List.of(List.of(known, unknown), List.of(unknown, known))) {
      FindingMerge merge = new FindingMerge();
      merge.add("a", crash("update", "1"), Optional.of("image"));
      order.forEach(evidence -> merge.add("b", evidence, NO_HASH));
      merge.addAgain("b");

      assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a");
      assertThat(merge.findings().get(0).count()).isEqualTo(4);
      assertThat(merge.findings().get(0).evidence()).hasSize(3);
    }
  }

  @Test
  void stateThatBlamesTheBrokenPlaceShouldBeEvidenceOfThatFinding() {
    FindingMerge merge = new FindingMerge();
    merge.add("a", crash("update", "1"), Optional.of("image"));
    merge.add("b", lost("update", "2"), Optional.of("another"));

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(merge.findings().get(0).evidence()).hasSize(2);
  }

  @Test
  void whatToMendFirstShouldComeFirst() {
    FindingMerge merge = new FindingMerge();
    merge.add(pattern("warning", "DIRTY_OVERWRITE", Severity.WARNING, "a", 99));
    merge.add(pattern("seldom", "REDUNDANT_FLUSH", Severity.PERFORMANCE, "b", 2));
    merge.add(pattern("often", "REDUNDANT_FLUSH", Severity.PERFORMANCE, "c", 20));
    merge.add(pattern("lost", "NOT_PERSISTED", Severity.BUG, "d", 100));
    merge.add("crash", crash("update", "1"), NO_HASH);
    List<Finding> findings = merge.findings();

    assertThat(FindingMerge.sorted(findings))
        .extracting(Finding::fingerprint)
        .containsExactly("crash", "lost", "often", "seldom", "warning");
  }

  @Test
  void acceptedFindingsShouldComeLast() {
    FindingMerge merge = new FindingMerge();
    merge.add("crash", crash("update", "1"), NO_HASH);
    merge.add(pattern("warning", "DIRTY_OVERWRITE", Severity.WARNING, "a", 1));
    Finding crash = merge.findings().get(0);
    Finding accepted =
        new Finding(
            crash.kind(),
            crash.severity(),
            false,
            crash.fingerprint(),
            crash.count(),
            crash.title(),
            crash.stack(),
            crash.evidence(),
            Optional.of(new Acceptance("known", "2026-01-31")));

    assertThat(FindingMerge.sorted(List.of(accepted, merge.findings().get(1))))
        .extracting(Finding::fingerprint)
        .containsExactly("warning", "crash");
  }
}
