// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.LineRead;
import io.powercut.orchestrator.judging.VerdictCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KnownReadsTest {
  private static final ImageLine FIRST = new ImageLine("pool", 0);
  private static final ImageLine SECOND = new ImageLine("pool", 64);

  private final KnownReads known = new KnownReads();

  private static VerdictCache.Key image(int number) {
    return new VerdictCache.Key(new ImageHash(number, number), OptionalLong.empty(), List.of());
  }

  @Test
  void imageThatWasNotSeenShouldBeUnknown() {
    known.add(image(1), Map.of(FIRST, -1L), (path, offset) -> LineRead.NONE);
    assertThat(known.find(image(2), Map.of(FIRST, -1L))).isEmpty();
  }

  @Test
  void linesShouldBeAsTheyWereSeen() {
    Map<ImageLine, Long> asked = Map.of(FIRST, -1L, SECOND, -1L);
    known.add(
        image(1),
        asked,
        (path, offset) -> offset == SECOND.offset() ? LineRead.ALL : LineRead.NONE);
    assertThat(known.find(image(1), asked).orElseThrow().of("pool", 8).isAny()).isFalse();
    assertThat(known.find(image(1), asked).orElseThrow().of("pool", 72).isAny()).isTrue();
  }

  @Test
  void bytesThatWereNotAskedForShouldCountAsRead() {
    known.add(image(1), Map.of(FIRST, 0xffL), (path, offset) -> LineRead.NONE);
    assertThat(known.find(image(1), Map.of(FIRST, 0x0fL)).orElseThrow().of("pool", 0).isAny())
        .isFalse();
    assertThat(known.find(image(1), Map.of(FIRST, 0x1ffL)).orElseThrow().of("pool", 0).isAny())
        .isTrue();
    assertThat(known.find(image(1), Map.of()).orElseThrow().of("pool", 0).isAny()).isTrue();
    assertThat(known.find(image(1), Map.of(SECOND, 1L)).orElseThrow().of("pool", 64).isAny())
        .isTrue();
  }

  @Test
  void bytesAndTurnShouldBeAsTheyWereSeen() {
    known.add(image(1), Map.of(FIRST, 0xffffL), (path, offset) -> new LineRead(0x0ff0, 7));
    assertThat(known.find(image(1), Map.of(FIRST, 0xfff0ffL)).orElseThrow().of("pool", 0))
        .as("of the third byte nothing is known")
        .isEqualTo(new LineRead(0xff00f0, 7));
  }

  @Test
  void oldestImagesShouldBeForgotten() {
    Map<ImageLine, Long> many = new HashMap<>();
    for (int line = 0; line < 1000; line++) {
      many.put(new ImageLine("pool", line * 64L), -1L);
    }
    for (int number = 0; number < 100; number++) {
      known.add(image(number), many, (path, offset) -> LineRead.NONE);
    }
    assertThat(known.find(image(0), many)).isEmpty();
    assertThat(known.find(image(99), many)).isPresent();
  }
}
