// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * What a file, a directory or a symbolic link has beside its content and its names.
 *
 * @param permissions the bits of 07777
 * @param owner the user's number, unsigned
 * @param group the group's number, unsigned
 * @param extended extended attributes, access control lists among them, by their full names; the
 *     values are read-only
 */
public record FileAttributes(
    int permissions, int owner, int group, SortedMap<String, ByteBuffer> extended) {
  /** All bits that permissions may have. */
  public static final int PERMISSIONS = 07777;

  private static final int BYTES_SHOWN = 16;

  /** Checks and copies. */
  public FileAttributes {
    if ((permissions & ~PERMISSIONS) != 0) {
      throw new IllegalArgumentException("permissions " + Integer.toOctalString(permissions));
    }
    extended = extended.isEmpty() ? Collections.emptySortedMap() : copy(extended);
  }

  private static SortedMap<String, ByteBuffer> copy(SortedMap<String, ByteBuffer> extended) {
    SortedMap<String, ByteBuffer> copy = new TreeMap<>();
    extended.forEach((name, value) -> copy.put(name, value.asReadOnlyBuffer()));
    return Collections.unmodifiableSortedMap(copy);
  }

  /** Without extended attributes. */
  public FileAttributes(int permissions, int owner, int group) {
    this(permissions, owner, group, Collections.emptySortedMap());
  }

  /** The same with other permissions. */
  public FileAttributes withPermissions(int other) {
    return new FileAttributes(other, owner, group, extended);
  }

  /** As in "mode 0644, owner 0:0, user.name=0x76". */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ");
    text.add(String.format(Locale.ROOT, "mode %04o", permissions));
    text.add("owner " + Integer.toUnsignedString(owner) + ":" + Integer.toUnsignedString(group));
    extended.forEach((name, value) -> text.add(name + "=" + shown(value)));
    return text.toString();
  }

  private static String shown(ByteBuffer value) {
    byte[] bytes = new byte[Math.min(BYTES_SHOWN, value.remaining())];
    value.get(value.position(), bytes);
    return "0x"
        + HexFormat.of().formatHex(bytes)
        + (bytes.length < value.remaining() ? "... (" + value.remaining() + " bytes)" : "");
  }
}
