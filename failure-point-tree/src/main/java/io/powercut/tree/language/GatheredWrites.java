// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Functions in C and C++ that gather what they are given before they write it: buffers in a list
 * for {@code writev}, or values in a line of text. What they write is what they were given.
 */
public final class GatheredWrites {
  private static final Pattern LIST =
      Pattern.compile(
          "(?:(?:struct\\s+|::\\s*)|(?<![\\w:]))iovec\\s+(?<name>\\w+)\\s*(?:\\[[^\\]]*\\])?\\s*"
              + "(?:=\\s*\\{(?<all>(?:[^{};]++|\\{[^{};]*+\\})*+)\\})?\\s*;");

  private static final Pattern ELEMENT = Pattern.compile("\\{(?<element>[^{}]*)\\}");

  private static final Pattern MEMBER =
      Pattern.compile("^\\s*(?:\\[\\w*\\]\\s*=\\s*)?(?:\\.\\s*iov_(?:base|len)\\s*=)?");

  /** Not within the arguments of another call. */
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

  private static final Pattern CAST =
      Pattern.compile("\\(\\s*[\\w\\s]+\\*+\\s*\\)|\\w+_cast\\s*<[^<>]*>");

  private static final Pattern BUFFER =
      Pattern.compile(
          "[\\s(]*(?<address>&\\s*)?(?<name>\\w+)(?:\\s*\\.\\s*(?:\\w+\\(\\s*\\)|first))?[\\s)]*");

  /** Computed of numbers and variables alone. */
  private static final Pattern LENGTH =
      Pattern.compile("(?:[\\w\\s()+*-]|\\.\\s*(?:size|length|second)\\b)+(?<!\\+\\+)(?<!--)");

  private static final Pattern ROOM =
      Pattern.compile("(?<=^|[;{}])\\s*char\\s+(?<name>\\w+)\\s*\\[[^\\]]*\\]\\s*;");

  private static final Pattern PRINT =
      Pattern.compile(
          "(?<=^|[;{}])\\s*(?:(?:const\\s+)?(?:(?:int|auto|ssize_t|size_t|long)\\s+)?(?<length>\\w+)\\s*=\\s*)?"
              + "(?:std::)?(?<function>v?sn?printf)\\s*\\((?<arguments>(?:[^();]++|\\([^();]*+\\))*+)\\)\\s*;");

  private static final Pattern SIZED = Pattern.compile("v?snprintf");

  private static final Pattern NO_WORD = Pattern.compile("\\W+");

  /** A number, or a type that something is converted to. */
  private static final Pattern VALUE =
      Pattern.compile(
          "\\d\\w*|unsigned|signed|int|long|short|char|const|void|double|float|u?int\\w*_t|s?size_t|off_t|uintptr_t");

  private String text;
  private final Set<String> given;

  private GatheredWrites(String text, Set<String> given) {
    this.text = text;
    this.given = new HashSet<>(given);
  }

  /**
   * The body of a function that writes these without gathering them.
   *
   * @param text between the braces, without comments and texts
   * @param given names of what it is given, and what is computed of that
   */
  public static GatheredWrites in(String text, Set<String> given) {
    GatheredWrites writes = new GatheredWrites(text, given);
    if (text.contains("iovec")) {
      writes.findLists();
    }
    if (text.contains("printf")) {
      writes.findTexts();
    }
    return writes;
  }

  /** What the function does, where one buffer stands for all that are in a list. */
  public String text() {
    return text;
  }

  /** The names of what it is given, with those of texts that are made of it. */
  public Set<String> given() {
    return Set.copyOf(given);
  }

