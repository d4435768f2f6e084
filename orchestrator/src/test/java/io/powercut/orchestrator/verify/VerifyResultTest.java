// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.exit.ExitCode;
import io.powercut.image.files.Difference;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A target that varies is not a mistake of ours, and a mistake of ours is not a target's. */
class VerifyResultTest {
  private static FailurePoint point() {
    FailurePointTree tree =
        new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    tree.reach(CallStack.of(Frame.of("app", 0x10, "main", "/src/app.c", 3)), Instruction.CLWB, 1);
    return tree.failurePoints().get(0);
  }

  private static VerifyResult imagesDiffer(Cause cause, boolean recordingsDiffer) {
    LeafDifference first =
        new LeafDifference(point(), new Difference.OnlyInFirst(Path.of("pool")), cause, false);
    return new VerifyResult(
        3,
        1,
        List.of(),
        List.of(),
        Map.of(),
        4,
        List.of(),
        Map.of(),
        Optional.of(first),
        recordingsDiffer);
  }

  @Test
  void nothingToCompareShouldNotCountAsAgreement() {
    VerifyResult nothing =
        new VerifyResult(
            0, 0, List.of(), List.of(), Map.of(), 0, List.of(), Map.of(), Optional.empty(), false);

    assertThat(nothing.exitCode()).isEqualTo(ExitCode.NOT_TRUSTWORTHY);
    assertThat(VerifySummary.of(nothing))
        .contains(
            "nothing was compared: the target reached no flush, fence or msync after a store to PM,"
                + " and the end of a run is not compared");
  }

  private static VerifyResult treesDiffer(boolean recordingsDiffer) {
    return new VerifyResult(
        3,
        0,
        List.of(point()),
        List.of(),
        Map.of(),
        3,
        List.of(),
        Map.of(),
        Optional.empty(),
        recordingsDiffer);
  }

  @Test
  void targetThatVariesShouldBeNamedAndMakeItIncomplete() {
    for (VerifyResult varies :
        List.of(
            imagesDiffer(Cause.TARGET, true),
            imagesDiffer(Cause.TARGET, false),
            imagesDiffer(Cause.UNKNOWN, true),
            treesDiffer(true))) {
      assertThat(varies.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(VerifySummary.of(varies)).last().asString().contains("is not deterministic");
    }
  }

  @Test
  void mistakeOfOursShouldBeCalledOne() {
    for (VerifyResult wrong :
        List.of(
            imagesDiffer(Cause.POWERCUT, false),
            imagesDiffer(Cause.POWERCUT, true),
            imagesDiffer(Cause.UNKNOWN, false),
            treesDiffer(false))) {
      assertThat(wrong.exitCode()).isEqualTo(ExitCode.NOT_TRUSTWORTHY);
      assertThat(VerifySummary.of(wrong)).last().asString().contains("bug in Powercut");
    }
  }

  @Test
  void recoveryThatVariesShouldBeNamed() {
    Judgement judgement = Judgement.inconclusive(new FailurePointId(7), "as it was");
    VerifyResult result =
        new VerifyResult(
            1,
            0,
            List.of(),
            List.of(),
            Map.of(),
            0,
            List.of(new VerdictDifference(point(), judgement, judgement)),
            Map.of(),
            Optional.empty(),
            false);

    assertThat(judgement.kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(VerifySummary.of(result))
        .last()
        .asString()
        .contains("recovery gives different verdicts");
  }
}
