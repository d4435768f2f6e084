// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.StepResult;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.dump.DumpReader;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Execution;
import io.powercut.report.format.Text;
import java.nio.file.Path;
import java.util.Optional;

/** A control: recovery must find a state without any crash consistent. */
public final class CleanControl {
  private final Campaign campaign;
  private final RecoveryRuns recovery;
  private final Workplace workplace;

  public CleanControl(Campaign campaign, RecoveryRuns recovery, Workplace workplace) {
    this.campaign = campaign;
    this.recovery = recovery;
    this.workplace = workplace;
  }

  /**
   * Asks recovery, if the campaign wants controls.
   *
   * @param name of the state, for the message
   * @param acknowledged what the target had acknowledged then
   * @throws PowercutException if recovery does not accept it
   */
  public void control(String name, Path pm, Optional<Acknowledgement> acknowledged) {
    if (!campaign.oracle().controls()) {
      return;
    }
    workplace.phases().begin("control: recovery on " + name);
    CopiedImages images = new CopiedImages(pm, acknowledged, workplace.resources().area());
    Dump first = control(name, images);
    if (campaign.dump().isPresent() && !first.isLike(control(name, images))) {
      throw PowercutException.notTrustworthy(
          "the dump of "
              + name
              + " differs between two runs on the same contents. It must print nothing that changes from"
              + " run to run, such as addresses, times or a random order.");
    }
  }

  /** Asks recovery about the state that an execution left. */
  public void controlEnd(Execution ended) {
    control("the state after a clean exit", ended.places().pm(), ended.acknowledged());
  }

  private Dump control(String name, JudgedImages images) {
    DumpReader dump = new DumpReader(name);
    OracleResult result =
        workplace
            .phases()
            .timings()
            .measure(
                "controls",
                () ->
                    recovery.judge(
                        images,
                        Optional.of(workplace.directory().path().resolve("control")),
                        OracleChoices.of(campaign.oracle()),
                        Optional.of(dump),
                        YesSample.none()));
    if (!(result.verdict() instanceof Verdict.Consistent)) {
      throw PowercutException.notTrustworthy(
          "the oracle failed its control: without a crash, recovery does not accept "
              + name
              + " as consistent: "
              + result.verdict().describe()
              + outputOf(result));
    }
    return dump.dump();
  }

  private static String outputOf(OracleResult result) {
    String printed = result.deciding().map(StepResult::outputTail).orElse("");
    String output = Text.printed(printed).strip();
    return output.isEmpty() ? "." : ". It printed:\n  " + output.replace("\n", "\n  ");
  }
}
