// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that compilers of D give to functions, {@code _D5store5Store3putMFmZv}: each part of the
 * name has its length in front, and types follow.
 */
public final class DlangCode {
  private static final String BEGIN = "_D";
  private static final int LETTERS = 26;

  /** Types as arguments of templates, of which the end can be told. */
  private static final Pattern SIMPLE_ARGUMENTS = Pattern.compile("(?:T[APOxy]*[a-w])*Z");

  private static final Pattern SIMPLE_PARAMETERS =
      Pattern.compile("M?F(?:N[a-gi-m])*(?:[JKMIL]?[APOxy]*[a-w])*Z(?=\\d|__T|__U)");

  /** What follows the parameters of a function if another one is in it, or may do so. */
  private static final Pattern INNER = Pattern.compile("Z(?:\\d|__T|__U|Q)");

  private final String symbol;
  private final List<String> parts = new ArrayList<>();
  private int at = BEGIN.length();
  private boolean isUnderstood = true;

  private DlangCode(String symbol) {
    this.symbol = symbol;
  }

  /**
   * A function with its module and classes as in the source, {@code store.Store.put}, without types
   * and the arguments of templates. Others stay as they are, and so do those with arguments or
   * parameters of which the end cannot be told.
   */
  public static String name(String symbol) {
    if (!symbol.startsWith(BEGIN)) {
      return symbol;
    }
    DlangCode code = new DlangCode(symbol);
    while (code.hasPart()) {
      code.skipParameters();
    }
    return code.isUnderstood && !code.parts.isEmpty() ? String.join(".", code.parts) : symbol;
  }

  /** Reads parts up to the type that follows them. */
  private boolean hasPart() {
    int before = at;
    while (hasName() || hasTemplate() || hasNameFromBefore()) {
      // goes on behind it
    }
    return at > before;
  }

  private boolean hasName() {
    int digits = at;
    while (digits < symbol.length() && Character.isDigit(symbol.charAt(digits))) {
      digits++;
    }
    if (digits == at || digits - at > 6) {
      return false;
    }
    int end = digits + Integer.parseInt(symbol.substring(at, digits));
    if (end > symbol.length()) {
      return false;
    }
    String name = symbol.substring(digits, end);
    if (isTemplate(name)) {
      at = digits;
      hasTemplate();
    } else {
      add(name);
    }
    at = end;
    return true;
  }

  private static boolean isTemplate(String text) {
    return text.startsWith("__T") || text.startsWith("__U");
  }

  private boolean hasTemplate() {
    if (!isTemplate(symbol.substring(at))) {
      return false;
    }
    at += "__T".length();
    isUnderstood &= (hasName() || hasNameFromBefore()) && skip(SIMPLE_ARGUMENTS);
    return isUnderstood;
  }

  private boolean skip(Pattern what) {
    Matcher there = what.matcher(symbol).region(at, symbol.length());
    there.useTransparentBounds(true);
    boolean isThere = there.lookingAt();
    at = isThere ? there.end() : at;
    return isThere;
  }

  /** A name that is in the symbol before, and is only said to be how far back. */
  private boolean hasNameFromBefore() {
    int from = at;
    int distance = 0;
    int digit = at + 1;
    if (at >= symbol.length() || symbol.charAt(at) != 'Q') {
      return false;
    }
    while (digit < symbol.length() && Character.isUpperCase(symbol.charAt(digit))) {
      distance = distance * LETTERS + symbol.charAt(digit) - 'A';
      digit++;
    }
    if (digit >= symbol.length() || !Character.isLowerCase(symbol.charAt(digit))) {
      return false;
    }
    distance = distance * LETTERS + symbol.charAt(digit) - 'a';
    at = from - distance;
    boolean isThere = distance > 0 && at >= BEGIN.length() && hasName();
    at = isThere ? digit + 1 : from;
    return isThere;
  }

  /** What a template and its function have in common is named once. */
  private void add(String name) {
    String shown =
        switch (name) {
          case "__ctor" -> "this";
          case "__dtor" -> "~this";
          default -> name;
        };
    if (parts.isEmpty() || !parts.get(parts.size() - 1).equals(shown)) {
      parts.add(shown);
    }
  }

  /** A function may be in another one, whose parameters come before it. */
  private void skipParameters() {
    boolean goesOn = skip(SIMPLE_PARAMETERS);
    isUnderstood &= goesOn || !INNER.matcher(symbol.substring(at)).find();
  }
}
