// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.DirectoryTree;
import io.powercut.image.files.EntryAttributes;
import io.powercut.image.files.FileStatus;
import io.powercut.image.files.HardLinks;
import io.powercut.image.files.SparseFile;
import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * 128 bits over all that an image is: names, sizes, contents and {@linkplain FileAttributes
 * attributes} of its files, which names are names of one file, its directories and links, and its
 * own attributes. Holes and zeros are the same; times do not count. Equal images have equal hashes;
 * different ones differ but for one chance in about 2^128, unless someone constructs a collision.
 * Verdicts in a run directory name images by it; nothing depends on it but which of them share one
 * recovery.
 */
public record ImageHash(long high, long low) {
  /**
   * Of the files below a directory, from scratch. Sockets, FIFOs and devices do not count.
   *
   * @throws IOException if one cannot be read
   */
  public static ImageHash of(Path directory) throws IOException {
    Map<Path, FileStatus> entries = DirectoryTree.list(directory);
    HardLinks links = HardLinks.in(entries);
    Sum sum = new Sum();
    sum.addDirectory("", EntryAttributes.read(directory));
    for (Map.Entry<Path, FileStatus> entry : entries.entrySet()) {
      String name = entry.getKey().toString();
      Path path = directory.resolve(entry.getKey());
      FileAttributes attributes = EntryAttributes.read(path, entry.getValue());
      switch (entry.getValue().kind()) {
        case FILE -> addFile(sum, name, path, attributes, List.copyOf(links.of(entry.getKey())));
        case DIRECTORY -> sum.addDirectory(name, attributes);
        case LINK -> sum.addLink(name, Files.readSymbolicLink(path).toString(), attributes);
        case SPECIAL -> {}
      }
    }
    return sum.hash();
  }

  private static void addFile(
      Sum sum, String name, Path path, FileAttributes attributes, List<Path> names)
      throws IOException {
    try (SparseFile file = SparseFile.openForReading(path)) {
      long size = file.status().size();
      sum.addFile(name, size, PageSum.of(PageScan.scan(file, size)), attributes, names);
    }
  }

  /** 32 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }

  /** Adds up the entries of an image in any order. */
  public static final class Sum {
    private long high;
    private long low;

    /**
     * @param names all of the file's, if there are several; otherwise none
     */
    public void addFile(
        String name, long size, PageSum pages, FileAttributes attributes, List<Path> names) {
      String file = names.isEmpty() ? "" : names.get(0).toString();
      add('f', name, size, pages.high(), pages.low(), attributes, file);
    }

    public void addDirectory(String name, FileAttributes attributes) {
      add('d', name, 0, 0, 0, attributes, "");
    }

    /** Permissions of a link mean nothing. */
    public void addLink(String name, String target, FileAttributes attributes) {
      add(
          'l',
          name,
          target.length(),
          Mixing.mix(target, Mixing.SECOND_SEED),
          Mixing.mix(target, Mixing.FIRST_SEED),
          attributes.withPermissions(0),
          "");
    }

    private void add(
        char kind,
        String name,
        long size,
        long contentHigh,
        long contentLow,
        FileAttributes attributes,
        String file) {
      high += entry(Mixing.SECOND_SEED + kind, name, size, contentHigh, attributes, file);
      low += entry(Mixing.FIRST_SEED + kind, name, size, contentLow, attributes, file);
    }

    private static long entry(
        long seed, String name, long size, long content, FileAttributes attributes, String file) {
      long plain = Mixing.mix(Mixing.mix(Mixing.mix(name, seed), size), content);
      long owners =
          ((long) attributes.owner() << Integer.SIZE) | Integer.toUnsignedLong(attributes.group());
      long result = Mixing.mix(Mixing.mix(plain, attributes.permissions()), owners);
      for (Map.Entry<String, ByteBuffer> one : attributes.extended().entrySet()) {
        result = Mixing.mix(Mixing.mix(result, Mixing.mix(one.getKey(), seed)), value(one, seed));
      }
      return file.isEmpty() ? result : Mixing.mix(result, Mixing.mix(file, seed));
    }

    private static long value(Map.Entry<String, ByteBuffer> attribute, long seed) {
      ByteBuffer value = attribute.getValue();
      long result = Mixing.mix(seed, value.remaining());
      for (int index = value.position(); index < value.limit(); index++) {
        result = Mixing.mix(result, value.get(index));
      }
      return result;
    }

    public ImageHash hash() {
      return new ImageHash(high, low);
    }
  }
}
