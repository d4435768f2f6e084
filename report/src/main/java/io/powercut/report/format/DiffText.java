// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A text that may hold unified differences, as {@code diff -u} prints them: what is alike on both
 * sides tells nothing.
 *
 * @param others all lines but those of the differences
 * @param changed the lines that are on one side alone, with their sign
 */
public record DiffText(List<String> others, List<String> changed) {
  private static final Pattern HUNK = Pattern.compile("@@ -\\d.* \\+\\d.* @@.*");
  private static final Pattern OF_HUNK = Pattern.compile("[ +\\-\\\\].*");

  /** Copies the lists. */
  public DiffText {
    others = List.copyOf(others);
    changed = List.copyOf(changed);
  }

  /** Of the lines of a text. */
  public static DiffText of(List<String> lines) {
    List<String> others = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    boolean isInHunk = false;
    for (String line : lines) {
      if (HUNK.matcher(line).matches()) {
        removeHeader(isInHunk ? changed : others);
        isInHunk = true;
      } else if (isInHunk && OF_HUNK.matcher(line).matches()) {
        if (line.startsWith("+") || line.startsWith("-")) {
          changed.add(line);
        }
      } else {
        isInHunk = false;
        others.add(line);
      }
    }
    return new DiffText(others, changed);
  }

  /** The two lines with the names of both sides, which come before the first hunk. */
  private static void removeHeader(List<String> lines) {
    int size = lines.size();
    if (size >= 2
        && lines.get(size - 2).startsWith("--- ")
        && lines.get(size - 1).startsWith("+++ ")) {
      lines.subList(size - 2, size).clear();
    }
  }
}
