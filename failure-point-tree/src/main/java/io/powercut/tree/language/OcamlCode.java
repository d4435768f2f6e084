// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that the OCaml compiler gives to functions, {@code camlStore__add_824}, and which functions
 * are OCaml's own: its libraries in OCaml, and its runtime in C.
 */
public final class OcamlCode {
  /** A module's name, the last part of which is capitalised, and that of a function. */
  private static final Pattern SYMBOL =
      Pattern.compile(
          "^caml(?<module>(?=[A-Z])(?:\\w+?__)*[A-Z](?:(?!__)\\w)*)(?:__|\\.)"
              + "(?<name>[a-z_$][\\w$']*?)(?:_\\d+)?(?:_code)?$");

  private static final Pattern ESCAPED = Pattern.compile("\\$([0-9a-f]{2})");

  /** Modules that users have none beside, whatever path the compiler gave their files. */
  private static final Pattern LIBRARY =
      Pattern.compile("caml(?:Stdlib|Std_exit|Camlinternal\\w*?|Unix(?:Labels)?)(?:__|\\.).*");

  private static final Pattern LIBRARY_SOURCE = Pattern.compile("(?:.*/)?otherlibs/.*\\.ml");
  private static final Pattern RUNTIME = Pattern.compile("(?:caml|unix)_\\w+");
  private static final Pattern RUNTIME_SOURCE =
      Pattern.compile("|(?:.*/)?(?:runtime|otherlibs/[^/]+)/[^/]+\\.[chS]");

  private OcamlCode() {}

  /** Whether a symbol is one of a function in OCaml. */
  public static boolean isCompiled(String symbol) {
    return SYMBOL.matcher(symbol).matches();
  }

  /**
   * A function with its module as in the source, {@code Store.add}. The number that the compiler
   * adds changes with the functions before it. Other names stay as they are.
   */
  public static String name(String symbol) {
    Matcher function = SYMBOL.matcher(symbol);
    return function.matches()
        ? function.group("module").replace("__", ".") + "." + unescaped(function.group("name"))
        : symbol;
  }

  private static String unescaped(String name) {
    return ESCAPED.matcher(name).replaceAll(code -> Matcher.quoteReplacement(character(code)));
  }

  private static String character(MatchResult code) {
    return Character.toString(Integer.parseInt(code.group(1), 16));
  }

  /** Whether a function in OCaml is of one of its own libraries. */
  public static boolean isLibrary(String symbol, String file) {
    return LIBRARY.matcher(symbol).matches()
        || (isCompiled(symbol) && LIBRARY_SOURCE.matcher(file).matches());
  }

  /**
   * Whether a function in C can be one of OCaml's runtime. It is if a function in OCaml calls it,
   * or another one of the runtime does.
   */
  public static boolean mayBeRuntime(String function, String file) {
    return RUNTIME.matcher(function).matches() && RUNTIME_SOURCE.matcher(file).matches();
  }
}
