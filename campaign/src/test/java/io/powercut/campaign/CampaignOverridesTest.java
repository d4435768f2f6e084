// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.powercut.campaign.sections.RecoveryStep;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.TextTemplate;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CampaignOverridesTest {
  private static final String CAMPAIGN =
      """
      parameters: {map: btree, operations: 1000}
      target: {command: [app, "{map}"]}
      recovery:
        - {name: recover, command: [recover]}
        - {name: check, command: [check]}
      limits: {time: 1h}
      """;

  @TempDir Path directory;

  @Test
  void shouldReplaceValuesOfAnyKind() {
    Campaign campaign =
        load(
            "name=other",
            "parameters.map=rbtree",
            "parameters.operations=0x10",
            "target.timeout=5s",
            "target.command=[app, '{map}', --fast]",
            "recovery.1.timeout=7s",
            "oracle.controls=false",
            "environment.A=x=y");

    assertThat(campaign.name()).isEqualTo("other");
    assertThat(campaign.parameters())
        .containsEntry("map", new TextTemplate("rbtree"))
        .containsEntry("operations", new TextTemplate("0x10"));
    assertThat(campaign.target().timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(campaign.target().command()).isEqualTo(CommandTemplate.of("app", "{map}", "--fast"));
    assertThat(campaign.recovery())
        .extracting(RecoveryStep::timeout)
        .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(7));
    assertThat(campaign.oracle().controls()).isFalse();
    assertThat(campaign.environment()).containsEntry("A", new TextTemplate("x=y"));
  }

  @Test
  void shouldReplaceTheWholeRecovery() {
    assertThat(load("recovery={command: [other]}").recovery())
        .singleElement()
        .extracting(RecoveryStep::command)
        .isEqualTo(CommandTemplate.of("other"));
  }

  @Test
  void shouldLetTheLastOverrideCount() {
    assertThat(load("limits.images=1", "limits.images=2").limits().images()).contains(2);
  }

  @Test
  void shouldTakeBackAValueWithNull() {
    assertThat(load("limits.time=null").limits().time()).isEmpty();
  }

  @Test
  void shouldTakeNothingForAnEmptyString() {
    assertThat(load("parameters.map=").parameters()).containsEntry("map", new TextTemplate(""));
  }

  @Test
  void shouldTakePathsFromTheCurrentDirectory() {
    assertThat(load("workingDirectory=src").workingDirectory())
        .isEqualTo(Path.of("src").toAbsolutePath());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          target                | is not KEY=VALUE; write for example --set target.timeout=5m
          =5                    | is not KEY=VALUE; write for example --set target.timeout=5m
          target..timeout=5s    | is not KEY=VALUE; write for example --set target.timeout=5m
          target.timeuot=5s     | target.timeuot: is not a key; did you mean 'timeout'?
          target.timeout=5      | target.timeout: '5' is not a duration; write for example 10m, 90s or 1h30m
          target.timeout=[5     | target.timeout: is not valid YAML: the list begins on line 1, column 1, and goes on with a comma or ends with ]
          target.command=app    | target.command: must be a list of arguments, not 'app'; write [app], or [sh, -c, "..."] if it needs a shell
          limits=3              | limits: must be a map of keys and values, not a number
          limits.time.hours=3   | limits.time: must be a duration, not a map of keys and values
          parameters.mpa=x      | parameters.mpa: is not a parameter of this campaign; did you mean 'map'?
          parameters.map=[x]    | parameters.map: must be a string, not a list
          recovery.2.timeout=1s | recovery.2.timeout: is a list of 2; '2' is not one of its elements, which are numbered from 0
          recovery.timeout=1s   | recovery.timeout: is a list of 2; 'timeout' is not one of its elements, which are numbered from 0
          extends=other.yaml    | extends: cannot be set here; write a file that extends another one
          parameters.map={x}    | parameters.map: must be a string, not a map: YAML takes {x} without quotes for one; write "{x}"
          parameters.map="{x}"  | parameters.map: {x} is not a placeholder; known here: pm, port, run, home, acknowledged (a literal brace is {{)
          """)
  void shouldNameTheOverrideThatIsWrong(String override, String message) {
    CampaignException failure = catchThrowableOfType(CampaignException.class, () -> load(override));

    assertThat(failure).hasMessage("--set " + override + ": " + message);
  }

  private Campaign load(String... overrides) {
    return CampaignFixtures.load(directory, CAMPAIGN, overrides);
  }
}
