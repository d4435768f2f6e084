// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.lines.LineHistory.Flushed;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One line, by what is done to it. Stores put their own ordinals into all of their bytes. */
class LineHistoryTest {
  private static final int PAST_CACHE = StoreFlags.NON_TEMPORAL;

  private final OneLine one = new OneLine(new byte[64]);
  private final InFlightPlaces places = one.places;
  private final LineHistory line = one.line;

  private static Flushed flush(long ordinal) {
    return new Flushed(ordinal, FlushKind.CLWB, 1, 1);
  }

  /** Each as its ordinal and the bytes that are meant, as bits. */
  private static List<String> shown(List<InFlightStore> stores) {
    return stores.stream()
        .map(store -> store.ordinal() + ":" + Long.toHexString(store.bytes()))
        .toList();
  }

  private List<String> newest(long wanted) {
    List<String> found = new ArrayList<>();
    line.forEachNewest(
        wanted, (store, of) -> found.add(store.ordinal() + ":" + Long.toHexString(of)));
    return found;
  }

  @Test
  void onlyWhatNothingCameOverShouldBeNewest() {
    one.add(1, 0, 8);
    assertThat(shown(line.newestStores())).containsExactly("1:ff");
    one.add(2, 4, 8);
    one.add(3, 6, 2);
    one.add(4, 20, 4);

    assertThat(shown(line.newestStores())).containsExactly("1:f", "2:f30", "3:c0", "4:f00000");
    assertThat(newest(-1)).containsExactly("4:f00000", "3:c0", "2:f30", "1:f");
    assertThat(newest(0x81)).containsExactly("3:80", "1:1");
    assertThat(newest(0xf000)).isEmpty();
    one.add(5, 0, 64);
    assertThat(shown(line.newestStores())).containsExactly("5:ffffffffffffffff");
  }

  @Test
  void cachedStoresBehindTheLastFlushShouldBeDirty() {
    one.add(1, 0, 8);
    line.flush(1, flush(2));
    one.add(3, 8, 8);
    one.add(4, 16, 8, PAST_CACHE, 1);
    one.add(5, 8, 4);
    one.add(6, 8, 8);
    line.flush(2, flush(2));

    assertThat(shown(line.dirtyStores())).containsExactly("3:ff00", "5:f00", "6:ff00");
    assertThat(shown(line.newestDirtyStores())).containsExactly("6:ff00");
    one.add(7, 60, 4);
    assertThat(shown(line.newestDirtyStores())).containsExactly("6:ff00", "7:f000000000000000");
    line.flush(2, flush(8));
    assertThat(line.dirtyStores()).isEmpty();
  }

  @Test
  void theFirstFlushThatCoversAStoreShouldBeFound() {
    InFlightStore first = one.add(1, 0, 8);
    line.flush(2, flush(5));
    line.flush(1, flush(3));
    InFlightStore later = one.add(6, 8, 8);
    InFlightStore pastCache = one.add(7, 16, 8, PAST_CACHE, 1);
    line.flush(1, flush(9));

    assertThat(line.flushOf(first)).isEqualTo(flush(3));
    assertThat(line.flushOf(first, 1)).isEqualTo(flush(3));
    assertThat(line.flushOf(first, 2)).isEqualTo(flush(5));
    assertThat(line.flushOf(later)).isEqualTo(flush(9));
    assertThat(line.flushOf(later, 2)).isNull();
    assertThat(line.flushOf(first, 3)).isNull();
    assertThat(line.flushOf(pastCache)).isNull();
    assertThat(line.flushOf(pastCache, 1)).isNull();
  }

  @Test
  void aFlushShouldBeOfUseOnceForAStoreAndAThread() {
    assertThat(line.hasUseForFlush(1)).isFalse();
    one.add(1, 0, 8, PAST_CACHE, 1);
    assertThat(line.hasUseForFlush(1)).isFalse();
    assertThat(line.flush(1, flush(2))).isFalse();
    one.add(3, 8, 8);
    assertThat(line.flush(1, flush(4))).as("the thread's next fence does something").isTrue();
    assertThat(line.flush(1, flush(5))).isFalse();
    one.add(6, 8, 8);
    assertThat(line.hasUseForFlush(1)).isTrue();
    assertThat(line.flush(1, flush(7))).as("it does already").isFalse();
    assertThat(line.flush(2, flush(8))).isTrue();
  }

