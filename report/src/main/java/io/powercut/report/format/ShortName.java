// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import io.powercut.tree.FunctionName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes a demangled C++ name short enough to be read in a line: {@code ns::map<int,
 * std::less<int>>::insert(int)} is {@code ns::map<int>::insert}. Left out are parameters, return
 * types, anonymous namespaces, default template arguments, and what stands in the brackets of
 * template arguments. A name of C stays as it is, without the numbers of the compiler's variants.
 */
public final class ShortName {
  private static final int LONGEST = 80;
  private static final String LEFT_OUT = "<...>";
  private static final String OPERATOR = "operator";

  private static final Pattern STRING =
      Pattern.compile(
          "std::(?:__cxx11::|__1::)?basic_string<char, ?std::(?:__1::)?char_traits<char>, ?"
              + "std::(?:__1::)?allocator<char> ?>");
  private static final Pattern UNNAMED =
      Pattern.compile("\\(anonymous namespace\\)::|\\[abi:\\w+]|::h[0-9a-f]{16}$");
  private static final Pattern INLINE_NAMESPACE = Pattern.compile("\\bstd::(?:__cxx11|__1)::");

  /** Has a number: a method in Python may be called {@code part}. */
  private static final Pattern VARIANT =
      Pattern.compile("\\.(?:constprop|isra|part|lto_priv|llvm)\\.\\d+(?=\\.|$)");

  /** Default arguments, which are not written in the source. */
  private static final Pattern DEFAULT_ARGUMENT =
      Pattern.compile(
          "std::(?:allocator|char_traits|less|hash|equal_to|default_delete)<.*", Pattern.DOTALL);

  /** What Rust calls a closure, after the function that it is in or alone where it is inlined. */
  private static final Pattern RUST_CLOSURE = Pattern.compile("\\{\\{?closure[^}]*}?}");

  private static final Pattern OPERATOR_SYMBOL =
      Pattern.compile("\\(\\)|\\[]|->\\*?|<=>|<<=?|>>=?|[-+*/%^&|=<>!~,]=?|&&|\\|\\|");

  private final String text;
  private int at;

  private ShortName(String text) {
    this.text = text;
  }

  /**
   * The short name.
   *
   * @param symbol as a demangler wrote it; one that cannot be understood is only cut off
   */
  public static String of(String symbol) {
    String function = FunctionName.ofModule(VARIANT.matcher(symbol).replaceAll(""));
    if (function.chars().noneMatch(character -> "<({[:".indexOf(character) >= 0)) {
      return Text.beginning(function, LONGEST);
    }
    String plain = STRING.matcher(function).replaceAll("std::string");
    plain = INLINE_NAMESPACE.matcher(plain).replaceAll("std::");
    plain = UNNAMED.matcher(plain).replaceAll("");
    String name = new ShortName(plain).name();
    if (name.length() > LONGEST) {
      name = withoutArguments(name);
    }
    return name.isEmpty() ? Text.beginning(function, LONGEST) : Text.beginning(name, LONGEST);
  }

  /** Without any template arguments. */
  private static String withoutArguments(String name) {
    StringBuilder shorter = new StringBuilder();
    ShortName reader = new ShortName(name);
    while (reader.at < name.length()) {
      int operator = reader.operatorEnd();
      if (operator > reader.at) {
        shorter.append(name, reader.at, operator);
        reader.at = operator;
      } else if (name.charAt(reader.at) == '<') {
        reader.skipBrackets();
        shorter.append(LEFT_OUT);
      } else {
        shorter.append(name.charAt(reader.at++));
      }
    }
    return shorter.toString();
  }

  private String name() {
    StringBuilder name = new StringBuilder();
    while (at < text.length()) {
      int operator = operatorEnd();
      char next = text.charAt(at);
      if (operator > at) {
        name.append(text, at, operator);
        at = operator;
      } else if (next == '<') {
        name.append(arguments());
      } else if (next == '(' || next == '{' || next == '[') {
        String brackets = skipBrackets();
        if (text.startsWith(".", at) && name.toString().endsWith(".")) {
          name.append(brackets); // the type of a method in Go
        } else if (brackets.startsWith("{lambda")) {
          name.append("{lambda}");
        } else if (RUST_CLOSURE.matcher(brackets).matches()) {
          name.append(brackets);
        }
      } else if (next == ' ') {
        at++;
        if (isBehindParameters()) {
          break;
        }
        boolean isOfAnOperator = text.startsWith("<", at);
        name.setLength(isOfAnOperator ? name.length() : 0); // else it was the return type
      } else {
        name.append(next);
        at++;
      }
    }
    return name.toString();
  }

  /** Qualifiers of a member function, and what a compiler says of its copies. */
  private boolean isBehindParameters() {
    return text.startsWith("const", at)
        || text.startsWith("volatile", at)
        || text.startsWith("[clone", at)
        || text.startsWith("&", at);
  }

  /** Behind the operator's name that begins here; here when none does. */
  private int operatorEnd() {
    boolean begins =
        text.startsWith(OPERATOR, at)
            && (at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)));
    if (!begins) {
      return at;
    }
    int end = at + OPERATOR.length();
    Matcher symbol = OPERATOR_SYMBOL.matcher(text).region(end, text.length());
    if (symbol.lookingAt()) {
      return symbol.end();
    }
    if (end < text.length() && text.charAt(end) == ' ') {
      int parameters = text.indexOf('(', end);
      return parameters < 0 ? text.length() : parameters; // new, delete, or a type
    }
    return at;
  }

  /** The template arguments that begin here, those of their own left out. */
  private String arguments() {
    String brackets = skipBrackets();
    if (!brackets.endsWith(">")) {
      return "";
    }
    List<String> kept =
        split(brackets.substring(1, brackets.length() - 1)).stream()
            .filter(argument -> !DEFAULT_ARGUMENT.matcher(argument).matches())
            .map(ShortName::withoutArguments)
            .toList();
    return kept.stream().collect(Collectors.joining(", ", "<", ">"));
  }

  private static List<String> split(String arguments) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int index = 0; index < arguments.length(); index++) {
      char character = arguments.charAt(index);
      depth += depthChange(character);
      if (character == ',' && depth == 0) {
        parts.add(arguments.substring(begin, index).strip());
        begin = index + 1;
      }
    }
    parts.add(arguments.substring(begin).strip());
    return parts;
  }

  /**
   * The brackets that begin here, with all in them; what is left of the text if they do not end.
   */
  private String skipBrackets() {
    int begin = at;
    int depth = 0;
    while (at < text.length()) {
      int operator = operatorEnd();
      if (operator > at) {
        at = operator;
        continue;
      }
      depth += depthChange(text.charAt(at++));
      if (depth == 0) {
        break;
      }
    }
    return text.substring(begin, at);
  }

  private static int depthChange(char character) {
    return switch (character) {
      case '<', '(', '{', '[' -> 1;
      case '>', ')', '}', ']' -> -1;
      default -> 0;
    };
  }
}
