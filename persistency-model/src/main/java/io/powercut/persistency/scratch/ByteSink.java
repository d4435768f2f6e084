// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.scratch;

import java.util.Arrays;

/** Bytes that are written one behind the other; numbers take as many as they need. */
public final class ByteSink {
  private byte[] bytes = new byte[256];
  private int size;

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  /** The bytes so far, in front of others; they change with the next write. */
  public byte[] bytes() {
    return bytes;
  }

  public byte[] copy() {
    return Arrays.copyOf(bytes, size);
  }

  public void put(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  /** A number that is not negative in 7 bits a byte, or a negative one in 10 bytes. */
  public void putNumber(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** A number of either sign, short if it is near to zero. */
  public void putSigned(long value) {
    putNumber(value << 1 ^ value >> 63);
  }

  public void putWord(long word) {
    room(Long.BYTES);
    for (int index = 0; index < Long.BYTES; index++) {
      bytes[size++] = (byte) (word >>> (Byte.SIZE * index));
    }
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length + more);
    }
  }
}
