// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import io.powercut.campaign.CampaignException;
import io.powercut.campaign.Problems;
import io.powercut.campaign.binding.FormerNames;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What lies in a directory of campaigns, in the order of file names; folders in it are not looked
 * into.
 *
 * @param campaigns files that are campaigns, or that should be and cannot be read as one
 * @param others YAML files that are none: no map, or without a target, like those that campaigns
 *     extend
 */
public record CampaignSearch(List<Path> campaigns, List<Path> others) {
  private static final String TARGET = "target";

  /** Copies the lists. */
  public CampaignSearch {
    campaigns = List.copyOf(campaigns);
    others = List.copyOf(others);
  }

  /**
   * Looks for campaigns.
   *
   * @throws IOException if the directory cannot be read
   */
  public static CampaignSearch in(Path directory) throws IOException {
    List<Path> campaigns = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path file : entries.filter(CampaignSearch::isYaml).sorted().toList()) {
        (isCampaign(file) ? campaigns : others).add(file);
      }
    }
    return new CampaignSearch(campaigns, others);
  }

  private static boolean isYaml(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return (name.endsWith(".yaml") || name.endsWith(".yml"))
        && !name.startsWith(".")
        && Files.isRegularFile(file);
  }

  /** A file with mistakes is a campaign too: running it reports them. */
  private static boolean isCampaign(Path file) {
    Problems problems = new Problems();
    CampaignFiles files = new CampaignFiles(problems, new FormerNames(problems, problems));
    try {
      return files.isMap(file)
          && files
              .read(file)
              .get(TARGET)
              .filter(target -> !(target instanceof Scalar one && one.kind() == Kind.NULL))
              .isPresent();
    } catch (CampaignException mistakes) {
      return true;
    }
  }
}
