// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.loading.CampaignSchema;
import io.powercut.exit.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code powercut schema}. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the JSON Schema of campaign files, for completion and checks in an editor:",
      "  powercut schema > powercut.schema.json",
      "and, as a campaign's first line:",
      "  # yaml-language-server: $$schema=powercut.schema.json"
    })
final class SchemaCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    System.out.println(CampaignSchema.toJson());
    return ExitCode.NOTHING_NEW.code();
  }
}
