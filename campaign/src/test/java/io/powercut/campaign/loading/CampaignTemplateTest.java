// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.CampaignFixtures;
import io.powercut.campaign.CampaignProblem;
import io.powercut.campaign.binding.KeyDescription;
import io.powercut.campaign.sections.RecoveryStep;
import io.powercut.campaign.template.CommandTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignTemplateTest {
  @TempDir Path directory;

  @Test
  void shouldLoadWithDefaultsWhenTheProgramIsKnown() throws IOException {
    Path file = directory.resolve("my-app.yaml");
    CampaignTemplate.write(file, Optional.empty(), Optional.of("./my-app"));

    Campaign campaign = CampaignLoader.load(file);

    assertThat(campaign)
        .isEqualTo(
            CampaignFixtures.load(
                directory,
                """
                name: my-app
                target: {command: [./my-app, run, "{pm}/pool"]}
                recovery: {command: [./my-app, check, "{pm}/pool"]}
                """));
  }

  @Test
  void shouldAskForNothingButTheCommandsWhenTheProgramIsNotKnown() throws Exception {
    Path file = directory.resolve("app.yaml");
    CampaignTemplate.write(file, Optional.empty(), Optional.empty());

    CampaignException failure =
        catchThrowableOfType(CampaignException.class, () -> CampaignLoader.load(file));

    assertThat(failure.problems())
        .extracting(CampaignProblem::key)
        .containsExactly("target.command", "recovery.command");
    assertThat(failure.problems()).allMatch(problem -> problem.message().startsWith("is empty"));
  }

  @Test
  void shouldLoadWithEverythingUncommented() {
    String uncommented =
        CampaignTemplate.render("app", Optional.of("./app"))
            .lines()
            .map(line -> line.replaceFirst("^#(?=\\S|  +[a-zA-Z]+: )", ""))
            .collect(Collectors.joining("\n"));

    Campaign campaign = CampaignFixtures.load(directory, uncommented);

    assertThat(campaign.target().isServer()).isTrue();
    assertThat(campaign.limits().images()).contains(5000);
    assertThat(campaign.setup()).isPresent();
  }

  @Test
  void shouldHaveEveryKey() {
    String text = CampaignTemplate.render("app", Optional.empty());

    assertThat(KeyDescription.of(Campaign.class))
        .allMatch(key -> text.lines().anyMatch(line -> line.matches("#?" + key.name() + ":.*")));
    assertThat(KeyDescription.of(RecoveryStep.class))
        .allMatch(key -> text.contains("  " + key.name() + ": "));
    assertThat(text).doesNotContainPattern("(?m): *$\\R(?! *#? +)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"./a b", "./{x}", "/opt/\"quoted\"/app", "app: x", "-x", "true"})
  void shouldKeepStrangePrograms(String program) {
    Campaign campaign =
        CampaignFixtures.load(directory, CampaignTemplate.render("app", Optional.of(program)));

    CommandTemplate command = campaign.target().command();
    assertThat(command.expand(campaign.placeholders().withPm(directory)).get(0)).isEqualTo(program);
  }

  @ParameterizedTest
  @CsvSource({"My App.yaml, my-app", "a_b.yml, a-b", "ü.yaml, campaign", "plain, plain"})
  void shouldMakeANameFromTheFile(String file, String name) throws Exception {
    assertThat(CampaignTemplate.write(directory.resolve(file), Optional.empty(), Optional.empty()))
        .isEqualTo(name);
  }

  @Test
  void shouldNotOverwrite() throws IOException {
    Path file = directory.resolve("mine.yaml");
    Files.writeString(file, "precious");

    CampaignException failure =
        catchThrowableOfType(
            CampaignException.class,
            () -> CampaignTemplate.write(file, Optional.empty(), Optional.empty()));

    assertThat(failure)
        .hasMessage(file + ": already exists; choose another file, or remove it first");
    assertThat(file).hasContent("precious");
  }

  @Test
  void shouldRefuseABadName() {
    Path file = directory.resolve("app.yaml");

    CampaignException failure =
        catchThrowableOfType(
            CampaignException.class,
            () -> CampaignTemplate.write(file, Optional.of("My App"), Optional.empty()));

    assertThat(failure)
        .hasMessage(file + ": name: 'My App' does not match [a-z0-9][a-z0-9-]{0,63}");
    assertThat(file).doesNotExist();
  }
}
