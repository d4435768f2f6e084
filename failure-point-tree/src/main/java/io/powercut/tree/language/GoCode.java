// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a program in Go is not the user's code: Go's own packages, which are compiled into every
 * program, its runtime among them.
 */
public final class GoCode {
  /** How the paths of Go's packages begin. */
  private static final String FIRST_NAME =
      "(?:archive|bufio|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding"
          + "|errors|expvar|flag|fmt|hash|html|image|index|internal|io|iter|log|maps|math|mime|net"
          + "|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|sync|syscall"
          + "|testing|text|time|unicode|unique|vendor|weak)";

  /**
   * Sources in a folder of a Go release, or as {@code -trimpath} leaves them. A workspace may be
   * called {@code go} as well, so only folders that releases have count.
   */
  private static final Pattern SOURCE =
      Pattern.compile(
          "(?:.*/go(?:-?[0-9][0-9.]*)?(?:/[0-9.]+/[^/]+)?/src/)?"
              + "(?<package>"
              + FIRST_NAME
              + "(?:/[^/]+)*?)/[^/]+\\.(?:go|s)");

  /** The runtime defines functions of other packages, {@code syscall.RawSyscall6}. */
  private static final Pattern RUNTIME = Pattern.compile("(?:internal/)?runtime(?:/.*)?");

  private static final Pattern PACKAGE = Pattern.compile(FIRST_NAME + "(?:/[^/.]+)*\\..*");

  /** In the name of a method, the type that it belongs to. */
  private static final Pattern RECEIVER =
      Pattern.compile(
          "(?<=[\\w\\])]\\.)\\(\\*?([^()]+)\\)(?=\\.)", Pattern.UNICODE_CHARACTER_CLASS);

  private GoCode() {}

  /**
   * Whether a function is of one of Go's own packages. Debug information may place code of another
   * function there, into which it was inlined.
   *
   * @param function with its package, {@code encoding/binary.Write}
   */
  public static boolean isLibrary(String function, String file) {
    Matcher source = SOURCE.matcher(file);
    if (!source.matches()) {
      return false;
    }
    boolean isOfGo =
        RUNTIME.matcher(source.group("package")).matches() && PACKAGE.matcher(function).matches();
    return isOfGo || function.startsWith(source.group("package") + ".");
  }

  /** A function's name without the brackets around the type of a method. */
  public static String withoutReceiver(String function) {
    return function.indexOf('(') < 0 ? function : RECEIVER.matcher(function).replaceAll("$1");
  }
}