  @Test
  void aFenceShouldBeAwaitedForWhatItsThreadFlushedOrStoredPastTheCache() {
    one.add(1, 0, 8);
    assertThat(line.isAwaited(1)).isFalse();
    line.flush(1, flush(2));
    one.add(3, 8, 8, PAST_CACHE, 2);
    assertThat(line.storedPastCache(2)).isTrue();
    assertThat(line.storedPastCache(2)).isFalse();

    assertThat(line.isAwaited(1)).isTrue();
    assertThat(line.isAwaited(2)).isTrue();
    assertThat(line.isAwaited(3)).isFalse();
    line.fence(1);
    assertThat(line.isAwaited(1)).isFalse();
    assertThat(shown(line.stores())).containsExactly("3:ff00");
    assertThat(line.hasCached()).isFalse();
    line.fence(2);
    assertThat(line.isEmpty()).isTrue();
    assertThat(places.set()).isZero();
  }

  @Test
  void bytesThatBecomeZeroShouldNotBeInFlight() {
    one.add(1, 0, 16);
    one.add(2, 8, 8);
    one.add(3, 32, 4);
    line.zero(0xff0fL);

    assertThat(shown(line.stores())).containsExactly("1:f0", "3:f00000000");
    assertThat(shown(line.newestStores())).containsExactly("1:f0", "3:f00000000");
    assertThat(line.programOrder()[0]).isEqualTo(0x01010101L << 32);
    assertThat(line.programOrder()[1]).isZero();
    assertThat(newest(-1)).containsExactly("3:f00000000", "1:f0");
    assertThat(places.places()).containsExactlyInAnyOrder(1, 3);
  }

  @Test
  void nothingShouldBeLeftOfALineThatIsForgotten() {
    one.add(1, 0, 8);
    one.add(2, 8, 8);
    line.forget();

    assertThat(line.size()).isZero();
    assertThat(line.isEmpty()).isTrue();
    assertThat(places.set()).isZero();
    assertThat(newest(-1)).isEmpty();
  }

  // More stores than are kept

  /** The first two have bytes of their own; all others come over one another. */
  private void addTooMany() {
    one.add(1, 0, 8);
    one.add(2, 4, 8);
    for (long ordinal = 3; ordinal <= LineHistory.MOST_STORES; ordinal++) {
      one.add(ordinal, 16, 8);
    }
    assertThat(line.forgotten()).isZero();
    one.add(LineHistory.MOST_STORES + 1, 16, 8);
  }

  @Test
  void theOlderHalfShouldBeForgottenAndNotWhatItLeft() {
    addTooMany();

    assertThat(line.forgotten()).isEqualTo(2048);
    assertThat(line.size()).isEqualTo(2049);
    assertThat(line.stores().get(0).ordinal()).isEqualTo(2049);
    assertThat(shown(line.buried())).containsExactly("1:f", "2:ff0");
    long[] gap = line.afterGap();
    assertThat(gap).isNotNull().startsWith(0x0202020201010101L, 0x02020202L);
    assertThat(line.programOrder()).startsWith(0x0202020201010101L, 0x02020202L);
    assertThat(line.guaranteedWords()).containsOnly(0);
    assertThat(shown(line.newestStores())).containsExactly("1:f", "2:ff0", "4097:ff0000");
    assertThat(newest(-1)).containsExactly("4097:ff0000", "1:f", "2:ff0");
    assertThat(newest(0x11)).containsExactly("1:1", "2:10");
    assertThat(line.hasCached()).isTrue();
    assertThat(line.snapshot().forgotten()).isEqualTo(2048);
    assertThat(line.snapshot().start()).startsWith(0x0202020201010101L, 0x02020202L);
  }

  @Test
  void whatWasForgottenShouldBecomeZeroToo() {
    addTooMany();
    line.zero(0xf0fL);

    long[] gap = line.afterGap();
    assertThat(gap).isNotNull().startsWith(0x0202020200000000L, 0);
    assertThat(shown(line.buried())).containsExactly("2:f0");
    assertThat(newest(0xffff)).containsExactly("2:f0");
    line.zero(-1);
    assertThat(line.buried()).isEmpty();
    assertThat(line.stores()).isEmpty();
  }

