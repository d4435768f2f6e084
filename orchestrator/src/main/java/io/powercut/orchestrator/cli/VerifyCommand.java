// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.verify.Verification;
import io.powercut.orchestrator.verify.VerifyResult;
import io.powercut.orchestrator.verify.VerifySummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code powercut verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks Powercut itself on a campaign. Runs both injection modes, recorded and re-executed, from"
          + " the same state after set-up. Compares their crash images byte for byte, and their verdicts.",
      "",
      "Exit code 0 if all are equal, 3 if something differs, 4 if something could not be compared.",
      "docs/verify.md explains what a difference can mean."
    })
final class VerifyCommand implements Callable<Integer> {
  /**
   * Only first occurrences are compared: those that re-execution stops at. A budget would end one
   * way earlier than the other.
   */
  private static final List<String> COMPARABLE =
      List.of("occurrences=null", "trace.keep=false", "limits.time=null", "limits.images=null");

  @Mixin private CampaignArguments campaign = new CampaignArguments();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "The directory in which both images of the first difference are kept.")
  private Optional<Path> keep = Optional.empty();

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    Campaign loaded = campaign.load(COMPARABLE);
    if (keep.isPresent()) {
      EmptyDirectory.require("--keep", keep.get());
    }
    VerifyResult result = Verification.of(loaded, output.progress(), keep);
    Screen.output().print(VerifySummary.of(result));
    return result.exitCode().code();
  }
}
