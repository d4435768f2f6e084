// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one record; a field beyond the record's end is a damaged record. */
final class RawRecord {
  /** A record contradicts itself. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String problem) {
      super(problem, null, false, false);
    }
  }

  private final ByteBuffer bytes;
  private final int start;
  private final int length;
  private final long ordinal;

  RawRecord(ByteBuffer bytes, int start, int length, long ordinal) {
    this.bytes = bytes;
    this.start = start;
    this.length = length;
    this.ordinal = ordinal;
  }

  long ordinal() {
    return ordinal;
  }

  int kind() {
    return bytes.get(start) & 0xff;
  }

  int flags() {
    return bytes.get(start + 1) & 0xff;
  }

  boolean hasFlag(int flag) {
    return (flags() & flag) != 0;
  }

  int thread() {
    return bytes.getShort(start + 2) & 0xffff;
  }

  int getInt(int offset) throws DamagedException {
    requireInside(offset, Integer.BYTES);
    return bytes.getInt(start + offset);
  }

  /** A number that must not be negative, such as an id or a count. */
  int getCount(int offset) throws DamagedException {
    int value = getInt(offset);
    if (value < 0) {
      throw new DamagedException("its field at " + offset + " is negative: " + value);
    }
    return value;
  }

  long getLong(int offset) throws DamagedException {
    requireInside(offset, Long.BYTES);
    return bytes.getLong(start + offset);
  }

  /** A size or position in bytes, which must not be negative. */
  long getSize(int offset) throws DamagedException {
    long value = getLong(offset);
    if (value < 0) {
      throw new DamagedException("its field at " + offset + " is negative: " + value);
    }
    return value;
  }

  String getText(int offset, int size) throws DamagedException {
    return new String(getBytes(offset, size), StandardCharsets.UTF_8);
  }

  byte[] getBytes(int offset, int size) throws DamagedException {
    requireInside(offset, size);
    byte[] result = new byte[size];
    bytes.get(start + offset, result);
    return result;
  }

  private void requireInside(int offset, int size) throws DamagedException {
    if (size < 0 || offset < 0 || offset > length - size) {
      throw new DamagedException(
          "it is " + length + " bytes long but has a field at " + offset + " of " + size);
    }
  }
}
