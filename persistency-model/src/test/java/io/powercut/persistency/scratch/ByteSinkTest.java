// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is written is read again. */
class ByteSinkTest {
  private static final long[] NUMBERS = {
    0, 1, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, Long.MAX_VALUE, -1, -64, -65, Long.MIN_VALUE
  };

  private final ByteSink sink = new ByteSink();

  @Test
  void numbersShouldBeReadAgain() {
    for (long number : NUMBERS) {
      sink.putNumber(number);
      sink.putSigned(number);
      sink.putWord(number);
    }
    ByteSource source = new ByteSource(sink.bytes(), 0);
    for (long number : NUMBERS) {
      assertThat(source.takeNumber()).isEqualTo(number);
      assertThat(source.takeSigned()).isEqualTo(number);
      assertThat(source.takeWord()).isEqualTo(number);
    }
  }

  @Test
  void smallNumbersShouldTakeFewBytes() {
    sink.putNumber(127);
    assertThat(sink.size()).isEqualTo(1);
    sink.putNumber(128);
    assertThat(sink.size()).isEqualTo(3);
    sink.putSigned(-64);
    assertThat(sink.size()).isEqualTo(4);
    sink.putSigned(64);
    assertThat(sink.size()).isEqualTo(6);
    sink.putNumber(-1);
    assertThat(sink.size()).isEqualTo(16);
  }

  @Test
  void bytesShouldBeWrittenOneBehindTheOther() {
    sink.put(7);
    sink.put(200);
    sink.clear();
    sink.put(-1);
    sink.put(3);

    assertThat(sink.copy()).containsExactly(255, 3);
    ByteSource source = new ByteSource(sink.bytes(), 1);
    assertThat(source.take()).isEqualTo(3);
    assertThat(new ByteSource(sink.bytes(), 0).take()).isEqualTo(255);
  }

  /** Whatever the next write is, when the first room is full or nearly so. */
  @Test
  void thereShouldBeRoomForMore() {
    for (int before = 240; before <= 256; before++) {
      for (int kind = 0; kind < 3; kind++) {
        ByteSink full = new ByteSink();
        for (int index = 0; index < before; index++) {
          full.put(index);
        }
        switch (kind) {
          case 0 -> full.put(9);
          case 1 -> full.putNumber(-9);
          default -> full.putWord(9);
        }
        ByteSource source = new ByteSource(full.bytes(), before);
        assertThat(new ByteSource(full.bytes(), before - 1).take()).isEqualTo(before - 1);
        switch (kind) {
          case 0 -> assertThat(source.take()).isEqualTo(9);
          case 1 -> assertThat(source.takeNumber()).isEqualTo(-9);
          default -> assertThat(source.takeWord()).isEqualTo(9);
        }
      }
    }
  }
}
