// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.PatternKind;
import io.powercut.campaign.sections.LibraryKnowledge;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.knowledge.Explanation;
import io.powercut.report.knowledge.Knowledge;
import io.powercut.report.knowledge.LibraryCall;
import io.powercut.report.rundir.PatternLog;
import io.powercut.tree.Severity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which patterns are a library's own, and which of them it leaves on purpose. */
class KnowledgeTest {
  private static final StackFrame MAIN = frame("insert", "/src/map.c", 12, "app");
  private static final StackFrame FLUSH = frame("", "", 0, "libpmem.so.1.0.0");
  private static final StackFrame COMMIT = frame("pmemobj_tx_commit", "", 0, "libpmemobj.so.1.0.0");
  private static final StackFrame INSIDE = frame("", "", 0, "libpmemobj.so.1.0.0");

  private static StackFrame frame(String function, String file, int line, String module) {
    return new StackFrame(function, file, line, module, "0x10");
  }

  private static TraceEvidence pattern(PatternKind kind, StackFrame... stack) {
    return new TraceEvidence(
        kind,
        Severity.PERFORMANCE,
        "seen",
        List.of(new TraceEvidence.Place("flush", "clwb", List.of(stack))),
        3,
        Optional.of(0.25),
        "pool",
        64);
  }

  private static Optional<Explanation> explained(PatternKind kind, StackFrame... stack) {
    return Knowledge.of(List.of(LibraryKnowledge.PMDK)).of(pattern(kind, stack));
  }

  @Test
  void commitShouldFlushMoreThanItHasToOnPurpose() {
    assertThat(explained(PatternKind.REDUNDANT_FLUSH, FLUSH, INSIDE, COMMIT, MAIN))
        .hasValueSatisfying(
            why -> {
              assertThat(why.knowledge()).isEqualTo("pmdk");
              assertThat(why.reason()).contains("commit flushes every range");
            });
    assertThat(Knowledge.of(List.of()).of(pattern(PatternKind.REDUNDANT_FLUSH, COMMIT, MAIN)))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource(PatternKind.class)
  void whatTheUserAsksForShouldNeverBeOnPurpose(PatternKind kind) {
    StackFrame constructor = frame("construct_value", "/src/map.c", 40, "app");
    StackFrame alloc = frame("pmemobj_alloc", "", 0, "libpmemobj.so.1");
    StackFrame persist = frame("pmemobj_persist", "", 0, "libpmemobj.so.1");
    StackFrame copy = frame("pmemobj_memcpy", "", 0, "libpmemobj.so.1");
    StackFrame other = frame("pmemobj_tx_commit", "", 0, "libother.so.1");

    assertThat(explained(kind, MAIN)).isEmpty();
    assertThat(explained(kind, FLUSH, MAIN)).isEmpty();
    assertThat(explained(kind, FLUSH, persist, MAIN)).isEmpty();
    assertThat(explained(kind, FLUSH, copy, MAIN)).isEmpty();
    assertThat(explained(kind, constructor, INSIDE, alloc, MAIN)).isEmpty();
    assertThat(explained(kind, INSIDE, other, MAIN)).isEmpty();
  }

  @Test
  void storesThatNothingPersistsShouldBeBugsButInOnePlace() {
    StackFrame alloc = frame("pmemobj_alloc", "", 0, "libpmemobj.so.1");

    assertThat(explained(PatternKind.NOT_PERSISTED, INSIDE, COMMIT, MAIN)).isPresent();
    assertThat(explained(PatternKind.NOT_PERSISTED, INSIDE, alloc, MAIN)).isEmpty();
  }

  @Test
  void callShouldBeTheUsersOwn() {
    assertThat(LibraryCall.of(List.of(FLUSH, INSIDE, COMMIT, MAIN)))
        .contains(new LibraryCall("libpmemobj", "pmemobj_tx_commit"));
    assertThat(LibraryCall.of(List.of(FLUSH, MAIN))).isEmpty();
    assertThat(LibraryCall.of(List.of())).isEmpty();
  }

  @Test
  void intendedFindingShouldBeQuietAndInALineOfItsLibrary() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of(LibraryKnowledge.PMDK)));
    merge.add(
        new PatternLog.Pattern(
            "a", pattern(PatternKind.REDUNDANT_FENCE, FLUSH, INSIDE, COMMIT, MAIN)));
    merge.add(new PatternLog.Pattern("b", pattern(PatternKind.REDUNDANT_FENCE, FLUSH, MAIN)));
    List<Finding> findings = merge.findings();

    assertThat(findings).extracting(Finding::isQuiet).containsExactly(true, false);
    assertThat(findings.get(0).place()).isEqualTo("insert at /src/map.c:12, in pmemobj_tx_commit");
    assertThat(findings.get(1).place()).isEqualTo("insert at /src/map.c:12");
    assertThat(LibraryLine.of("libpmemobj", findings.subList(0, 1)))
        .isEqualTo(
            "libpmemobj: 1 performance bug (25 % of all fences), all intended (knowledge: pmdk)");
  }
}
