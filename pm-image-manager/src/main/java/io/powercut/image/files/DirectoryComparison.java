// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Compares two directories of PM files byte for byte, with their attributes and with which names
 * are names of one file. A hole equals zeros; times are not compared, nor are sockets, FIFOs and
 * devices. It reads what is allocated, not what is mapped.
 */
public final class DirectoryComparison {
  private final Tree first;
  private final Tree second;

  /** One of them. */
  private record Tree(Path directory, SortedMap<Path, FileStatus> entries, HardLinks links) {
    static Tree of(Path directory) throws IOException {
      SortedMap<Path, FileStatus> entries = DirectoryTree.list(directory);
      FileStatus.ofLink(directory).ifPresent(status -> entries.put(Path.of(""), status));
      entries.values().removeIf(status -> status.kind() == FileStatus.Kind.SPECIAL);
      return new Tree(directory, entries, HardLinks.in(entries));
    }

    Path path(Path name) {
      return directory.resolve(name);
    }

    FileAttributes attributes(Path name, FileStatus status) {
      FileAttributes attributes = EntryAttributes.read(path(name), status);
      return status.kind() == FileStatus.Kind.LINK ? attributes.withPermissions(0) : attributes;
    }
  }

  private DirectoryComparison(Tree first, Tree second) {
    this.first = first;
    this.second = second;
  }

  /**
   * The first difference in the order of the paths; empty if there is none. Contents come before
   * attributes.
   */
  public static Optional<Difference> firstDifference(Path first, Path second) throws IOException {
    DirectoryComparison comparison = new DirectoryComparison(Tree.of(first), Tree.of(second));
    Optional<Difference> content = comparison.firstOf(comparison::compareContents);
    return content.isPresent() ? content : comparison.firstOf(comparison::compareAttributes);
  }

  /** Whether both hold the same, whatever their attributes. */
  public static boolean haveSameContents(Path first, Path second) throws IOException {
    DirectoryComparison comparison = new DirectoryComparison(Tree.of(first), Tree.of(second));
    return comparison.firstOf(comparison::compareContents).isEmpty();
  }

  /** Compares what has one name in both. */
  @FunctionalInterface
  private interface Comparison {
    Optional<Difference> of(Path name, FileStatus ofFirst, FileStatus ofSecond) throws IOException;
  }

  private Optional<Difference> firstOf(Comparison comparison) throws IOException {
    SortedSet<Path> names = new TreeSet<>(first.entries().keySet());
    names.addAll(second.entries().keySet());
    for (Path name : names) {
      FileStatus ofFirst = first.entries().get(name);
      FileStatus ofSecond = second.entries().get(name);
      if (ofFirst == null) {
        return Optional.of(new Difference.OnlyInSecond(name));
      }
      if (ofSecond == null) {
        return Optional.of(new Difference.OnlyInFirst(name));
      }
      Optional<Difference> difference = comparison.of(name, ofFirst, ofSecond);
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private Optional<Difference> compareContents(Path name, FileStatus ofFirst, FileStatus ofSecond)
      throws IOException {
    String firstKind = describe(first.path(name), ofFirst);
    String secondKind = describe(second.path(name), ofSecond);
    if (!firstKind.equals(secondKind)) {
      return Optional.of(new Difference.KindDiffers(name, firstKind, secondKind));
    }
    if (ofFirst.kind() == FileStatus.Kind.FILE) {
      return FileComparison.firstDifference(name, first.path(name), second.path(name));
    }
    return Optional.empty();
  }

  private Optional<Difference> compareAttributes(
      Path name, FileStatus ofFirst, FileStatus ofSecond) {
    FileAttributes firstAttributes = first.attributes(name, ofFirst);
    FileAttributes secondAttributes = second.attributes(name, ofSecond);
    if (!firstAttributes.equals(secondAttributes)) {
      return Optional.of(
          new Difference.AttributesDiffer(
              name, firstAttributes.toString(), secondAttributes.toString()));
    }
    SortedSet<Path> firstNames = first.links().of(name);
    SortedSet<Path> secondNames = second.links().of(name);
    return firstNames.equals(secondNames)
        ? Optional.empty()
        : Optional.of(
            new Difference.NamesDiffer(name, firstNames.toString(), secondNames.toString()));
  }

  private static String describe(Path path, FileStatus status) throws IOException {
    return switch (status.kind()) {
      case FILE -> "file";
      case DIRECTORY -> "directory";
      case LINK -> "link to " + Files.readSymbolicLink(path);
      case SPECIAL -> "special file";
    };
  }
}
