// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.campaign.loading.CampaignSchema;
import io.powercut.campaign.loading.CampaignTemplate;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that were renamed: the former names still work, with a warning. */
class CampaignFormerNamesTest {
  private static final String FORMER =
      """
      target: {command: [app]}
      recovery: {command: [check]}
      secondCrash: {images: 7}
      crashStates: {guaranteed: false, oneLineEarly: false}
      """;

  @TempDir Path directory;

  private final List<String> warnings = new ArrayList<>();

  @Test
  void shouldBindAFormerName() throws IOException {
    Campaign campaign = load(FORMER);

    assertThat(campaign.recoveryCrash().images()).isEqualTo(7);
    assertThat(campaign.crashStates().persistedOnly()).isFalse();
    assertThat(campaign.crashStates().earlyEviction()).isFalse();
  }

  @Test
  void shouldWarnOfAFormerNameWithItsPlaceAndThePresentName() throws IOException {
    load(FORMER);

    assertThat(warnings)
        .containsExactly(
            directory
                + "/a.yaml:3:1: secondCrash: is deprecated; the key is now called"
                + " 'recoveryCrash'",
            directory
                + "/a.yaml:4:15: crashStates.guaranteed: is deprecated; the key is now called"
                + " 'persistedOnly'",
            directory
                + "/a.yaml:4:34: crashStates.oneLineEarly: is deprecated; the key is now"
                + " called 'earlyEviction'");
  }

  @Test
  void shouldNotWarnOfPresentNames() throws IOException {
    load(
        FORMER
            .replaceAll("(?m)^(secondCrash|crashStates).*\n", "recoveryCrash: {images: 7}\n")
            .replaceFirst("recoveryCrash.*\n", ""));

    assertThat(warnings).isEmpty();
  }

  @Test
  void shouldOverrideAnInheritedFormerName() throws IOException {
    Files.writeString(directory.resolve("base.yaml"), FORMER);

    Campaign campaign = load("extends: base.yaml\nrecoveryCrash: {images: 9}\n");

    assertThat(campaign.recoveryCrash().images()).isEqualTo(9);
    assertThat(warnings).hasSize(3).first().asString().contains("/base.yaml:3:1: secondCrash");
  }

  @ParameterizedTest
  @ValueSource(strings = {"secondCrash.images=9", "secondCrash={images: 9}"})
  void shouldSetAKeyByItsFormerName(String override) throws IOException {
    String present = FORMER.replace("secondCrash", "recoveryCrash").replaceAll("crashStates.*", "");

    assertThat(load(present, override).recoveryCrash().images()).isEqualTo(9);
    assertThat(warnings)
        .containsExactly(
            "--set "
                + override
                + ": secondCrash: is deprecated; the key is now called"
                + " 'recoveryCrash'");
  }

  @Test
  void shouldSetFormerNamesInAValue() throws IOException {
    Campaign campaign = load(CampaignFixtures.LEAST, "crashStates={oneLineEarly: false}");

    assertThat(campaign.crashStates().earlyEviction()).isFalse();
    assertThat(warnings).singleElement().asString().contains("crashStates.oneLineEarly");
  }

  @Test
  void shouldRefuseBothNames() {
    CampaignException mistakes =
        catchThrowableOfType(
            CampaignException.class,
            () -> load(CampaignFixtures.LEAST + "recoveryCrash: {}\nsecondCrash: {}\n"));

    assertThat(mistakes.problems())
        .singleElement()
        .satisfies(
            mistake -> {
              assertThat(mistake.key()).isEqualTo("secondCrash");
              assertThat(mistake.line()).isPositive();
              assertThat(mistake.message())
                  .isEqualTo(
                      "is the former name of 'recoveryCrash', which is given as well; remove this"
                          + " one");
            });
  }

  @Test
  void shouldShowOnlyPresentNames() throws IOException {
    String page = Files.readString(PowercutHome.find().resolve("docs/campaign-file.md"));
    Path template = directory.resolve("template.yaml");
    CampaignTemplate.write(template, Optional.empty(), Optional.empty());

    for (String text :
        List.of(
            CampaignSchema.toJson(),
            page,
            Files.readString(template),
            CampaignWriter.toYaml(load(FORMER)))) {
      assertThat(text)
          .contains("recoveryCrash", "earlyEviction", "persistedOnly")
          .doesNotContain("secondCrash", "oneLineEarly", "guaranteed");
    }
  }

  private Campaign load(String campaign, String... overrides) throws IOException {
    Path file = directory.resolve("a.yaml");
    Files.writeString(file, campaign);
    return CampaignLoader.load(
        file, List.of(overrides), warning -> warnings.add(warning.toString()));
  }
}
