// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.binding.Descriptions;
import io.powercut.campaign.binding.KeyDescription;
import io.powercut.campaign.template.Placeholder;
import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/campaign-file.md against the records. {@code mvn test -Dpowercut.regenerate=true} writes its
 * tables anew.
 */
class CampaignDocumentationTest {
  private static final Path DOCUMENT = PowercutHome.find().resolve("docs/campaign-file.md");
  private static final Pattern TABLE =
      Pattern.compile("<!-- begin (\\w+) -->\n(.*?)<!-- end \\1 -->", Pattern.DOTALL);
  private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @TempDir Path directory;

  @Test
  void shouldHaveATableOfEverySection() throws IOException {
    Set<String> tables =
        TABLE
            .matcher(Files.readString(DOCUMENT))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());

    assertThat(sections())
        .extracting(Class::getSimpleName)
        .allSatisfy(section -> assertThat(tables).contains(section));
  }

  @Test
  void shouldSayOfEveryKeyWhatTheRecordsSay() throws IOException {
    String document = Files.readString(DOCUMENT);
    String generated =
        TABLE
            .matcher(document)
            .replaceAll(
                match ->
                    Matcher.quoteReplacement(
                        String.format(
                            "<!-- begin %1$s -->\n%2$s<!-- end %1$s -->",
                            match.group(1), table(match.group(1)))));
    if (Boolean.getBoolean("powercut.regenerate")) {
      Files.writeString(DOCUMENT, generated);
    }

    assertThat(Files.readString(DOCUMENT)).isEqualTo(generated);
  }

  @Test
  void shouldShowExamplesThatLoad() throws IOException {
    Matcher examples = EXAMPLE.matcher(Files.readString(DOCUMENT));
    int loaded = 0;
    while (examples.find()) {
      String rest =
          CampaignFixtures.LEAST
              .lines()
              .filter(line -> !examples.group(1).contains(line.substring(0, line.indexOf(':') + 1)))
              .collect(Collectors.joining("\n"));
      assertThat(CampaignFixtures.load(directory, examples.group(1) + rest)).isNotNull();
      loaded++;
    }
    assertThat(loaded).isGreaterThanOrEqualTo(3);
  }

  private static Set<Class<?>> sections() {
    Set<Class<?>> sections = new LinkedHashSet<>();
    collect(Campaign.class, sections);
    return sections;
  }

  private static void collect(Class<?> section, Set<Class<?>> sections) {
    if (sections.add(section)) {
      KeyDescription.of(section)
          .forEach(key -> key.section().ifPresent(inner -> collect(inner, sections)));
    }
  }

  private static String table(String name) {
    return name.equals("placeholders")
        ? placeholders()
        : sections().stream()
            .filter(section -> section.getSimpleName().equals(name))
            .map(CampaignDocumentationTest::table)
            .findFirst()
            .orElseThrow();
  }

  private static String placeholders() {
    return rows(
        List.of("placeholder", "stands for"),
        Arrays.stream(Placeholder.values())
            .map(placeholder -> List.of("`{" + placeholder.key() + "}`", placeholder.meaning()))
            .toList());
  }

  private static String table(Class<?> section) {
    return rows(
        List.of("key", "value", "default", "meaning"),
        KeyDescription.of(section).stream()
            .map(
                key ->
                    List.of(
                        "`" + key.name() + "`",
                        Descriptions.type(key),
                        Descriptions.defaultValue(key),
                        Descriptions.of(key) + example(key)))
            .toList());
  }

  private static String example(KeyDescription key) {
    return Descriptions.example(key).map(example -> " For example `" + example + "`.").orElse("");
  }

  private static String rows(List<String> heading, List<List<String>> rows) {
    StringBuilder table = new StringBuilder(row(heading));
    table.append(row(heading.stream().map(column -> "---").toList()));
    rows.forEach(row -> table.append(row(row)));
    return table.toString();
  }

  private static String row(List<String> cells) {
    return "| "
        + cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | "))
        + " |\n";
  }
}
