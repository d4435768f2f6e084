// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.installation.InstalledCampaigns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The campaign file and its overrides, as several commands take them. */
final class CampaignArguments {
  @Parameters(paramLabel = "CAMPAIGN", description = "The campaign file (YAML).")
  private Path file = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = {
        "Sets one key of the campaign, for example:",
        "  --set parameters.operations=5000 --set limits.parallel=4"
      })
  private List<String> overrides = new ArrayList<>();

  /** The file as it was named. */
  Path file() {
    return file;
  }

  /** Keys that are set, each as {@code key=value}. */
  List<String> overrides() {
    return List.copyOf(overrides);
  }

  /** Reads the campaign. */
  Campaign load() {
    return load(List.of());
  }

  /**
   * Reads the campaign with more overrides.
   *
   * @param more laid over those of the command line, written alike
   */
  Campaign load(List<String> more) {
    List<String> all = new ArrayList<>(overrides);
    all.addAll(more);
    return InstalledCampaigns.load(file, all, Warnings::print);
  }
}
