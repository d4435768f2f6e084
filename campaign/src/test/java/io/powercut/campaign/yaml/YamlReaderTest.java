// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  /** A person knows of tabs and columns, and not of the parser's tokens. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a:\\n\\tb: c            | 2:1  | a tab stands here; write spaces instead
          a:\\n  b: c\\n   d: e   | 3:5  | this line is not indented as its neighbours
          ' a: b\\nc: d'         | 2:1  | this line is not indented as its neighbours
          a: b\\nc: "d\\ne: f\\n   | 2:4  | the quote that begins here has no end
          a: b: c               | 1:5  | a colon with a space stands within a value; write the value in quotes
          a:\\u00a0b\\nc:\\u00a0{d: e} | 2:6 | the line has a no-break space (U+00A0)
          a: [b, c              | 1:9  | the list begins on line 1, column 4, and goes on with a comma
          a: {b: [c}            | 1:10 | the list begins on line 1, column 8
          a: {b: c              | 1:9  | the map begins on line 1, column 4
          """)
  void shouldSayInPlainWordsWhatIsNotYaml(String yaml, String place, String words) {
    String text = yaml.replace("\\n", "\n").replace("\\t", "\t").replace("\\u00a0", "\u00a0");

    assertThatThrownBy(() -> read(text))
        .isInstanceOfSatisfying(
            YamlSyntaxException.class,
            thrown ->
                assertThat(thrown.origin().line() + ":" + thrown.origin().column())
                    .isEqualTo(place))
        .hasMessageContaining(words);
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
