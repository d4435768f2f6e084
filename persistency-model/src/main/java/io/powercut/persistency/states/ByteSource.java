package io.powercut.persistency.states;

/** Reads what a {@link ByteSink} wrote. */
final class ByteSource {
  private final byte[] bytes;
  private int place;

  ByteSource(byte[] bytes, int from) {
    this.bytes = bytes;
    this.place = from;
  }

  int take() {
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

  int takeInt() {
    return (int) takeNumber();
  }

  long takeSigned() {
    long value = takeNumber();
    return value >>> 1 ^ -(value & 1);
  }

  long takeWord() {
    long word = 0;
    for (int index = 0; index < Long.BYTES; index++) {
      word |= (long) take() << (Byte.SIZE * index);
    }
    return word;
  }
}
