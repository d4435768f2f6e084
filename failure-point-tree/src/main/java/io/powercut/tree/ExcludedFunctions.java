// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.collect.ImmutableSet;
import java.util.Collection;
import java.util.Set;

/**
 * Functions below which no failure point is taken, for example those that create a pool, which
 * promise no crash consistency.
 *
 * @param names patterns, in which {@code *} stands for any text and {@code ?} for one character; a
 *     stack is excluded when one of them matches one of its functions, inlined ones too. The
 *     parameters of a C++ function can be left off
 */
public record ExcludedFunctions(Set<String> names) {
  /** Excludes nothing. */
  public static final ExcludedFunctions NONE = new ExcludedFunctions(ImmutableSet.of());

  public ExcludedFunctions {
    names = ImmutableSet.copyOf(names);
  }

  /** Excludes the functions of these names. */
  public static ExcludedFunctions of(Collection<String> names) {
    return new ExcludedFunctions(ImmutableSet.copyOf(names));
  }

  /** Whether the stack runs through an excluded function. */
  public boolean exclude(CallStack stack) {
    if (names.isEmpty()) {
      return false;
    }
    for (Frame frame : stack.frames()) {
      for (SourcePosition position : frame.positions()) {
        if (excludeFunction(position.function())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean excludeFunction(String function) {
    String base = withoutVersion(withoutParameters(function));
    for (String pattern : names) {
      if (matches(pattern, function) || matches(pattern, base)) {
        return true;
      }
    }
    return false;
  }

  private static String withoutParameters(String function) {
    int parameters = function.indexOf('(', 1);
    return parameters < 0 ? function : function.substring(0, parameters);
  }

  /** Without the symbol version that {@code memcpy@@GLIBC_2.14} has. */
  private static String withoutVersion(String function) {
    int version = function.indexOf('@');
    return version < 0 ? function : function.substring(0, version);
  }

  private static boolean matches(String pattern, String text) {
    int patternAt = 0;
    int textAt = 0;
    int star = -1;
    int afterStar = 0;
    while (textAt < text.length()) {
      char wanted = patternAt < pattern.length() ? pattern.charAt(patternAt) : '\0';
      if (wanted == '*') {
        star = patternAt++;
        afterStar = textAt;
      } else if (wanted == '?' || wanted == text.charAt(textAt)) {
        patternAt++;
        textAt++;
      } else if (star >= 0) {
        // Let the last star swallow one character more.
        patternAt = star + 1;
        textAt = ++afterStar;
      } else {
        return false;
      }
    }
    while (patternAt < pattern.length() && pattern.charAt(patternAt) == '*') {
      patternAt++;
    }
    return patternAt == pattern.length();
  }
}
