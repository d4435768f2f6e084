// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.oracle.CrashFrame;
import io.powercut.oracle.CrashStack;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.StepResult;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import java.util.List;
import java.util.Optional;

/** What a report says of an oracle's result. */
final class Judgements {
  private Judgements() {}

  /**
   * @param occurrence where the power was cut
   * @param image where the image is kept, if it is
   * @param acknowledged what the target had acknowledged, if that is to be reported
   * @param seconds how long it took
   */
  static Judgement of(
      Occurrence occurrence,
      OracleResult result,
      Optional<String> image,
      Optional<AcknowledgedOutput> acknowledged,
      double seconds) {
    Optional<StepResult> step = result.deciding();
    return new Judgement(
        occurrence.id(),
        occurrence.number(),
        occurrence.order(),
        result.verdict().kind(),
        result.verdict().describe(),
        step.map(StepResult::name).orElse(""),
        result.verdict().shown(step.map(StepResult::outputTail).orElse("")),
        result.verdict().place().map(Judgements::frames).orElse(List.of()),
        image,
        acknowledged,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        seconds,
        Optional.empty(),
        Optional.empty());
  }

  private static List<StackFrame> frames(CrashStack stack) {
    return stack.frames().stream().map(Judgements::frame).toList();
  }

  private static StackFrame frame(CrashFrame frame) {
    return new StackFrame(
        frame.isNamed() ? frame.function() : "",
        frame.file().orElse(""),
        frame.line().orElse(0),
        frame.moduleName(),
        frame.offset().isPresent() ? "0x" + Long.toHexString(frame.offset().getAsLong()) : "");
  }
}
