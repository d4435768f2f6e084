// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.CampaignProblem;
import io.powercut.campaign.loading.CampaignSearch;
import io.powercut.orchestrator.installation.InstalledCampaigns;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a sweep is to run, in order.
 *
 * @param campaigns each once
 * @param skipped YAML files of the named directories that are no campaigns
 * @param request what was asked for, in one line; a sweep is resumed by an equal one
 */
public record SweepPlan(List<PlannedCampaign> campaigns, List<Path> skipped, String request) {
  /** Copies the lists. */
  public SweepPlan {
    campaigns = List.copyOf(campaigns);
    skipped = List.copyOf(skipped);
  }

  /** What makes two sweeps the same. */
  private record Request(List<String> files, List<String> overrides) {}

  /**
   * Reads campaign files. Mistakes in them are kept for when it is their turn.
   *
   * @param sources campaign files, and directories of them
   * @param overrides for all campaigns, each {@code key=value}
   * @param warnings takes what is wrong with no consequence, such as former names of keys
   * @throws IOException if a directory cannot be read
   */
  public static SweepPlan of(
      List<Path> sources, List<String> overrides, Consumer<CampaignProblem> warnings)
      throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    List<Path> skipped = new ArrayList<>();
    for (Path source : sources) {
      if (Files.isDirectory(source)) {
        CampaignSearch found = CampaignSearch.in(source);
        files.addAll(found.campaigns());
        skipped.addAll(found.others());
      } else {
        files.add(source);
      }
    }
    Map<Path, Path> once = new HashMap<>();
    Map<String, Path> names = new HashMap<>();
    List<PlannedCampaign> campaigns = new ArrayList<>();
    for (Path file : files) {
      if (once.putIfAbsent(identity(file), file) == null) {
        campaigns.add(withNameOfItsOwn(read(file, overrides, warnings), names));
      }
    }
    List<String> identities =
        campaigns.stream().map(one -> identity(one.file()).toString()).sorted().toList();
    return new SweepPlan(campaigns, skipped, Json.line(new Request(identities, overrides)));
  }

  /** A file by any of its names. */
  static Path identity(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException missing) {
      return file.toAbsolutePath().normalize();
    }
  }

  private static PlannedCampaign read(
      Path file, List<String> overrides, Consumer<CampaignProblem> warnings) {
    try {
      Campaign campaign = InstalledCampaigns.load(file, overrides, warnings);
      return new PlannedCampaign(file, campaign.name(), Optional.of(campaign), "");
    } catch (CampaignException mistakes) {
      String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
      return new PlannedCampaign(file, name, Optional.empty(), mistakes.getMessage());
    }
  }

  /** Two of one name would take each other's findings for their own. */
  private static PlannedCampaign withNameOfItsOwn(
      PlannedCampaign campaign, Map<String, Path> names) {
    Path other = names.putIfAbsent(campaign.name(), campaign.file());
    if (other == null) {
      return campaign;
    }
    String problem =
        campaign.campaign().isEmpty()
            ? campaign.problem()
            : "%s: the name '%s' is already used by %s; give each campaign a different name"
                .formatted(campaign.file(), campaign.name(), other);
    return new PlannedCampaign(
        campaign.file(), campaign.file().toString(), Optional.empty(), problem);
  }
}
