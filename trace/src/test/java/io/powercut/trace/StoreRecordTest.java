// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreRecordTest {
  private static StoreRecord store(ByteBuffer bytes, int size, int offset) {
    return new StoreRecord(0, 1, 0, 1, 1, Location.of(1, 0), size, bytes, offset);
  }

  @ParameterizedTest
  @CsvSource({
    "16, 0, 0807060504030201",
    "16, 8, 100f0e0d0c0b0a09",
    "11, 8, 00000000000b0a09",
    "3, 0, 0000000000030201",
    "3, 8, 0000000000000000"
  })
  void wordsShouldEndWithTheStore(int size, int first, String expected) {
    ByteBuffer bytes = ByteBuffer.allocate(24);
    for (int index = 0; index < bytes.capacity(); index++) {
      bytes.put(index, (byte) (index - 3)); // The store begins at index 4, with a 1.
    }
    assertEquals(expected, "%016x".formatted(store(bytes, size, 4).word(first)));
  }

  @Test
  void byteOrderOfABufferShouldNotMatter() {
    ByteBuffer bytes = ByteBuffer.allocate(8).put(0, (byte) 1);
    assertEquals(1, store(bytes, 8, 0).word(0));
    assertEquals(1, store(bytes.order(ByteOrder.LITTLE_ENDIAN), 8, 0).copy().word(0));
  }
}
