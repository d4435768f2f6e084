// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.Difference;
import io.powercut.trace.FileAttributes;
import java.nio.file.Path;
import java.util.List;

/**
 * How the files of a directory compare with what a replayed state holds.
 *
 * @param differences files whose contents are not as the state has them
 * @param attributes entries whose attributes are not
 * @param names names that are not those of the files that the state has under them
 * @param skipped files that could not be compared
 */
public record StateComparison(
    List<Difference> differences,
    List<AttributeDifference> attributes,
    List<NameDifference> names,
    List<Skipped> skipped) {
  public StateComparison {
    differences = List.copyOf(differences);
    attributes = List.copyOf(attributes);
    names = List.copyOf(names);
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

  /**
   * An entry with another mode, owner or extended attribute.
   *
   * @param name in the directory; empty for that itself
   * @param real what it has
   * @param replayed what it has by the state
   */
  public record AttributeDifference(Path name, FileAttributes real, FileAttributes replayed) {}

  /**
   * Two names of one file by the state, and of two in the directory.
   *
   * @param name the first name of the file
   * @param other another one
   */
  public record NameDifference(Path name, Path other) {}

  /** A file that could not be compared, and why. */
  public record Skipped(Path name, String reason) {}
}
