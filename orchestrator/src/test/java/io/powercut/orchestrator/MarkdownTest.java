// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links, line widths and lengths of sentences, on all pages. */
class MarkdownTest {
  private static final Path HOME = PowercutHome.find();
  private static final Set<String> BUILT = Set.of("target", "build", "powercut-runs", ".git");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final int WIDTH = 120;
  private static final int MOST_WORDS = 25;

  /** Where a paragraph or an item begins. */
  private static final Pattern PARAGRAPH =
      Pattern.compile("\\n\\s*\\n|\\n(?= *[-*] | *\\d+\\. |[|>])");

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])[\"*)]*\\s|\\s·\\s");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  /** With more pieces of code, a sentence is a list. */
  private static final int CODE_OF_A_LIST = 5;

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(HOME)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> Stream.of(names(file)).noneMatch(BUILT::contains))
          .toList();
    }
  }

  private static String[] names(Path file) {
    return HOME.relativize(file).toString().split("/");
  }

  /** Its lines; those of code are empty. */
  private static List<String> lines(Path page) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean isCode = false;
    for (String line : Files.readAllLines(page)) {
      boolean isFence = line.strip().startsWith("```");
      isCode ^= isFence;
      lines.add(isCode || isFence ? "" : line);
    }
    return lines;
  }

  @Test
  void pagesShouldBeWrapped() throws IOException {
    List<String> wide = new ArrayList<>();
    List<Path> pages = pages();
    for (Path page : pages) {
      List<String> lines = lines(page);
      for (int index = 0; index < lines.size(); index++) {
        String line = lines.get(index);
        if (!line.startsWith("|") && line.codePointCount(0, line.length()) > WIDTH) {
          wide.add(HOME.relativize(page) + ":" + (index + 1));
        }
      }
    }
    assertThat(pages).hasSizeGreaterThan(20);
    assertThat(wide).isEmpty();
  }

  @Test
  void sentencesShouldBeShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path page : pages()) {
      List<String> lines =
          lines(page).stream().map(line -> line.startsWith("#") ? "" : line).toList();
      for (String paragraph : PARAGRAPH.split(String.join("\n", lines))) {
        if (!paragraph.startsWith("|")) {
          SENTENCE_END
              .splitAsStream(
                  paragraph.strip().replaceAll("\\s+", " ").replaceAll("\\]\\([^)]*\\)", "]"))
              .filter(MarkdownTest::isTooLong)
              .map(sentence -> HOME.relativize(page) + ": " + sentence)
              .forEach(tooLong::add);
        }
      }
    }
    assertThat(tooLong).isEmpty();
  }

  private static boolean isTooLong(String sentence) {
    return CODE.matcher(sentence).results().count() < CODE_OF_A_LIST
        && CODE.matcher(sentence).replaceAll("code").split(" ").length > MOST_WORDS;
  }

  @Test
  void linksShouldLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (String line : lines(page)) {
        for (MatchResult link : LINK.matcher(line).results().toList()) {
          if (!leadsSomewhere(page, link.group(1))) {
            broken.add(HOME.relativize(page) + ": " + link.group(1));
          }
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    if (link.startsWith("https://")) {
      return true;
    }
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file);
    if (!Files.exists(target)) {
      return false;
    }
    return hash < 0
        || lines(target).stream()
            .filter(line -> line.startsWith("#"))
            .anyMatch(heading -> anchor(heading).equals(link.substring(hash + 1)));
  }

  /** As GitHub makes it. */
  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  @Test
  void architectureShouldNameTheNativePartOfEachModule() throws IOException {
    String page = Files.readString(HOME.resolve("docs/architecture.md"));
    try (Stream<Path> modules = Files.list(HOME)) {
      assertThat(modules.filter(module -> Files.exists(module.resolve("native/Makefile"))))
          .isNotEmpty()
          .allSatisfy(
              module -> assertThat(page).contains("- `" + module.getFileName() + "/native`:"));
    }
  }
}
