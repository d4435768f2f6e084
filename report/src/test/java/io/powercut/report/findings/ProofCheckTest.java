// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.Proof;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Severity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A bug that gets lost between the logs and the report is told as an error of ours. */
class ProofCheckTest {
  private static final FailurePointId ONE = new FailurePointId(1);
  private static final FailurePointId TWO = new FailurePointId(2);

  private static Judgement bug(FailurePointId id, long occurrence) {
    return new Judgement(
        id,
        occurrence,
        0,
        Verdict.Kind.UNRECOVERABLE,
        "no",
        "check",
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  private static Proof proof(FailurePointId id, long occurrence) {
    return new Proof(
        "f",
        "UNRECOVERABLE",
        id,
        occurrence,
        0,
        "",
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        "no",
        "replay");
  }

  private static List<Finding> with(Proof... proofs) {
    return List.of(
        new Finding(
            "UNRECOVERABLE",
            Severity.BUG,
            true,
            "f",
            List.of(),
            false,
            1,
            "no",
            List.of(),
            List.of(),
            List.of(proofs),
            Optional.empty(),
            Optional.empty()));
  }

  private static StateVerdicts again(String fingerprint) {
    return new StateVerdicts(
        ONE,
        1,
        0,
        Map.of(),
        Map.of(),
        0,
        0,
        1,
        List.of(),
        List.of(fingerprint),
        Map.of(),
        true,
        false);
  }

  @Test
  void reportWithAllThatWasProvedShouldPass() {
    List<Finding> findings =
        with(
            proof(ONE, 1),
            proof(ONE, 2),
            proof(TWO, 1),
            Proof.again("g", new Occurrence(ONE, 1), List.of()));
    assertThatCode(
            () ->
                ProofCheck.require(
                    findings,
                    List.of(bug(ONE, 1), bug(ONE, 2), bug(TWO, 1)),
                    List.of(again("g")),
                    List.of()))
        .doesNotThrowAnyException();
  }

  @Test
  void bugThatIsMissingShouldBeNamed() {
    assertThatThrownBy(
            () ->
                ProofCheck.require(
                    with(proof(ONE, 1)), List.of(bug(ONE, 1), bug(ONE, 2)), List.of(), List.of()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("bug in Powercut")
        .hasMessageContaining("failure point " + ONE + ", occurrence 2 was proved");
  }

  @Test
  void bugThatNobodyProvedShouldBeNamed() {
    assertThatThrownBy(
            () ->
                ProofCheck.require(
                    with(proof(ONE, 1), proof(TWO, 1)), List.of(bug(ONE, 1)), List.of(), List.of()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("failure point " + TWO + ", occurrence 1 is in a finding");
  }

  @Test
  void culpritThatWasOnlySeenAgainShouldBeMissed() {
    assertThatThrownBy(
            () ->
                ProofCheck.require(
                    with(proof(ONE, 1)), List.of(bug(ONE, 1)), List.of(again("g")), List.of()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("g was seen");
  }
}
