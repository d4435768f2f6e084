package io.powercut.image;

import java.nio.file.Path;
import java.util.List;

/**
 * How the files of a directory compare with what a replayed state holds.
 *
 * @param differences files that are not as the state has them
 * @param skipped files that could not be compared
 */
public record StateComparison(List<Difference> differences, List<Skipped> skipped) {
  public StateComparison {
    differences = List.copyOf(differences);
    skipped = List.copyOf(skipped);
  }

  /**
   * A file with other contents, or of another size.
   *
   * @param name in the directory
   * @param file its number in the trace
   * @param offset of the first byte that differs; where the shorter one ends
   * @param what in words, with values
   */
  public record Difference(Path name, int file, long offset, String what) {}

  /** A file that could not be compared, and why. */
  public record Skipped(Path name, String reason) {}
}
