// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.knowledge.Knowledge;
import io.powercut.report.mistakes.Crash;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lock in persistent memory that the power cut left held: recovery waits for it for ever. */
class HeldLockTest {
  private static final ImageStore ACQUIRED = store("01000000", "lock", 18);
  private static final ImageStore RELEASED = store("00000000", "unlock", 21);

  @Test
  @DisplayName("it is one mistake, whether its release comes later or is lost")
  void isOneFinding() {
    List<Finding> findings = merged(held("lock"), releaseLost(RELEASED, "lock"));

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).title())
        .endsWith(
            ": reset what recovery waits for, as a lock that is still held, when the files are opened");
    assertThat(findings.get(0).proofs()).hasSize(2);
  }

  @Test
  @DisplayName("where recovery hangs elsewhere, or another store is lost, it is another one")
  void isAnotherElsewhere() {
    ImageStore other = new ImageStore("pool", 128, 4, "00000000", RELEASED.stack());

    assertThat(merged(held("lock"), releaseLost(RELEASED, "walk"))).hasSize(2);
    assertThat(merged(held("lock"), releaseLost(other, "lock"))).hasSize(2);
    assertThat(merged(held("walk"), releaseLost(RELEASED, "walk"))).hasSize(2);
    assertThat(merged(held("walk")).get(0).title()).doesNotContain("reset");
  }

  private static List<Finding> merged(Crash... crashes) {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    List.of(crashes).forEach(merge::add);
    return merge.findings();
  }

  private static ImageStore store(String bytes, String function, int line) {
    return new ImageStore(
        "pool",
        64,
        4,
        bytes,
        List.of(
            new StackFrame(function, "/app.c", line, "app", "0x" + line),
            new StackFrame("add", "/app.c", line + 20, "app", "0x9")));
  }

  private static Crash held(String hangs) {
    ImageLacks lacks =
        new ImageLacks(
            new FailurePointId(2),
            1,
            "the store to count",
            "the store at unlock",
            List.of(store("0100", "add", 40), RELEASED),
            0,
            List.of(),
            false);
    return crash(
        1,
        hangs,
        Optional.empty(),
        ImageChanges.UNKNOWN
            .withLacks(Optional.of(lacks))
            .withTooEarly(Optional.of(new EarlyStore("the store at lock", ACQUIRED))));
  }

  private static Crash releaseLost(ImageStore lost, String hangs) {
    JudgedState state =
        new JudgedState(
            "abc",
            "persisted-only",
            "b",
            List.of(),
            List.of(
                new JudgedState.Store(
                    lost, 1, JudgedState.Missing.FLUSH, JudgedState.Role.CAUSE, "")),
            List.of(),
            true,
            Optional.empty(),
            "the store at unlock is not flushed",
            Optional.empty(),
            false,
            false,
            0,
            Set.of(),
            Optional.empty(),
            List.of());
    return crash(2, hangs, Optional.of(state), ImageChanges.UNKNOWN);
  }

  private static Crash crash(
      long id, String hangs, Optional<JudgedState> state, ImageChanges changes) {
    InjectionEvidence evidence =
        new InjectionEvidence(
            Verdict.Kind.HUNG,
            new FailurePointId(id),
            1,
            0,
            1,
            "clwb",
            List.of(new StackFrame("add", "/app.c", 25, "app", "0x3")),
            "recovery hung",
            "recovery",
            "",
            List.of(new StackFrame(hangs, "app.c", 17, "app", "0x1")),
            Optional.empty(),
            Optional.empty(),
            state,
            Optional.empty(),
            changes,
            "replay",
            Optional.empty(),
            Optional.empty());
    return new Crash(
        Proof.of(id == 1 ? "a" : "b", evidence),
        List.of(),
        evidence,
        Optional.empty(),
        Optional.of(10 * id),
        Optional.empty(),
        "HUNG recovery: ");
  }
}
