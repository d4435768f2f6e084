// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlReaderTest {
  private final List<String> problems = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "x, STRING, x",
    "'\"5\"', STRING, 5",
    "5, NUMBER, 5",
    "0x10, NUMBER, 0x10",
    "1e3, NUMBER, 1e3",
    "true, BOOLEAN, true",
    "yes, STRING, yes",
    "on, STRING, on",
    "null, NULL, null",
    "~, NULL, ~",
    "'', EMPTY, ''",
    "'\"\"', STRING, ''",
    "2026-01-01, STRING, 2026-01-01"
  })
  void shouldKeepScalarsAsWritten(String yaml, Kind kind, String text) throws Exception {
    Scalar scalar = (Scalar) read("key: " + yaml).get("key").orElseThrow();

    assertThat(scalar.kind()).isEqualTo(kind);
    assertThat(scalar.text()).isEqualTo(text);
  }

  @Test
  void shouldKnowWhereEverythingIs() throws Exception {
    Mapping root = read("a: 1\nb:\n  - x\n  - {c: d}\n");
    Sequence list = (Sequence) root.get("b").orElseThrow();
    Mapping inner = (Mapping) list.items().get(1);

    assertThat(place(root.get("a").orElseThrow())).isEqualTo("1:4");
    assertThat(place(list.items().get(0))).isEqualTo("3:5");
    assertThat(place(inner)).isEqualTo("4:5");
    assertThat(inner.entries().values())
        .extracting(entry -> entry.keyOrigin().column())
        .containsExactly(6);
    assertThat(place(inner.get("c").orElseThrow())).isEqualTo("4:9");
  }

  @Test
  void shouldReportDuplicatesAndKeepTheFirst() throws Exception {
    Mapping root = read("a: 1\nb: 2\na: 3\n");

    assertThat(problems).containsExactly("3:1 a is given twice, first on line 1");
    assertThat(((Scalar) root.get("a").orElseThrow()).text()).isEqualTo("1");
  }

  @Test
  void shouldMergeMapsKeyByKey() throws Exception {
    Mapping base = read("a: {x: 1, y: 2}\nb: [1, 2]\nc: 3\n");
    Mapping merged = read("a: {y: 9}\nb: [5]\n").over(base);

    assertThat(merged.entries().keySet()).containsExactly("a", "b", "c");
    assertThat(((Mapping) merged.get("a").orElseThrow()).entries().keySet())
        .containsExactly("x", "y");
    assertThat(((Sequence) merged.get("b").orElseThrow()).items()).hasSize(1);
  }

  private Mapping read(String text) throws YamlSyntaxException {
    Origin start = Origin.startOf(Path.of("test.yaml"));
    return (Mapping)
        YamlReader.read(
                text,
                start,
                (origin, key, message) ->
                    problems.add(origin.line() + ":" + origin.column() + " " + key + " " + message))
            .orElseThrow();
  }

  private static String place(YamlNode node) {
    return node.origin().line() + ":" + node.origin().column();
  }
}