  @Test
  void whatWasForgottenShouldBeGuaranteedWithAnything() {
    addTooMany();
    line.flush(1, flush(5000));
    assertThat(line.isAwaited(1)).isTrue();
    line.fence(1);

    assertThat(line.isEmpty()).isTrue();
    assertThat(line.buried()).isEmpty();
    assertThat(line.forgotten()).isZero();
    assertThat(line.guaranteedWords()).startsWith(0x0202020201010101L, 0x02020202L);
    assertThat(places.set()).isZero();
  }

  @Test
  void storesPastTheCacheShouldBeForgottenWhereTheyHaveTooManyOrders() {
    int count = 0;
    while (line.forgotten() == 0 && count < 1000) {
      one.add(++count, 0, 8, PAST_CACHE, 1);
    }
    // (n + 4)^8 contents at most must be less than 2^62.
    assertThat(count).isEqualTo(213);
    assertThat(line.forgotten()).isEqualTo(106);
    assertThat(line.hasCached()).as("what was forgotten may have been").isTrue();
  }

  @Test
  void flushesThatNoFenceFollowsShouldBeForgottenAsWell() {
    for (long ordinal = 1; ordinal <= 2L * LineHistory.MOST_STORES; ordinal += 2) {
      one.add(ordinal, 0, 8);
      line.flush(1, flush(ordinal + 1));
    }
    assertThat(line.waits().get(0).flushes()).hasSize(LineHistory.MOST_STORES);
    one.add(10_000, 0, 8);
    line.flush(1, flush(10_001));
    assertThat(line.waits().get(0).flushes()).hasSize(LineHistory.MOST_STORES / 2 + 1);
    assertThat(line.waits().get(0).flushed()).isEqualTo(10_001);
  }

  @Test
  void recordsOfOneStoreShouldBeOneUnlessAFlushCameBetween() {
    one.add(1, 0, 8);
    one.add(1, 8, 8);
    assertThat(shown(line.stores())).containsExactly("1:ffff");
    line.flush(1, flush(2));
    one.add(1, 16, 8);
    assertThat(shown(line.stores())).containsExactly("1:ffff", "1:ff0000");
  }

  /** Something that is done to a line, with the place in the trace. */
  private interface Step {
    void on(OneLine one, int ordinal);
  }

  private static Step step(Random random) {
    int thread = 1 + random.nextInt(2);
    int from = 8 * random.nextInt(8);
    int flags = random.nextInt(3) == 0 ? PAST_CACHE : 0;
    long bytes = LineWords.bytes(from, from + 8);
    return switch (random.nextInt(12)) {
      case 0 -> (one, ordinal) -> one.line.fence(thread);
      case 1 -> (one, ordinal) -> one.line.writeBack();
      case 2 -> (one, ordinal) -> one.line.zero(bytes);
      case 3 -> (one, ordinal) -> one.line.ignore(bytes);
      case 4 -> (one, ordinal) -> one.line.forget();
      case 5, 6, 7 -> (one, ordinal) -> one.line.flush(thread, flush(ordinal));
      case 8 -> (one, ordinal) -> one.line.storedPastCache(thread);
      default -> (one, ordinal) -> one.add(ordinal, from, 8, flags, thread);
    };
  }

  private String snapshot(OneLine one) {
    StoredLine line = one.line.snapshot();
    return Arrays.toString(line.guaranteed())
        + shown(line.stores())
        + line.codes()
        + line.flushed()
        + line.forgotten();
  }

  @Test
  void snapshotShouldBeOfNowWhateverWasAskedBefore() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      OneLine asked = new OneLine(new byte[64]);
      List<Step> steps = new ArrayList<>();
      for (int ordinal = 1; ordinal < 20; ordinal++) {
        steps.add(step(random));
        steps.get(ordinal - 1).on(asked, ordinal);
        OneLine fresh = new OneLine(new byte[64]);
        for (int past = 1; past <= ordinal; past++) {
          steps.get(past - 1).on(fresh, past);
        }

        assertThat(snapshot(asked)).isEqualTo(snapshot(fresh));
      }
    }
  }
}
