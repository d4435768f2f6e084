// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The terms of docs/glossary.md in the pages and in the messages of the main sources: none of the
 * words that they replaced may come back.
 */
class TermsTest {
  private static final Path HOME = PowercutHome.find();

  /** Phrases that are not used, and what to write instead. */
  private static final Map<Pattern, String> INSTEAD = new LinkedHashMap<>();

  static {
    instead("pending (?:stores?|lines?|data)", "in-flight store, line in flight");
    instead("guaranteed", "persisted");
    instead("images? of program order", "program-order image");
    instead("one-line-early|oneLineEarly", "early-eviction, earlyEviction");
    instead("second crash(?:es)?|secondCrash", "crash during recovery, recoveryCrash");
    instead("quiet points?", "quiescent point");
    instead("planted bugs?", "mutant");
    instead("visits?", "occurrence");
    instead("expected is", "expected");
    instead("recovery said no", "recovery failed");
    instead("(?:when )?asked twice", "on a second run");
    instead("in front of", "before");
    instead("mend(?:s|ed)?", "fix");
    instead("copes?(?: with)?", "succeed");
    instead("(?:is|are|was|were|had|has) told", "reported");
    instead("by chance", "at random");
    instead("whoever|Who (?:has|is|does|[a-z]+es)", "a subject: 'a campaign that ...'");
    instead("all the same", "nevertheless");
  }

  /**
   * Packages whose literals are exempt: fingerprints are made of former wordings; the summary of
   * mutants still has its former words.
   */
  private static final Set<String> EXEMPT = Set.of("report/identity");

  private static final Pattern LITERAL =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*",
          Pattern.DOTALL);
  private static final Pattern NO_LITERAL =
      Pattern.compile("/\\*.*?\\*/|^\\s*//[^\n]*|'\\\\?\"'", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern CODE = Pattern.compile("```.*?```|`[^`]*`", Pattern.DOTALL);
  private static final Pattern TEMPLATE_CODE = Pattern.compile("[$!]\\{[^}]*}|@[^\n]*");

  private static void instead(String phrase, String replacement) {
    INSTEAD.put(Pattern.compile("(?<![\\w-])(?:" + phrase + ")(?![\\w-])"), replacement);
  }

  private static List<String> banned(String text) {
    String line = text.replaceAll("\\s+", " ");
    return INSTEAD.entrySet().stream()
        .flatMap(
            entry ->
                entry
                    .getKey()
                    .matcher(line)
                    .results()
                    .map(MatchResult::group)
                    .map(found -> "'" + found + "': write " + entry.getValue()))
        .toList();
  }

  private static Stream<Path> files(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList().stream();
    }
  }

  private static List<Path> sources(String suffix) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(HOME)) {
      for (Path module : modules.map(one -> one.resolve("src/main")).toList()) {
        if (Files.isDirectory(module)) {
          files(module, suffix).forEach(sources::add);
        }
      }
    }
    return sources;
  }

  private static List<String> pages() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Path> pages = new ArrayList<>(files(HOME.resolve("docs"), ".md").toList());
    pages.addAll(List.of(HOME.resolve("README.md"), HOME.resolve("CONTRIBUTING.md")));
    for (Path page : pages) {
      String prose = CODE.matcher(Files.readString(page)).replaceAll("");
      banned(prose).forEach(one -> wrong.add(HOME.relativize(page) + ": " + one));
    }
    return wrong;
  }

  /** The literals of Java text with a space in them: others are names. */
  private static List<String> messages(String java) {
    return LITERAL
        .matcher(NO_LITERAL.matcher(java).replaceAll(" "))
        .results()
        .map(literal -> JOINT.matcher(literal.group()).replaceAll(""))
        .filter(literal -> literal.strip().contains(" "))
        .toList();
  }

  @Test
  void pagesShouldUseTheTermsOfTheGlossary() throws IOException {
    assertThat(pages()).isEmpty();
  }

  @Test
  void messagesShouldUseTheTermsOfTheGlossary() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Path> sources = sources(".java");
    for (Path source : sources) {
      String name = HOME.relativize(source).toString();
      if (EXEMPT.stream().noneMatch(one -> name.contains("io/powercut/" + one + "/"))) {
        String text = messages(Files.readString(source)).stream().collect(Collectors.joining("\n"));
        banned(text).forEach(one -> wrong.add(name + ": " + one));
      }
    }
    for (Path template : sources(".jte")) {
      String text = TEMPLATE_CODE.matcher(Files.readString(template)).replaceAll("");
      banned(text).forEach(one -> wrong.add(HOME.relativize(template) + ": " + one));
    }
    assertThat(sources).hasSizeGreaterThan(300);
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "the image of program  order        | program-order image",
        "a second crash in recovery         | crash during recovery",
        "at the third visit                 | occurrence",
        "cut in front of clwb               | before"
      })
  void bannedPhraseShouldNameItsReplacement(String text, String replacement) {
    assertThat(banned(text)).singleElement().asString().contains("write " + replacement);
  }

  @Test
  void literalsShouldBeReadAcrossConcatenations() {
    assertThat(messages("f(\"cut in \"\n    + \"front of\");\n // \"at a visit\"\n /* \"a b\" */"))
        .containsExactly("\"cut in front of\"");
  }

  @Test
  void otherWordsShouldPass() {
    assertThat(banned("2 visited, recommended, a scope with, beforehand, untold")).isEmpty();
  }
}
