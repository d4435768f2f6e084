// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * Where a key or value was written.
 *
 * @param source the file as the user named it, or the override ({@code --set key=value})
 * @param line from 1; 0 where there are no lines
 * @param column from 1; 0 where there are no columns
 * @param directory what a relative path written there is relative to
 */
public record Origin(String source, int line, int column, Path directory) {
  public Origin {
    requireNonNull(source, "source is null");
    requireNonNull(directory, "directory is null");
  }

  /** The beginning of a file. */
  public static Origin startOf(Path file) {
    return new Origin(file.toString(), 1, 1, directoryOf(file));
  }

  /** A file as a whole, for what is wrong with it before its first line is read. */
  public static Origin whole(Path file) {
    return new Origin(file.toString(), 0, 0, directoryOf(file));
  }

  /** An argument of the command line; paths in it are relative to the current directory. */
  public static Origin argument(String argument) {
    return new Origin(argument, 0, 0, Path.of("").toAbsolutePath());
  }

  /** Another place in the same source; a source without lines stays as it is. */
  public Origin at(int otherLine, int otherColumn) {
    return line == 0 ? this : new Origin(source, otherLine, otherColumn, directory);
  }

  private static Path directoryOf(Path file) {
    Path parent = file.toAbsolutePath().normalize().getParent();
    return parent == null ? Path.of("/") : parent;
  }
}
