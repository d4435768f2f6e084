// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files that several tests read. */
public final class CampaignFixtures {
  /** The least that is a campaign. */
  public static final String LEAST =
      """
      target: {command: [app]}
      recovery: {command: [check]}
      """;

  private CampaignFixtures() {}

  public static Path resources() {
    return PowercutHome.find().resolve("campaign/src/test/resources/campaign");
  }

  /** A file in which every key is said, and nothing has its default. */
  public static Path everyKey() {
    return resources().resolve("every-key.yaml");
  }

  /** All campaign files of the project. */
  public static List<Path> projectCampaigns() {
    Path configs = PowercutHome.find().resolve("configs");
    if (!Files.isDirectory(configs)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(configs)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.endsWith("powercut-baseline.yaml"))
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** True for a file that is made to be extended, and no campaign by itself. */
  public static boolean isBase(Path file) {
    return file.toString().contains("/bases/");
  }

  /** A campaign that is loaded from a text. */
  public static Campaign load(Path directory, String text, String... overrides) {
    try {
      Path file = directory.resolve("campaign.yaml");
      Files.writeString(file, text);
      return CampaignLoader.load(file, List.of(overrides));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
