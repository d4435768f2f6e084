// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextTemplateTest {
  private static final Placeholders VALUES =
      Placeholders.of(
              Map.of(
                  "map", new TextTemplate("btree"),
                  "pool", new TextTemplate("{pm}/pool"),
                  "brace", new TextTemplate("{{x}"),
                  "dollar", new TextTemplate("$1\\"),
                  "nested", new TextTemplate("{map}")))
          .withPm(Path.of("/pm"))
          .withRun(Path.of("/run"))
          .withHome(Path.of("/home"))
          .withPort(4711);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain             | plain
          {pm}/x            | /pm/x
          {pm}{run}{home}   | /pm/run/home
          127.0.0.1:{port}  | 127.0.0.1:4711
          {map}             | btree
          {pool}            | /pm/pool
          {{pm}             | {pm}
          {{{pm}}           | {/pm}
          a}b}}             | a}b}}
          {brace}           | {x}
          {dollar}          | $1\\
          awk '{{print $1}' | awk '{print $1}'
          """)
  void shouldReplacePlaceholders(String text, String expanded) {
    assertThat(new TextTemplate(text.strip()).expand(VALUES)).isEqualTo(expanded.strip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "a{", "{}", "{a b}", "{1}", "{{{", "{-}", "{pm"})
  void shouldRefuseBracesThatBeginNothing(String text) {
    assertThatThrownBy(() -> new TextTemplate(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not begin a placeholder; write {{ for a literal brace");
  }

  @Test
  void shouldRefuseWhatHasNoValue() {
    assertThatThrownBy(() -> new TextTemplate("{x}").expand(VALUES))
        .hasMessage("the placeholder {x} has no value here");
    assertThatThrownBy(() -> new TextTemplate("{nested}").expand(VALUES))
        .hasMessage("the placeholder {map} has no value here");
  }

  @Test
  void shouldTellItsPlaceholders() {
    assertThat(CommandTemplate.of("a", "{pm}{{no}", "{port}", "{pm}").placeholders())
        .containsExactly("pm", "port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "{", "{pm}", "{{", "}"})
  void shouldQuoteLiterals(String text) {
    assertThat(TextTemplate.literal(text).expand(VALUES)).isEqualTo(text);
  }

  @Test
  void shouldExpandCommandsArgumentByArgument() {
    assertThat(CommandTemplate.of("app", "{pool}", "a b").expand(VALUES))
        .containsExactly("app", "/pm/pool", "a b");
  }

  @Test
  void shouldFindExpressionsOnAnyLine() {
    Regex regex = new Regex("^ready$");

    assertThat(regex.isFoundIn("starting\nready\n")).isTrue();
    assertThat(regex.isFoundIn("already\n")).isFalse();
  }
}
