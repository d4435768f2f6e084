// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.facts;

import io.powercut.report.format.ShortName;
import java.util.List;

/**
 * Functions of the target that persist something but were not tested: a clean result says nothing
 * about them.
 *
 * @param functions the first of them
 * @param more how many are left out
 */
public record Untested(List<Function> functions, long more) {
  private static final int SHOWN = 10;

  /** Copies the list. */
  public Untested {
    functions = List.copyOf(functions);
  }

  /**
   * A function.
   *
   * @param function demangled name
   * @param module base name of the binary or library
   * @param outsideOnly whether it ran, but only before {@code failurePoints.begin} or after {@code
   *     end}; else it never ran
   */
  public record Function(String function, String module, boolean outsideOnly) {
    /** In words: {@code shrink (libmap.so), only outside failurePoints.begin and end}. */
    public String inWords() {
      return "%s (%s)%s"
          .formatted(
              ShortName.of(function),
              module,
              outsideOnly ? ", only outside failurePoints.begin and end" : "");
    }
  }

  /** How many there are. */
  public long count() {
    return functions.size() + more;
  }

  /** Of all functions. */
  public static Untested of(List<Function> all) {
    int shown = Math.min(SHOWN, all.size());
    return new Untested(all.subList(0, shown), all.size() - shown);
  }
}
