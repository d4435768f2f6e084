// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.inspection;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program says when it is asked for help, as far as it has one of the usual forms: {@code
 * usage: app create|check FILE}, {@code {create,check}}, a list below {@code Commands:}, or one
 * line for each way to call it.
 */
final class HelpText {
  private static final String WORD = "[a-z][a-z0-9_-]*";
  private static final Pattern ALTERNATIVES =
      Pattern.compile("(?<![\\w=.-])" + WORD + "(?:\\|" + WORD + ")+(?![\\w=])");
  private static final Pattern BRACES = Pattern.compile("\\{" + WORD + "(?:," + WORD + ")+\\}");
  private static final Pattern HEADING =
      Pattern.compile("(?i)^.*\\b(?:sub-?)?(?:commands?|actions?)\\b[^a-z]*$");
  private static final Pattern LISTED =
      Pattern.compile("^\\s+(" + WORD + ")\\b(?:\\s{2,}.*|\\s*)$");
  private static final Pattern FILE_WORD =
      Pattern.compile("(?i)[<\\[{]?\\b(file|pool|path|pool[-_]?file|db|database|image)\\b[>\\]}]?");
  private static final Pattern DIRECTORY_WORD =
      Pattern.compile("(?i)[<\\[{]?\\b(dir|directory|folder|data[-_]?dir)\\b[>\\]}]?");
  private static final Pattern COUNT_WORD =
      Pattern.compile("(?:[<\\[]|\\b)(N|n|COUNT|count|OPS|ops|OPERATIONS|operations|NUM|num)\\b");

  private static final List<String> CREATING =
      List.of(
          "create", "init", "initialise", "initialize", "format", "mkfs", "setup", "new", "make");
  private static final List<String> WORKING =
      List.of(
          "run", "work", "bench", "insert", "put", "add", "append", "load", "fill", "write", "set",
          "update", "exec", "start", "serve", "test");
  private static final List<String> CHECKING =
      List.of(
          "check",
          "verify",
          "fsck",
          "validate",
          "recover",
          "audit",
          "consistency",
          "dump",
          "read",
          "list",
          "scan",
          "get",
          "open",
          "info");

  private final String text;
  private final Set<String> commands;

  /**
   * @param text as it was printed
   * @param program its name; lines that begin with it show how it is called
   */
  HelpText(String text, String program) {
    this.text = text;
    this.commands = commands(text, program);
  }

  /** Its sub-commands, in the order in which they are named. */
  Set<String> commands() {
    return commands;
  }

  /** The sub-command that creates its files. */
  Optional<String> creating() {
    return first(CREATING);
  }

  /** The sub-command that works on them. */
  Optional<String> working() {
    return first(WORKING);
  }

  /** The sub-command that says whether they are sound. */
  Optional<String> checking() {
    return first(CHECKING);
  }

  /** What it wants to be given: the directory itself, or a file in it. */
  boolean wantsDirectory() {
    return DIRECTORY_WORD.matcher(text).find() && !FILE_WORD.matcher(text).find();
  }

  /** Whether the line of a sub-command has a number of operations behind the file. */
  boolean wantsCount(String command) {
    return text.lines()
        .filter(
            line -> Pattern.compile("\\b" + Pattern.quote(command) + "\\b").matcher(line).find())
        .anyMatch(
            line -> {
              Matcher file = FILE_WORD.matcher(line);
              return file.find()
                  && COUNT_WORD.matcher(line).region(file.end(), line.length()).find();
            });
  }

  private Optional<String> first(List<String> wanted) {
    return wanted.stream()
        .flatMap(
            word -> commands.stream().filter(one -> one.equals(word) || one.startsWith(word + "-")))
        .findFirst();
  }

  private static Set<String> commands(String text, String program) {
    Set<String> found = new LinkedHashSet<>();
    addAll(ALTERNATIVES, "\\|", text, found);
    addAll(BRACES, ",", text.replace('\n', ' '), found);
    Pattern call =
        Pattern.compile("(?:^|[\\s/])" + Pattern.quote(program) + "\\s+(" + WORD + ")(?=\\s|$)");
    boolean isList = false;
    for (String line : text.lines().toList()) {
      Matcher called = call.matcher(line);
      if (called.find()) {
        found.add(called.group(1));
      }
      Matcher listed = LISTED.matcher(line);
      if (isList && listed.matches()) {
        found.add(listed.group(1));
      } else {
        isList = (isList && line.isBlank()) || HEADING.matcher(line).matches();
      }
    }
    return found;
  }

  private static void addAll(Pattern pattern, String separator, String text, Set<String> found) {
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      for (String word : matcher.group().replaceAll("[{}]", "").split(separator, -1)) {
        found.add(word.toLowerCase(Locale.ROOT));
      }
    }
  }
}
