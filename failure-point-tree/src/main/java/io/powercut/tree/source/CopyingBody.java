// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The body of a function that may be a loop which copies what it is given to where it is told, or
 * fills that, as {@code memcpy} and {@code memset} do.
 */
final class CopyingBody {
  /** What decides and repeats, with its condition. */
  static final Pattern HEAD =
      Pattern.compile(
          "(?<!\\w)(?:for\\s+\\w+\\s+in\\s+[^{}]*|(?<word>for|while|if)\\s*"
              + "\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\)|do(?!\\w)|else(?!\\w))");

  /** A pointer that begins as another one. */
  private static final Pattern ALIAS =
      Pattern.compile(
          "[\\w\\s]*\\*[\\w\\s]*?(?<name>\\w+)\\s*=\\s*(?:\\([^()]*\\)\\s*)?(?<of>\\w+)(?:\\s*\\+.*)?",
          Pattern.DOTALL);

  /** A loop in C++ or Rust over all elements, which its variable refers to. */
  private static final Pattern ELEMENTS =
      Pattern.compile(
          "for\\s*\\([\\w:<>\\s]*&{1,2}\\s*(?<element>\\w+)\\s*:\\s*\\*?\\s*(?<of>\\w+)"
              + "(?<member>\\s*(?:\\.|->)\\s*\\w+)?\\s*\\)"
              + "|for\\s+(?<item>\\w+)\\s+in\\s+(?:&\\s*mut\\s+)?(?<from>\\w+)"
              + "(?<field>\\.(?!iter_mut\\b)\\w+)?(?:\\.iter_mut\\s*\\(\\s*\\))?\\s*");

  /** Where stores go to, by the first word in there. */
  private static final List<Pattern> STORES =
      List.of(
          Pattern.compile(
              "\\*\\s*(?:\\([^()]*\\)\\s*)*\\(?\\s*(?<to>\\w+)[^=]*=(?!=).*", Pattern.DOTALL),
          Pattern.compile("(?<to>\\w+)\\s*\\[[^\\]]*\\]\\s*=(?!=).*", Pattern.DOTALL),
          Pattern.compile(
              "(?:_mm\\w*_(?:stream|store)\\w*|__builtin_nontemporal_store|(?:__builtin_)?mem(?:cpy|move))\\s*"
                  + "\\(\\s*(?:\\([^()]*\\*\\s*\\)\\s*)*\\(?\\s*&?\\s*(?<to>\\w+)\\b.*",
              Pattern.DOTALL));

  /** Of one member of each element. */
  private static final Pattern MEMBER_STORE =
      Pattern.compile("(?<to>\\w+)\\s*\\[[^\\]]*\\]\\s*\\.\\s*\\w+\\s*=(?!=).*", Pattern.DOTALL);

  /** All but those that load, convert or store, which no other code is needed for. */
  private static final Pattern OTHER_CALL =
      Pattern.compile(
          "(?<!\\w)(?!(?:sizeof|return|if|for|while|va_(?:arg|start|end|copy)"
              + "|_mm\\w*_(?:load|lddqu|set|stream|store)\\w*"
              + "|__builtin_(?:nontemporal_\\w+|va_\\w+)|(?:__builtin_)?mem(?:cpy|move)"
              + "|std::min|min|MIN|len|size|length|iter_mut)\\b)"
              + "[\\w:]*\\w!?\\s*\\(");

  /** To an element that a loop refers to, or to one member of it. */
  private static final Pattern ELEMENT_STORE =
      Pattern.compile("(?<to>\\w+)(?<member>\\s*\\.\\s*\\w+)?\\s*=(?!=).*", Pattern.DOTALL);

  private final String text;
  private final Set<String> parameters;

  /** What loops call an element of what the function is given. */
  private final Set<String> elements = new HashSet<>();

  /**
   * @param text between the braces, without comments and texts
   * @param parameters names of what the function is given
   */
  CopyingBody(String text, Set<String> parameters) {
    this.text = text;
    this.parameters = parameters;
  }

  /**
   * Whether it is a loop that stores to where a parameter points and nowhere else, as far as
   * another parameter says, and persists nothing.
   */
  boolean isLoopThatCopies() {
    if (FunctionBody.ASSEMBLY.matcher(text).find() || OTHER_CALL.matcher(text).find()) {
      return false;
    }
    if (HEAD.matcher(text)
        .results()
        .noneMatch(head -> head.group().matches("(?s)(?:for|while).*"))) {
      return false;
    }
    Set<String> pointers = new HashSet<>();
    Set<String> known = new HashSet<>(parameters);
    int stores = 0;
    Set<String> owners = findElements(known);
    pointers.addAll(owners);
    boolean isOfMember = !owners.isEmpty();
    for (String statement :
        Splitter.onPattern("[;{}]").trimResults().omitEmptyStrings().split(withoutHeads())) {
      Matcher alias = ALIAS.matcher(statement);
      Optional<String> target = target(statement);
      if (target.isPresent()) {
        if (!known.contains(target.get()) || countsBeside(statement)) {
          return false;
        }
        pointers.add(target.get());
        stores++;
        isOfMember |= MEMBER_STORE.matcher(statement).matches() || isOfMemberOfElement(statement);
      } else if (alias.matches() && known.contains(alias.group("of"))) {
        known.add(alias.group("name"));
      } else if (FunctionBody.changesMemory(statement)) {
        return false;
      }
    }
    // Several members of one element are stored in an order of its own.
    return stores > 0 && (stores == 1 || !isOfMember) && isToldByAnother(pointers);
  }

  private String withoutHeads() {
    return HEAD.matcher(text).replaceAll(" ");
  }

  /** Whether it makes another store, to where it counts. */
  private static boolean countsBeside(String statement) {
    return Count.in(statement).stream().anyMatch(one -> one.isOfMemory() && !one.isCursor());
  }

  /**
   * Finds what loops call an element.
   *
   * @param known what the function is given; the elements are added
   * @return the parameters of which not all elements are meant, but those of a member
   */
  private Set<String> findElements(Set<String> known) {
    Set<String> owners = new HashSet<>();
    Matcher loop = ELEMENTS.matcher(text);
    while (loop.find()) {
      boolean isRust = loop.group("item") != null;
      String whole = loop.group(isRust ? "from" : "of");
      if (known.contains(whole)) {
        known.add(loop.group(isRust ? "item" : "element"));
        if (!isRust) {
          elements.add(loop.group("element"));
        }
        if (loop.group(isRust ? "field" : "member") != null) {
          owners.add(whole);
        }
      }
    }
    return owners;
  }

  private boolean isOfMemberOfElement(String statement) {
    Matcher store = ELEMENT_STORE.matcher(statement);
    return store.matches() && store.group("member") != null;
  }

  private Optional<String> target(String statement) {
    Matcher element = ELEMENT_STORE.matcher(statement);
    if (element.matches() && elements.contains(element.group("to"))) {
      return Optional.of(element.group("to"));
    }
    return Stream.concat(STORES.stream(), Stream.of(MEMBER_STORE))
        .map(store -> store.matcher(statement))
        .filter(Matcher::matches)
        .map(store -> store.group("to"))
        .findFirst();
  }

  private boolean isToldByAnother(Set<String> pointers) {
    return Splitter.on(FunctionBody.NO_WORD)
        .splitToStream(text)
        .anyMatch(word -> parameters.contains(word) && !pointers.contains(word));
  }
}