  private void findLists() {
    for (MatchResult list : LIST.matcher(text).results().toList()) {
      String name = list.group(1);
      Pattern assignment =
          Pattern.compile(
              "(?<=^|[;{}])\\s*"
                  + name
                  + "(?:\\[\\d+\\])?\\s*\\.\\s*iov_(?<member>base|len)\\s*=(?!=)(?<value>[^;{}]*);");
      Pattern write =
          Pattern.compile(
              "(?<!\\w)(?<function>p?write)v(?:64)?\\s*\\((?<file>[^,;]*),\\s*&?\\s*"
                  + name
                  + "(?:\\[0\\])?\\s*,\\s*(?:\\w+|sizeof\\.\\.\\.\\s*\\(\\w+\\))\\s*(?=[,)])");
      List<String> bases = new ArrayList<>();
      List<String> lengths = new ArrayList<>();
      addElements(Optional.ofNullable(list.group(2)).orElse(""), bases, lengths);
      Matcher assigned = assignment.matcher(text);
      while (assigned.find()) {
        (assigned.group("member").equals("base") ? bases : lengths).add(assigned.group("value"));
      }
      Matcher call = write.matcher(text);
      if (bases.isEmpty()
          || bases.size() != lengths.size()
          || !areGiven(bases, lengths)
          || !call.find()) {
        continue;
      }
      String all =
          call.group("function")
              + "("
              + call.group("file")
              + ", "
              + bases.get(0)
              + ", "
              + lengths.get(0);
      String plain = text.substring(0, call.start()) + all + text.substring(call.end());
      text = assignment.matcher(plain.replace(list.group(), "")).replaceAll(" ");
    }
  }

  private static void addElements(String initialiser, List<String> bases, List<String> lengths) {
    List<String> elements =
        initialiser.contains("{")
            ? ELEMENT.matcher(initialiser).results().map(one -> one.group(1)).toList()
            : initialiser.isBlank() ? List.of() : List.of(initialiser);
    for (String element : elements) {
      List<String> parts = Splitter.on(COMMA).splitToList(element);
      bases.add(MEMBER.matcher(parts.get(0)).replaceFirst(""));
      if (parts.size() > 1) {
        lengths.add(MEMBER.matcher(parts.get(1)).replaceFirst(""));
      }
    }
  }

  private boolean areGiven(List<String> bases, List<String> lengths) {
    for (int i = 0; i < bases.size(); i++) {
      Matcher buffer = BUFFER.matcher(CAST.matcher(bases.get(i)).replaceAll(""));
      String length = lengths.get(i);
      boolean isGiven =
          buffer.matches()
              && given.contains(buffer.group("name"))
              && LENGTH.matcher(length).matches()
              && (buffer.group("address") == null
                  ? words(length).stream().anyMatch(given::contains) && !length.contains("sizeof")
                  : length.strip().startsWith("sizeof"));
      if (!isGiven) {
        return false;
      }
    }
    return true;
  }

  private void findTexts() {
    for (MatchResult room : ROOM.matcher(text).results().toList()) {
      String name = room.group(1);
      List<MatchResult> prints =
          PRINT.matcher(text).results().filter(print -> isTo(name, print)).toList();
      if (prints.size() == 1 && isOfGiven(prints.get(0))) {
        text = text.replace(prints.get(0).group(), " ").replace(room.group(), " ");
        given.add(name);
        Optional.ofNullable(prints.get(0).group(1)).ifPresent(given::add);
      }
    }
  }

  private static boolean isTo(String room, MatchResult print) {
    return Splitter.on(COMMA).trimResults().splitToList(print.group(3)).get(0).equals(room);
  }

  /** Whether a text is made of what is given: behind a format there are only such values. */
  private boolean isOfGiven(MatchResult print) {
    List<String> arguments = Splitter.on(COMMA).trimResults().splitToList(print.group(3));
    List<String> values =
        arguments.subList(
            Math.min(arguments.size(), SIZED.matcher(print.group(2)).matches() ? 2 : 1),
            arguments.size());
    boolean isList = print.group(2).startsWith("v") && text.contains("va_start");
    return values.size() > 1
        && values.stream().skip(1).allMatch(one -> isList || isValue(one))
        && values.stream().flatMap(one -> words(one).stream()).anyMatch(given::contains);
  }

  /** Whether it reads nothing from memory, and changes nothing. */
  private boolean isValue(String argument) {
    return words(argument).stream()
            .allMatch(word -> given.contains(word) || VALUE.matcher(word).matches())
        && !argument.contains("[")
        && !argument.contains("->")
        && !argument.contains("++")
        && !argument.contains("--")
        && !argument.startsWith("*");
  }

  private static List<String> words(String expression) {
    return Splitter.on(NO_WORD).omitEmptyStrings().splitToList(expression);
  }
}
