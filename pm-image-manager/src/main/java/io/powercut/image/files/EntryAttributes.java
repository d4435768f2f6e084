// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and gives what files, directories and symbolic links have beside their content. What this
 * process may not give, or the file system does not have, it leaves out: {@link KeptAttributes}
 * reports that beforehand.
 */
public final class EntryAttributes {
  private EntryAttributes() {}

  /** Those of what the running process makes. */
  public static FileAttributes created(int permissions) {
    return new FileAttributes(permissions, Posix.user(), Posix.group());
  }

  /** Those of an entry, links not followed. */
  public static FileAttributes read(Path path) throws IOException {
    return read(
        path, FileStatus.ofLink(path).orElseThrow(() -> new NoSuchFileException(path.toString())));
  }

  /** Those of an entry whose status is known. */
  public static FileAttributes read(Path path, FileStatus status) {
    return new FileAttributes(status.permissions(), status.owner(), status.group(), extended(path));
  }

  private static SortedMap<String, ByteBuffer> extended(Path path) {
    byte[] packed = Posix.extended(SystemErrors.bytes(path));
    if (packed == null) {
      return Collections.emptySortedMap();
    }
    SortedMap<String, ByteBuffer> extended = new TreeMap<>();
    ByteBuffer bytes = ByteBuffer.wrap(packed).order(ByteOrder.nativeOrder());
    while (bytes.hasRemaining()) {
      byte[] name = new byte[bytes.getInt()];
      byte[] value = new byte[bytes.getInt()];
      bytes.get(name).get(value);
      extended.put(new String(name, StandardCharsets.UTF_8), ByteBuffer.wrap(value));
    }
    return kept(extended);
  }

  /**
   * The extended attributes that belong to a file: others the system gives to every file by its own
   * rules, as SELinux its labels.
   */
  static SortedMap<String, ByteBuffer> kept(SortedMap<String, ByteBuffer> extended) {
    if (extended.isEmpty()) {
      return extended;
    }
    SortedMap<String, ByteBuffer> kept = new TreeMap<>(extended);
    kept.keySet()
        .removeIf(name -> name.startsWith("security.") && !name.equals("security.capability"));
    return kept;
  }

  /** The same for all attributes of an entry. */
  public static FileAttributes kept(FileAttributes attributes) {
    SortedMap<String, ByteBuffer> kept = kept(attributes.extended());
    return kept.size() == attributes.extended().size()
        ? attributes
        : new FileAttributes(
            attributes.permissions(), attributes.owner(), attributes.group(), kept);
  }

  /**
   * Gives an entry its attributes.
   *
   * @param kind a link has no separate permissions
   * @param present what it has; its owner must be able to write to it
   * @return what could not be given, in words
   */
  public static Optional<String> give(
      Path path, FileStatus.Kind kind, FileAttributes present, FileAttributes wanted)
      throws IOException {
    if (present.equals(wanted)) {
      return Optional.empty();
    }
    byte[] name = SystemErrors.bytes(path);
    Optional<String> missing = Optional.empty();
    boolean isOther = present.owner() != wanted.owner() || present.group() != wanted.group();
    if (isOther && !isGiven(Posix.owner(name, wanted.owner(), wanted.group()), path)) {
      missing = Optional.of("owner");
    }
    if (!present.extended().equals(wanted.extended())) {
      Optional<String> other = giveExtended(path, present.extended(), wanted.extended());
      missing = missing.isPresent() ? missing : other;
    }
    if (kind != FileStatus.Kind.LINK) { // last: owner and access list change them, too
      SystemErrors.checked(
          Posix.permissions(name, wanted.permissions()), "set the permissions of", path);
    }
    return missing;
  }

  private static Optional<String> giveExtended(
      Path path, SortedMap<String, ByteBuffer> present, SortedMap<String, ByteBuffer> wanted)
      throws IOException {
    byte[] file = SystemErrors.bytes(path);
    Optional<String> missing = Optional.empty();
    for (String name : present.keySet()) {
      if (!wanted.containsKey(name)) {
        isGiven(Posix.removeExtended(file, name.getBytes(StandardCharsets.UTF_8)), path);
      }
    }
    for (Map.Entry<String, ByteBuffer> attribute : wanted.entrySet()) {
      String name = attribute.getKey();
      ByteBuffer value = attribute.getValue().duplicate();
      if (!value.equals(present.get(name))) {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        int result = Posix.setExtended(file, name.getBytes(StandardCharsets.UTF_8), bytes);
        if (!isGiven(result, path)) {
          missing = Optional.of("extended attribute " + name);
        }
      }
    }
    return missing;
  }

  private static boolean isGiven(int result, Path path) throws IOException {
    return switch (-result) {
      case Posix.NOT_PERMITTED, Posix.ACCESS_DENIED, Posix.INVALID, Posix.NOT_SUPPORTED -> false;
      default -> {
        SystemErrors.checked(result, "set the attributes of", path);
        yield true;
      }
    };
  }
}
