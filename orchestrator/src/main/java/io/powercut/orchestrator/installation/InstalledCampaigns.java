// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.installation;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignProblem;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.process.PowercutHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads campaign files. */
public final class InstalledCampaigns {
  private InstalledCampaigns() {}

  /**
   * As {@link CampaignLoader#load(Path, List, Consumer)}. A campaign whose working directory
   * belongs to an installation gets the user's copy of it, since its build writes there.
   *
   * @throws io.powercut.exit.PowercutException if that copy cannot be made
   */
  public static Campaign load(
      Path file, List<String> overrides, Consumer<CampaignProblem> warnings) {
    Campaign campaign = CampaignLoader.load(file, overrides, warnings);
    return placeFor(campaign)
        .map(place -> CampaignLoader.load(file, with(overrides, place), warning -> {}))
        .orElse(campaign);
  }

  private static Optional<Path> placeFor(Campaign campaign) {
    return Installation.at(PowercutHome.find())
        .flatMap(
            installation ->
                new WorkloadsCopy(
                        installation,
                        WorkloadsCopy.cacheOf(System.getenv(), System.getProperty("user.home", "")))
                    .inPlaceOf(campaign.workingDirectory()));
  }

  private static List<String> with(List<String> overrides, Path workingDirectory) {
    List<String> all = new ArrayList<>(overrides);
    String quoted = workingDirectory.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    all.add("workingDirectory=\"" + quoted + "\"");
    return all;
  }
}
