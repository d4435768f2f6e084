// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.scratch;

/** Reads what a {@link ByteSink} wrote. */
public final class ByteSource {
  private final byte[] bytes;
  private int place;

  public ByteSource(byte[] bytes, int from) {
    this.bytes = bytes;
    this.place = from;
  }

  public int take() {
    return bytes[place++] & 0xff;
  }

  long takeNumber() {
    long value = 0;
    int shift = 0;
    while (true) {
      byte next = bytes[place++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
      shift += 7;
    }
  }

  public int takeInt() {
    return (int) takeNumber();
  }

  public long takeSigned() {
    long value = takeNumber();
    return value >>> 1 ^ -(value & 1);
  }

  public long takeWord() {
    long word = 0;
    for (int index = 0; index < Long.BYTES; index++) {
      word |= (long) take() << (Byte.SIZE * index);
    }
    return word;
  }
}
