// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import io.powercut.persistency.PersistentFiles;
import io.powercut.persistency.states.CrashState;
import io.powercut.trace.FileAttributes;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The state of PM files held in the simplest way: whole files in memory. */
final class NaiveFiles implements PersistentFiles {
  /** A file's bytes, so that two numbers or names can mean the same file. */
  static final class Content {
    byte[] bytes = new byte[0];
    int permissions;

    Content(int permissions) {
      this.permissions = permissions;
    }
  }

  /**
   * Directories have empty content and a name that ends in a slash; links one that begins with @.
   */
  final Map<String, Content> names = new TreeMap<>();

  private final Map<Integer, Content> files = new TreeMap<>();

  static NaiveFiles read(Path directory) throws IOException {
    NaiveFiles result = new NaiveFiles();
    Map<Object, Content> inodes = new HashMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.filter(path -> !path.equals(directory)).toList()) {
        String name = directory.relativize(path).toString();
        int permissions = permissions(path);
        Content content = new Content(permissions);
        if (Files.isSymbolicLink(path)) {
          content.permissions = 0;
          content.bytes = Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8);
          result.names.put("@" + name, content);
        } else if (Files.isDirectory(path)) {
          result.names.put(name + "/", content);
        } else if (Files.isRegularFile(path)) {
          content =
              inodes.computeIfAbsent(
                  Files.getAttribute(path, "unix:ino"), inode -> new Content(permissions));
          content.bytes = Files.readAllBytes(path);
          result.names.put(name, content);
        } else {
          result.names.put("?" + name, content);
        }
      }
    }
    return result;
  }

  private static int permissions(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
  }

  /** One line for each name, with a checksum of what it has, and the first name of that. */
  String describe() {
    StringBuilder text = new StringBuilder();
    IdentityHashMap<Content, String> firstNames = new IdentityHashMap<>();
    names.forEach(
        (name, content) ->
            text.append(name)
                .append(' ')
                .append(firstNames.computeIfAbsent(content, unknown -> name))
                .append(' ')
                .append(Integer.toOctalString(content.permissions))
                .append(' ')
                .append(content.bytes.length)
                .append(' ')
                .append(checksum(content.bytes))
                .append('\n'));
    return text.toString();
  }

  /** What {@link #describe} says when some lines hold something else. */
  String describeWith(CrashState state) {
    IdentityHashMap<Content, byte[]> originals = new IdentityHashMap<>();
    for (int file : state.files()) {
      Content content = Objects.requireNonNull(files.get(file));
      originals.computeIfAbsent(content, first -> first.bytes.clone());
      for (long page : state.pages(file)) {
        state.lines(
            file,
            page,
            page + 4096,
            (offset, line) ->
                System.arraycopy(
                    line,
                    0,
                    content.bytes,
                    (int) offset,
                    Math.min(line.length, content.bytes.length - (int) offset)));
      }
    }
    String description = describe();
    originals.forEach((content, bytes) -> content.bytes = bytes);
    return description;
  }

  /** The same files, which do not change with these. */
  NaiveFiles copy() {
    NaiveFiles copy = new NaiveFiles();
    IdentityHashMap<Content, Content> contents = new IdentityHashMap<>();
    names.forEach((name, content) -> copy.names.put(name, copied(content, contents)));
    files.forEach((number, content) -> copy.files.put(number, copied(content, contents)));
    return copy;
  }

  private static Content copied(Content content, IdentityHashMap<Content, Content> contents) {
    return contents.computeIfAbsent(
        content,
        original -> {
          Content copy = new Content(original.permissions);
          copy.bytes = original.bytes.clone();
          return copy;
        });
  }

  /** What {@link #describe} says when some bytes are those of another moment. */
  String describeWithBytesOf(NaiveFiles other, RangeSet<Long> locations) {
    NaiveFiles changed = copy();
    other.files.forEach(
        (number, lender) -> {
          Content mine = changed.files.get(number);
          if (mine == null || !other.names.containsValue(lender)) {
            return;
          }
          int size = Math.min(mine.bytes.length, lender.bytes.length);
          long start = Location.of(number, 0);
          for (Range<Long> range : locations.asRanges()) {
            for (long at = range.lowerEndpoint(); at < range.upperEndpoint(); at++) {
              if (at >= start && at < start + size) {
                mine.bytes[(int) (at - start)] = lender.bytes[(int) (at - start)];
              }
            }
          }
        });
    return changed.describe();
  }

  private static long checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return checksum.getValue();
  }

  @Override
  public void define(int file, Origin origin, String path, long size) {
    Content content =
        switch (origin) {
          case EXISTING -> Objects.requireNonNull(names.get(path), path);
          case CREATED, CREATED_UNNAMED, LOST -> new Content(0644);
        };
    files.put(file, content);
    if (origin == Origin.CREATED) {
      names.put(path, content);
    }
  }

  private Content content(int file) {
    return Objects.requireNonNull(files.get(file), "file is not defined");
  }

  @Override
  public void store(int file, long offset, int size, ByteBuffer bytes, int position) {
    byte[] target = content(file).bytes;
    for (int index = 0; index < size; index++) {
      if (offset + index < target.length) {
        target[(int) offset + index] = bytes.get(position + index);
      }
    }
  }

  @Override
  public void resize(int file, long size) {
    Content content = content(file);
    content.bytes = Arrays.copyOf(content.bytes, (int) size);
  }

  @Override
  public void zero(int file, long offset, long length) {
    byte[] bytes = content(file).bytes;
    int end = (int) Math.min(bytes.length, offset + length);
    if (offset < end) {
      Arrays.fill(bytes, (int) offset, end, (byte) 0);
    }
  }

  @Override
  public void rename(int file, String path) {
    moveOut(file);
    names.put(path, content(file));
  }

  @Override
  public void moveOut(int file) {
    Content moved = content(file);
    names.values().removeIf(content -> content == moved);
  }

  @Override
  public void link(int file, String path) {
    names.put(path, content(file));
  }

  @Override
  public void delete(int file, String path, boolean hasOtherNames) {
    names.remove(path);
  }

  @Override
  public void createDirectory(String path) {
    names.put(path + "/", new Content(0755));
  }

  @Override
  public void deleteDirectory(String path) {
    names.remove(path + "/");
  }

  @Override
  public void renameDirectory(String from, String to) {
    Map<String, Content> moved = new TreeMap<>();
    names.forEach(
        (name, content) -> {
          boolean link = name.startsWith("@");
          String plain = link ? name.substring(1) : name;
          if (plain.startsWith(from + "/")) {
            moved.put(name, content);
          }
        });
    names.keySet().removeAll(moved.keySet());
    moved.forEach(
        (name, content) -> {
          boolean link = name.startsWith("@");
          String plain = link ? name.substring(1) : name;
          names.put((link ? "@" : "") + to + plain.substring(from.length()), content);
        });
  }

  @Override
  public void createSymbolicLink(String path, String target) {
    Content content = new Content(0);
    content.bytes = target.getBytes(StandardCharsets.UTF_8);
    names.put("@" + path, content);
  }

  @Override
  public void setAttributes(int file, String path, FileAttributes attributes) {
    Content content = file == 0 ? names.get(path + "/") : content(file);
    if (content != null) {
      content.permissions = attributes.permissions();
    }
  }
}
