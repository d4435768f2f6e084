package io.powercut.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Compares two directories of PM files byte for byte. A hole equals zeros; permissions, times and
 * owners are not compared, nor are sockets, FIFOs and devices. It reads what is allocated, not what
 * is mapped.
 */
public final class DirectoryComparison {
  private DirectoryComparison() {}

  /** The first difference in the order of the paths; empty if there is none. */
  public static Optional<Difference> firstDifference(Path first, Path second) throws IOException {
    Map<Path, FileStatus> ofFirst = DirectoryTree.list(first);
    Map<Path, FileStatus> ofSecond = DirectoryTree.list(second);
    SortedSet<Path> names = new TreeSet<>(ofFirst.keySet());
    names.addAll(ofSecond.keySet());
    for (Path name : names) {
      Optional<Difference> difference =
          compare(first, second, name, present(ofFirst, name), present(ofSecond, name));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static Optional<FileStatus> present(Map<Path, FileStatus> entries, Path name) {
    return Optional.ofNullable(entries.get(name))
        .filter(status -> status.kind() != FileStatus.Kind.SPECIAL);
  }

  private static Optional<Difference> compare(
      Path first,
      Path second,
      Path name,
      Optional<FileStatus> ofFirst,
      Optional<FileStatus> ofSecond)
      throws IOException {
    if (ofFirst.isEmpty()) {
      return ofSecond.map(status -> new Difference.OnlyInSecond(name));
    }
    if (ofSecond.isEmpty()) {
      return Optional.of(new Difference.OnlyInFirst(name));
    }
    String firstKind = describe(first.resolve(name), ofFirst.get());
    String secondKind = describe(second.resolve(name), ofSecond.get());
    if (!firstKind.equals(secondKind)) {
      return Optional.of(new Difference.KindDiffers(name, firstKind, secondKind));
    }
    if (ofFirst.get().kind() == FileStatus.Kind.FILE) {
      return FileComparison.firstDifference(name, first.resolve(name), second.resolve(name));
    }
    return Optional.empty();
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
