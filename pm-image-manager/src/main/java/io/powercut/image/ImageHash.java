package io.powercut.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * 128 bits over all that an image is: names, sizes and contents of its files, its directories and
 * links. Holes and zeros are the same; permissions, times and owners do not count. Equal images
 * have equal hashes; different ones differ but for one chance in about 2^128, so long as nobody
 * tries. Good within one machine and version: it is not meant to be stored.
 */
public record ImageHash(long high, long low) {
  /**
   * Of the files below a directory, from scratch. Sockets, FIFOs and devices do not count.
   *
   * @throws IOException if one cannot be read
   */
  public static ImageHash of(Path directory) throws IOException {
    Sum sum = new Sum();
    for (Map.Entry<Path, FileStatus> entry : DirectoryTree.list(directory).entrySet()) {
      String name = entry.getKey().toString();
      Path path = directory.resolve(entry.getKey());
      switch (entry.getValue().kind()) {
        case FILE -> addFile(sum, name, path);
        case DIRECTORY -> sum.addDirectory(name);
        case LINK -> sum.addLink(name, Files.readSymbolicLink(path).toString());
        case SPECIAL -> {}
      }
    }
    return sum.hash();
  }

  private static void addFile(Sum sum, String name, Path path) throws IOException {
    try (SparseFile file = SparseFile.openForReading(path)) {
      long size = file.status().size();
      sum.addFile(name, size, PageSum.of(PageScan.scan(file, size)));
    }
  }

  /** 32 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }

  /** Adds up the entries of an image in any order. */
  static final class Sum {
    private long high;
    private long low;

    void addFile(String name, long size, PageSum pages) {
      add('f', name, size, pages.high(), pages.low());
    }

    void addDirectory(String name) {
      add('d', name, 0, 0, 0);
    }

    void addLink(String name, String target) {
      add(
          'l',
          name,
          target.length(),
          Mixing.mix(target, Mixing.SECOND_SEED),
          Mixing.mix(target, Mixing.FIRST_SEED));
    }

    private void add(char kind, String name, long size, long contentHigh, long contentLow) {
      high += entry(Mixing.SECOND_SEED + kind, name, size, contentHigh);
      low += entry(Mixing.FIRST_SEED + kind, name, size, contentLow);
    }

    private static long entry(long seed, String name, long size, long content) {
      return Mixing.mix(Mixing.mix(Mixing.mix(name, seed), size), content);
    }

    ImageHash hash() {
      return new ImageHash(high, low);
    }
  }
}
