package io.powercut.orchestrator.campaign.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** What somebody may have meant. */
public final class Suggestions {
  private Suggestions() {}

  /** The most similar of the known words, if one is similar enough for a slip of the finger. */
  public static Optional<String> closest(String word, Collection<String> known) {
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

  /** Edit distance in which case, hyphens and underscores do not count. */
  private static int distance(String left, String right) {
    String from = plain(left);
    String to = plain(right);
    int[] previous = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      previous = next(previous, row, from.charAt(row - 1), to);
    }
    return previous[to.length()];
  }

  private static int[] next(int[] previous, int row, char letter, String to) {
    int[] current = new int[to.length() + 1];
    current[0] = row;
    for (int column = 1; column <= to.length(); column++) {
      int replaced = previous[column - 1] + (letter == to.charAt(column - 1) ? 0 : 1);
      int moved = Math.min(previous[column], current[column - 1]) + 1;
      current[column] = Math.min(replaced, moved);
    }
    return current;
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }
}
