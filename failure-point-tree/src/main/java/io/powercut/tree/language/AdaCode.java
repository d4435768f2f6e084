// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names that GNAT, the compiler of Ada, gives to functions: {@code store__table__append__2}. */
public final class AdaCode {
  private static final Pattern SOURCE = Pattern.compile(".*\\.ad[abs]");

  /**
   * Packages and functions, with what tells overloaded ones apart. Capital letters tell parts of
   * tasks and of protected objects, which have two functions for each in the source.
   */
  private static final Pattern SYMBOL =
      Pattern.compile(
          "(?:_ada_)?(?<name>[a-z](?:_?[a-z0-9])*(?:__[a-z](?:_?[a-z0-9])*)*)"
              + "(?:TK?B|[NPX][bn]*|E\\d*[bs]?)?(?:__\\d+|[.$]\\d+)*");

  private AdaCode() {}

  /**
   * A function with its packages as in the source, {@code store.table.append}.
   *
   * @param file where the function is; no other sources have such names
   * @return nothing if it is not such a name
   */
  public static Optional<String> name(String symbol, String file) {
    if (!SOURCE.matcher(file).matches()) {
      return Optional.empty();
    }
    Matcher function = SYMBOL.matcher(symbol);
    return function.matches()
        ? Optional.of(function.group("name").replace("__", "."))
        : Optional.empty();
  }

  /** Its last part, which is the same in all instances of a generic package. */
  public static Optional<String> simpleName(String symbol, String file) {
    return name(symbol, file).map(name -> name.substring(name.lastIndexOf('.') + 1));
  }
}
