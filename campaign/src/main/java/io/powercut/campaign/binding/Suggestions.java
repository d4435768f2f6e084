// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Corrections of misspelt words. */
public final class Suggestions {
  private static final int LONGEST = 100;

  private Suggestions() {}

  /** The most similar of the known words, if one is similar enough for a slip of the finger. */
  public static Optional<String> closest(String word, Collection<String> known) {
    if (word.length() > LONGEST) {
      return Optional.empty();
    }
    int tolerance = Math.max(1, (word.length() + 1) / 3);
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= tolerance)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  /** The end of a message: what was meant, or else all there is. */
  public static String hint(String word, Collection<String> known) {
    return closest(word, known)
        .map(candidate -> "did you mean '" + candidate + "'?")
        .orElseGet(() -> "known here: " + String.join(", ", known));
  }

  /**
   * Edit distance, in which two neighbours in the wrong order are one mistake, and case, hyphens
   * and underscores none.
   */
  private static int distance(String left, String right) {
    String from = plain(left);
    String to = plain(right);
    int[][] distances = new int[from.length() + 1][to.length() + 1];
    for (int row = 0; row <= from.length(); row++) {
      for (int column = 0; column <= to.length(); column++) {
        distances[row][column] =
            Math.min(row, column) == 0
                ? row + column
                : Math.min(
                    edited(distances, row, column, from, to),
                    swapped(distances, row, column, from, to));
      }
    }
    return distances[from.length()][to.length()];
  }

  private static int edited(int[][] distances, int row, int column, String from, String to) {
    int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
    int moved = Math.min(distances[row - 1][column], distances[row][column - 1]) + 1;
    return Math.min(distances[row - 1][column - 1] + replaced, moved);
  }

  private static int swapped(int[][] distances, int row, int column, String from, String to) {
    boolean swapped =
        row > 1
            && column > 1
            && from.charAt(row - 1) == to.charAt(column - 2)
            && from.charAt(row - 2) == to.charAt(column - 1);
    return swapped ? distances[row - 2][column - 2] + 1 : Integer.MAX_VALUE;
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }
}
