// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CostlyPagesTest {
  private static final ImageLine BUSY = new ImageLine("pool", 4096 + 64);
  private static final ImageLine BESIDE_IT = new ImageLine("pool", 4096 + 128);
  private static final ImageLine QUIET = new ImageLine("pool", 8192);

  private final CostlyPages pages = new CostlyPages();

  @Test
  void costlyPageShouldNotBeWatchedAgain() {
    Map<ImageLine, Long> asked = Map.of(BUSY, 1L, BESIDE_IT, 2L, QUIET, 4L);
    assertThat(pages.worthWatching(asked, Effort.USUAL)).isEqualTo(asked);
    pages.learn(BUSY, 2000);
    pages.learn(QUIET, 20);

    assertThat(pages.worthWatching(asked, Effort.USUAL)).isEqualTo(Map.of(QUIET, 4L));
  }

  @Test
  void moreEffortShouldWatchAll() {
    pages.learn(BUSY, 2000);
    Map<ImageLine, Long> asked = Map.of(BUSY, 1L);

    assertThat(pages.worthWatching(asked, Effort.FOLLOWED)).isEqualTo(asked);
    assertThat(pages.worthWatching(asked, Effort.THOROUGH)).isEqualTo(asked);
  }

  @Test
  void pageThatIsNoLongerCostlyShouldBeWatchedInTheEnd() {
    pages.learn(BUSY, 2000);
    Map<ImageLine, Long> asked = Map.of(BUSY, 1L, BESIDE_IT, 2L);
    long tried =
        IntStream.range(0, 64)
            .filter(time -> !pages.worthWatching(asked, Effort.USUAL).isEmpty())
            .count();
    pages.learn(BESIDE_IT, 20);

    assertThat(tried).isEqualTo(2);
    assertThat(pages.worthWatching(asked, Effort.USUAL)).isEqualTo(asked);
  }

  @Test
  void watchOfCostlyPagesAloneShouldBeAnsweredAtOnce() {
    pages.learn(BUSY, 2000);
    ReadsWatch watch = new ReadsWatch(Map.of(BUSY, 1L), Effort.USUAL, pages);

    assertThat(watch.isAsked()).isTrue();
    ImageReads all = watch.answer().orElseThrow();
    assertThat(all.of("pool", BUSY.offset())).isEqualTo(LineRead.ALL);
    assertThat(all.isCoarse()).isTrue();
    assertThat(new ReadsWatch(Map.of(BUSY, 1L), Effort.FOLLOWED, pages).isAsked()).isFalse();
  }
}
