// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.sections.RecoveryStep;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.TextTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignInheritanceTest {
  @TempDir Path directory;

  @BeforeEach
  void writeBases() throws IOException {
    write(
        "bases/all.yaml",
        """
        workingDirectory: src
        pm: {directory: pmem}
        environment: {A: all, B: all}
        limits: {time: 1h, images: 10}
        """);
    write(
        "bases/maps.yaml",
        """
        extends: all.yaml
        parameters: {map: btree, operations: 1000}
        environment: {B: maps, C: maps}
        target: {command: [app, "{map}"], timeout: 1m, success: {exit: [0, 1]}}
        recovery: {command: [check, "{map}"], timeout: 5s}
        """);
  }

  @Test
  void shouldMergeMapsAndReplaceListsAndValues() throws Exception {
    Campaign campaign =
        load(
            """
            extends: bases/maps.yaml
            parameters: {map: rbtree}
            environment: {C: campaign}
            target: {success: {exit: [3]}}
            recovery: {timeout: 7s}
            """);

    assertThat(campaign.parameters())
        .isEqualTo(
            Map.of("map", new TextTemplate("rbtree"), "operations", new TextTemplate("1000")));
    assertThat(campaign.environment(campaign.placeholders()))
        .isEqualTo(Map.of("A", "all", "B", "maps", "C", "campaign"));
    assertThat(campaign.target().command()).isEqualTo(CommandTemplate.of("app", "{map}"));
    assertThat(campaign.target().timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(campaign.target().success().exit()).containsExactly(3);
    assertThat(campaign.recovery())
        .singleElement()
        .extracting(RecoveryStep::timeout)
        .isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void shouldResolvePathsInTheFileThatSaysThem() throws Exception {
    Campaign campaign = load("extends: bases/maps.yaml\n");

    assertThat(campaign.workingDirectory()).isEqualTo(directory.resolve("bases/src"));
    assertThat(campaign.pm().directory()).contains(directory.resolve("bases/pmem"));
  }

  @Test
  void shouldTakeNameAndDirectoryFromTheOutermostFile() throws Exception {
    write("bases/nameless.yaml", CampaignFixtures.LEAST);

    Campaign campaign = load("extends: bases/nameless.yaml\n");

    assertThat(campaign.name()).isEqualTo("campaign");
    assertThat(campaign.workingDirectory()).isEqualTo(directory);
  }

  @Test
  void shouldTakeBackAnInheritedValueWithNull() throws Exception {
    Campaign campaign =
        load("extends: bases/maps.yaml\nlimits: {time: null}\nenvironment: {A: null}\n");

    assertThat(campaign.limits().time()).isEmpty();
    assertThat(campaign.limits().images()).isEqualTo(Optional.of(10));
    assertThat(campaign.environment()).containsOnlyKeys("B", "C");
  }

  @Test
  void shouldReplaceOneStepByAList() throws Exception {
    Campaign campaign =
        load(
            """
            extends: bases/maps.yaml
            recovery: [{name: a, command: [a]}, {name: b, command: [b]}]
            """);

    assertThat(campaign.recovery()).extracting(RecoveryStep::name).containsExactly("a", "b");
  }

  @Test
  void shouldGoThroughLinksAndDetours() throws Exception {
    Campaign campaign = load("extends: bases/../bases/./maps.yaml\n");

    assertThat(campaign.recovery()).hasSize(1);
  }

  private Campaign load(String text) {
    return CampaignFixtures.load(directory, text);
  }

  private void write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
