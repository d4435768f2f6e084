// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.persistency.scratch.Segments.Segment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static final int SEGMENT_BYTES = 1 << 19;

  /** So large that it is not looked for among the recent ones; eight make a segment. */
  private static final int LARGE = 1 << 16;

  /** Remembers what is asked of it. */
  private static final class Memory implements Scratch {
    private final Map<Long, byte[]> pieces = new HashMap<>();
    private final List<Long> written = new ArrayList<>();
    private final List<Long> read = new ArrayList<>();

    @Override
    public void write(long position, byte[] bytes) {
      pieces.put(position, bytes.clone());
      written.add(position);
    }

    @Override
    public void read(long position, byte[] into) throws IOException {
      byte[] piece = pieces.get(position);
      if (piece == null) {
        throw new IOException("nothing at " + position);
      }
      System.arraycopy(piece, 0, into, 0, into.length);
      read.add(position);
    }
  }

  /** A piece, and where it is. */
  private record Kept(Segment segment, int offset, String bytes) {}

  private final Memory memory = new Memory();
  private final Segments segments = new Segments(Optional.of(memory));

  private Kept add(int value, int length) throws IOException {
    return add(segments, value, length);
  }

  private static Kept add(Segments to, int value, int length) throws IOException {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    to.add(Arrays.copyOf(bytes, length + 3), length);
    return new Kept(to.segment(), to.offset(), HexFormat.of().formatHex(bytes));
  }

  private List<Kept> fill(int count) throws IOException {
    List<Kept> kept = new ArrayList<>();
    for (int segment = 0; segment < count; segment++) {
      for (int piece = 0; piece < SEGMENT_BYTES / LARGE; piece++) {
        kept.add(add(segment + piece, LARGE));
      }
    }
    return kept;
  }

  private void check(Segments in, Kept kept) {
    byte[] all = in.read(kept.segment());
    byte[] bytes = HexFormat.of().parseHex(kept.bytes());
    assertThat(Arrays.copyOfRange(all, kept.offset(), kept.offset() + bytes.length))
        .isEqualTo(bytes);
  }

  @Test
  void piecesShouldLieOneBehindTheOther() throws IOException {
    Kept first = add(1, 10);
    Kept second = add(2, 20);
    Kept third = add(3, 5);

    assertThat(List.of(first.offset(), second.offset(), third.offset())).containsExactly(0, 10, 30);
    assertThat(second.segment()).isSameAs(first.segment());
    check(segments, first);
    check(segments, second);
    assertThat(memory.written).isEmpty();
  }

  @Test
  void aPieceThatWasKeptAMomentAgoShouldNotBeKeptTwice() throws IOException {
    Kept first = add(1, 4096);
    Kept other = add(2, 10);
    Kept again = add(1, 4096);
    assertThat(again.offset()).isEqualTo(first.offset());
    assertThat(again.segment()).isSameAs(first.segment());
    assertThat(add(2, 11).offset()).as("a longer one is another").isNotEqualTo(other.offset());
    assertThat(add(2, 10).offset()).isEqualTo(other.offset());
    assertThat(add(2, 9).offset()).isNotEqualTo(other.offset());

    assertThat(add(5, 4097).offset()).isNotEqualTo(add(5, 4097).offset());
  }

  @Test
  void fullSegmentsShouldBeOutsideTheHeap() throws IOException {
    List<Kept> kept = fill(2);
    assertThat(memory.written).as("the second is just full").containsExactly(0L);
    Kept last = add(99, 1);

    assertThat(memory.written).containsExactly(0L, (long) SEGMENT_BYTES);
    assertThat(last.offset()).isZero();
    kept.forEach(one -> check(segments, one));
    check(segments, last);
    assertThat(memory.read).containsExactly(0L, (long) SEGMENT_BYTES);
  }

  @Test
  void segmentsThatWereReadLastShouldNotBeReadAgain() throws IOException {
    List<Kept> kept = fill(10);
    List<Segment> all = new ArrayList<>(new HashSet<>(kept.stream().map(Kept::segment).toList()));
    all.remove(segments.segment());
    assertThat(all).hasSize(9);
    for (Segment segment : all.subList(0, 8)) {
      segments.read(segment);
    }
    assertThat(memory.read).hasSize(8);
    for (Segment segment : all.subList(0, 8)) {
      segments.read(segment);
    }
    assertThat(memory.read).hasSize(8);
    segments.read(all.get(0));
    segments.read(all.get(8));
    segments.read(all.get(0));
    assertThat(memory.read).hasSize(9);
    segments.read(all.get(1));
    assertThat(memory.read).as("the one that was not asked for for longest").hasSize(10);
  }

  @Test
  void withoutRoomElsewhereAllShouldStayOnTheHeap() throws IOException {
    Segments here = new Segments(Optional.empty());
    List<Kept> kept = new ArrayList<>();
    for (int piece = 0; piece < 20; piece++) {
      kept.add(add(here, piece, LARGE));
    }
    kept.forEach(one -> check(here, one));
    assertThat(kept.get(0).segment()).isNotSameAs(kept.get(19).segment());
  }

  @Test
  void bytesThatCannotBeReadShouldBeAnError() throws IOException {
    List<Kept> kept = fill(2);
    memory.pieces.clear();

    assertThatThrownBy(() -> segments.read(kept.get(0).segment()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("nothing at 0");
  }

  @Test
  void roomOfSegmentsThatNobodyNeedsShouldBeUsedAgain() throws IOException {
    Kept first = add(77, LARGE);
    for (int round = 0; round < 50 && isNew(memory.written); round++) {
      fill(1);
      System.gc();
    }
    assertThat(isNew(memory.written)).isFalse();
    check(segments, first);
  }

  private static boolean isNew(List<Long> positions) {
    return new HashSet<>(positions).size() == positions.size();
  }
}
