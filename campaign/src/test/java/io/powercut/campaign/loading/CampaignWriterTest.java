// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignFixtures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CampaignWriterTest {
  @TempDir Path directory;

  static Stream<Path> campaigns() {
    return Stream.concat(
        Stream.of(CampaignFixtures.everyKey()),
        CampaignFixtures.projectCampaigns().stream()
            .filter(file -> !CampaignFixtures.isBase(file)));
  }

  @ParameterizedTest
  @MethodSource("campaigns")
  void shouldReloadEqualElsewhere(Path file) throws IOException {
    Campaign campaign = CampaignLoader.load(file);
    Path copy = directory.resolve("copy.yaml");
    CampaignWriter.write(campaign, copy);

    assertThat(CampaignLoader.load(copy)).isEqualTo(campaign);
  }

  @Test
  void shouldReloadEqualWithoutAnyKey() throws IOException {
    Campaign campaign = CampaignFixtures.load(directory, CampaignFixtures.LEAST);
    Path copy = directory.resolve("copy.yaml");
    CampaignWriter.write(campaign, copy);

    assertThat(CampaignLoader.load(copy)).isEqualTo(campaign);
  }

  @Test
  void shouldKeepStringsThatLookLikeSomethingElse() throws IOException {
    Campaign campaign =
        CampaignFixtures.load(
            directory,
            """
            description: "null"
            parameters: {a: "", b: " x ", c: "true", d: "#", e: "a: b\\n- c", f: "{{", g: 'é"\\'}
            target: {command: [app, "null", "~", "1e3", "{a}", "*x", "&y", "\\u0007"]}
            recovery: {command: [check]}
            """);
    Path copy = directory.resolve("copy.yaml");
    CampaignWriter.write(campaign, copy);

    assertThat(CampaignLoader.load(copy)).isEqualTo(campaign);
    assertThat(campaign.target().command().expand(campaign.placeholders()))
        .containsExactly("app", "null", "~", "1e3", "", "*x", "&y", "\u0007");
  }

  @Test
  void shouldSayWhatIsLeftToDefaults() {
    Campaign campaign = CampaignFixtures.load(directory, CampaignFixtures.LEAST);

    assertThat(CampaignWriter.toTree(campaign).at("/limits/parallel").asText()).isEqualTo("auto");
    assertThat(CampaignWriter.toTree(campaign).at("/target/timeout").asText()).isEqualTo("10m");
    assertThat(CampaignWriter.toYaml(campaign)).doesNotContain("extends", "description");
  }
}
