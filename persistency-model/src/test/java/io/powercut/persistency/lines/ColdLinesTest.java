// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.scratch.Segments.Segment;
import io.powercut.trace.Location;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColdLinesTest {
  private static final long LAST = -1;
  private static final long PAGE = 4096;
  private static final long BLOCK = 1L << 21;

  private final Segment segment = new Segment();
  private final ColdLines lines = new ColdLines();

  private static long at(long offset) {
    return Location.of(1, offset);
  }

  private void add(long location) {
    // No two lines of a page have the same shape, so each is a run by itself.
    byte[] stores = {(byte) ColdLines.place(location)};
    LineShape shape = new LineShape(stores, false, true, true, false, -1, List.of());
    lines.add(location, new LineRun(shape, segment, ColdLines.place(location), location, 0));
  }

  private static List<Long> visited(ColdLines.Moment moment, long first, long last) {
    List<Long> pages = new ArrayList<>();
    moment.visit(
        first,
        last,
        (page, run) -> {
          pages.add(page);
          return true;
        });
    return pages;
  }

  private List<Long> pages(long first, long last) {
    return List.copyOf(lines.pages(first, last));
  }

  private static BitSet files(int... numbers) {
    BitSet files = new BitSet();
    for (int number : numbers) {
      files.set(number);
    }
    return files;
  }

  @Test
  void placesShouldBeCountedInThePage() {
    assertThat(ColdLines.place(at(0))).isZero();
    assertThat(ColdLines.place(at(PAGE + 64))).isEqualTo(1);
    assertThat(ColdLines.place(at(2 * PAGE - 64))).isEqualTo(63);
    assertThat(ColdLines.page(at(2 * PAGE - 64))).isEqualTo(at(PAGE));
  }

  @Test
  void linesShouldComeAndGo() {
    assertThat(lines.runs(at(0))).isNull();
    add(at(64));
    add(at(PAGE));
    add(at(BLOCK));
    assertThat(lines.size()).isEqualTo(3);
    assertThat(lines.runs(at(0))).isNotNull();
    assertThat(lines.runs(at(2 * PAGE))).isNull();
    assertThat(lines.runs(at(BLOCK + PAGE))).isNull();

    lines.remove(at(64));
    lines.remove(at(3 * PAGE));
    assertThat(lines.size()).isEqualTo(2);
    assertThat(lines.runs(at(0))).isNull();
    lines.remove(at(PAGE));
    lines.remove(at(BLOCK));
    assertThat(lines.size()).isZero();
    assertThat(lines.moment().size(files(1))).isZero();
  }

  @Test
  void momentShouldStayWhatItIs() {
    add(at(0));
    add(at(BLOCK));
    ColdLines.Moment before = lines.moment();
    assertThat(lines.moment()).isSameAs(before);

    add(at(PAGE));
    lines.remove(at(BLOCK));
    ColdLines.Moment after = lines.moment();
    add(at(2 * PAGE));
    add(at(3 * PAGE));

    assertThat(visited(before, 0, LAST)).containsExactly(at(0), at(BLOCK));
    assertThat(before.size(files(1))).isEqualTo(2);
    assertThat(visited(after, 0, LAST)).containsExactly(at(0), at(PAGE));
    assertThat(after.size(files(1))).isEqualTo(2);
    assertThat(visited(lines.moment(), 0, LAST)).hasSize(4);
  }

  @Test
  void pagesOfARangeShouldBeFound() {
    List<Long> all = List.of(at(0), at(PAGE), at(5 * PAGE), at(BLOCK), at(3 * BLOCK + PAGE));
    all.forEach(this::add);
    long other = Location.of(2, 64);
    add(other);
    ColdLines.Moment moment = lines.moment();

    for (int first = 0; first < all.size(); first++) {
      for (int last = first; last < all.size(); last++) {
        List<Long> wanted = all.subList(first, last + 1);
        long from = all.get(first) + 128;
        long to = all.get(last) + 192;
        assertThat(pages(from, to)).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(visited(moment, from, to)).isEqualTo(wanted);
        assertThat(visited(moment, all.get(first), all.get(last))).isEqualTo(wanted);
      }
    }
    assertThat(pages(at(2 * PAGE), at(4 * PAGE))).isEmpty();
    assertThat(visited(moment, at(2 * PAGE), at(4 * PAGE))).isEmpty();
    assertThat(pages(at(PAGE), at(0))).isEmpty();
    assertThat(pages(at(2 * BLOCK), at(2 * BLOCK + PAGE))).isEmpty();
    assertThat(pages(0, LAST >>> 1)).hasSize(6);
    assertThat(visited(moment, 0, LAST)).hasSize(6).last().isEqualTo(ColdLines.page(other));
  }

  @Test
  void visitShouldEndWhenItIsTold() {
    add(at(0));
    add(at(64));
    add(at(PAGE));
    add(at(BLOCK));
    for (int wanted = 1; wanted <= 4; wanted++) {
      int most = wanted;
      List<Long> pages = new ArrayList<>();
      lines
          .moment()
          .visit(
              0,
              LAST,
              (page, run) -> {
                pages.add(page);
                return pages.size() < most;
              });
      assertThat(pages).hasSize(wanted);
    }
  }

  @Test
  void filesShouldBeToldApart() {
    add(Location.of(1, 0));
    add(Location.of(2, 0));
    add(Location.of(2, BLOCK));
    add(Location.of(40_000, 0));
    ColdLines.Moment moment = lines.moment();

    assertThat(moment.size(files(1))).isEqualTo(1);
    assertThat(moment.size(files(2, 3))).isEqualTo(2);
    assertThat(moment.size(files(1, 2, 40_000))).isEqualTo(4);
    List<Integer> found = new ArrayList<>();
    moment.files(2, 39_999, found::add);
    assertThat(found).containsOnly(2);
    found.clear();
    moment.files(1, 40_000, found::add);
    assertThat(found).contains(1, 2, 40_000);
    assertThat(moment.runs(Location.of(2, BLOCK))).isNotNull();
    assertThat(moment.runs(Location.of(2, BLOCK + PAGE))).isNull();
    assertThat(moment.runs(Location.of(3, 0))).isNull();
    assertThat(visited(moment, Location.of(40_000, 0), LAST)).hasSize(1);
  }
}
