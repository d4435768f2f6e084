// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.lines.LineHistory.Flushed;
import io.powercut.persistency.lines.LineHistory.Wait;
import io.powercut.persistency.scratch.Segments;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What was known of a line is known again. */
class LineCodecTest {
  private static final int PAST_CACHE = StoreFlags.NON_TEMPORAL;

  private final LineCodec codec = new LineCodec(new Segments(Optional.empty()));
  private final OneLine one = new OneLine(new byte[64]);

  private static String shown(InFlightStore store, int firstGroup) {
    return store.ordinal()
        + " by "
        + store.thread()
        + " at "
        + store.code()
        + " group "
        + (store.isNonTemporal() ? 0 : store.group() - firstGroup)
        + " flags "
        + store.flags()
        + " bytes "
        + Long.toHexString(store.bytes())
        + " "
        + HexFormat.of().formatHex(store.value());
  }

  private static List<String> shown(List<InFlightStore> stores) {
    int first =
        stores.stream().mapToInt(InFlightStore::group).filter(any -> any > 0).min().orElse(0);
    return stores.stream().map(store -> shown(store, first)).toList();
  }

  private LineRun check(LineHistory line, boolean unfinished) throws IOException {
    LineRun run = codec.encode(line, 7, unfinished);
    LineCodec.Decoded decoded = codec.decode(run, 0);
    assertThat(run.place(0)).isEqualTo(7);
    assertThat(shown(decoded.stores())).isEqualTo(shown(line.stores()));
    assertThat(shown(decoded.buried())).isEqualTo(shown(line.buried()));
    assertThat(decoded.guaranteed()).isEqualTo(line.guaranteedWords());
    assertThat(codec.guaranteed(run, 0)).isEqualTo(line.guaranteedWords());
    assertThat(decoded.gap()).isEqualTo(line.afterGap());
    assertThat(decoded.forgotten()).isEqualTo(line.forgotten());
    assertThat(decoded.lastCached()).isEqualTo(unfinished ? line.lastCached() : -1);
    assertThat(run.shape().changes())
        .isEqualTo(
            line.afterGap() != null || !Arrays.equals(line.guaranteedWords(), line.programOrder()));
    return run;
  }

  private static Flushed flush(long ordinal) {
    return new Flushed(ordinal, FlushKind.CLFLUSHOPT, 3, 4);
  }

  @Test
  void storesShouldBeKnownAgain() throws IOException {
    one.add(5, 0, 8);
    one.add(5, 8, 4);
    one.add(9, 12, 4);
    one.add(10, 20, 1, PAST_CACHE, 2);
    one.add(11, 16, 8);
    one.line.zero(0xff0002L);
    LineRun run = check(one.line, false);
    check(one.line, true);

    assertThat(run.ordinal(0)).isEqualTo(5);
    assertThat(run.shape().isInline()).isFalse();
    assertThat(run.shape().isZeroBefore()).isTrue();
  }

  @Test
  void whatTheLineHeldBeforeShouldBeKnownAgain() throws IOException {
    byte[] content = new byte[64];
    content[63] = 1;
    OneLine held = new OneLine(content);
    held.add(5, 0, 8);
    assertThat(check(held.line, false).shape().isZeroBefore()).isFalse();
    OneLine same = new OneLine(content);
    same.add(1, 63, 1);
    assertThat(check(same.line, false).shape().changes()).isFalse();
  }

  @Test
  void manyDifferentStoresShouldBeKeptWithTheLine() throws IOException {
    for (int ordinal = 1; ordinal <= 60; ordinal++) {
      one.add(ordinal, ordinal, 2);
    }
    assertThat(check(one.line, false).shape().isInline()).isFalse();
    for (int ordinal = 61; ordinal <= 200; ordinal++) {
      one.add(ordinal, ordinal % 60, 3);
    }
    LineRun first = check(one.line, false);
    assertThat(first.shape().isInline()).isTrue();
    assertThat(check(one.line, false).shape()).isSameAs(first.shape());
    one.add(201, 0, 3);
    assertThat(check(one.line, false).shape()).isSameAs(first.shape());
    assertThat(codec.decode(first, 0).stores()).hasSize(200);
  }

  @Test
  void whatWasForgottenShouldBeKnownAgain() throws IOException {
    one.add(1, 0, 8);
    one.add(2, 4, 8);
    for (int ordinal = 3; ordinal <= LineHistory.MOST_STORES + 1; ordinal++) {
      one.add(ordinal, 16, 8);
    }
    assertThat(one.line.buried()).hasSize(2);
    assertThat(check(one.line, false).shape().hasGap()).isTrue();
    one.line.zero(-1);
    assertThat(one.line.stores()).isEmpty();
    check(one.line, false);
  }

  @Test
  void whatStoresWaitForShouldBeKnownAgain() throws IOException {
    InFlightStore first = one.add(5, 0, 8);
    one.line.flush(1, flush(6));
    InFlightStore second = one.add(7, 8, 8);
    one.line.flush(2, flush(8));
    one.line.flush(1, flush(9));
    InFlightStore third = one.add(10, 16, 8);
    InFlightStore fourth = one.add(11, 24, 8, PAST_CACHE, 3);
    one.line.storedPastCache(3);

    List<Wait> waits = codec.decode(check(one.line, false), 0).waits();

    assertThat(waits).extracting(Wait::thread).containsExactly(1, 2, 3);
    assertThat(waits).extracting(Wait::nonTemporal).containsExactly(false, false, true);
    assertThat(waits.get(0).flushes()).containsExactly(flush(6), flush(8));
    assertThat(waits.get(1).flushes()).containsExactly(flush(8));
    assertThat(waits.stream().map(wait -> wait.isFor(first))).containsExactly(true, true, false);
    assertThat(waits.stream().map(wait -> wait.isFor(second))).containsExactly(true, true, false);
    assertThat(waits).noneMatch(wait -> wait.isFor(third));
    assertThat(waits.get(2).isFor(fourth)).isTrue();
    LineHistory again = new LineHistory(1, codec.decode(check(one.line, true), 0), one.places);
    assertThat(again.groupOf(again.lastCached())).isEqualTo(third.group());
    assertThat(again.groupOf(12)).isEqualTo(third.group() + 1);
  }

  @Test
  void aFenceAfterWhichNothingIsLeftShouldBeKnown() throws IOException {
    one.add(5, 0, 8);
    one.line.flush(1, flush(6));
    assertThat(check(one.line, false).shape().awaited())
        .singleElement()
        .matches(LineShape.Awaited::everything);
    one.add(7, 0, 8);
    assertThat(check(one.line, false).shape().awaited())
        .singleElement()
        .matches(awaited -> !awaited.everything());
  }

  @Test
  void linesOfOneLoopShouldHaveOneShape() throws IOException {
    List<LineShape> shapes = new ArrayList<>();
    for (int ordinal = 1; ordinal < 5; ordinal++) {
      OneLine each = new OneLine(new byte[64]);
      each.line.add(one.add(1, 0, 8));
      shapes.add(check(each.line, false).shape());
    }
    assertThat(shapes).allSatisfy(shape -> assertThat(shape).isSameAs(shapes.get(0)));
  }
}
