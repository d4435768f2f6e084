// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.scratch.Segments.Segment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A run is written as place@ordinal+offset of each of its lines. */
class LineRunTest {
  private final Segment segment = new Segment();

  private static LineShape shape(int number) {
    return new LineShape(new byte[] {(byte) number}, false, true, true, false, -1, List.of());
  }

  private LineRun line(int place, long ordinal, int offset) {
    return line(1, place, ordinal, offset);
  }

  private LineRun line(int shape, int place, long ordinal, int offset) {
    return new LineRun(shape(shape), segment, place, ordinal, offset);
  }

  private static @Nullable LineRun runs(LineRun... lines) {
    LineRun runs = null;
    for (LineRun line : lines) {
      runs = LineRun.with(runs, line);
    }
    return runs;
  }

  private static List<String> shown(@Nullable LineRun runs) {
    List<String> shown = new ArrayList<>();
    for (LineRun run = runs; run != null; run = run.next()) {
      StringBuilder text = new StringBuilder();
      for (int index = 0; index < run.count(); index++) {
        text.append(index > 0 ? " " : "")
            .append(run.place(index))
            .append('@')
            .append(run.ordinal(index))
            .append('+')
            .append(run.offset(index));
      }
      shown.add(text.toString());
    }
    return shown;
  }

  @Test
  void linesOfALoopShouldBeOneRun() {
    LineRun run =
        requireNonNull(runs(line(3, 10, 0), line(5, 14, 8), line(7, 18, 16), line(9, 22, 24)));

    assertThat(shown(run)).containsExactly("3@10+0 5@14+8 7@18+16 9@22+24");
    assertThat(run.indexOf(3)).isZero();
    assertThat(run.indexOf(9)).isEqualTo(3);
    assertThat(run.indexOf(2)).isEqualTo(-1);
    assertThat(run.indexOf(4)).isEqualTo(-1);
    assertThat(run.indexOf(11)).isEqualTo(-1);
    assertThat(run.indexOf(1)).isEqualTo(-1);
  }

  @Test
  void whateverGoesOnOtherwiseShouldBeAnotherRun() {
    LineRun[] first = {line(3, 10, 0), line(5, 14, 8)};
    LineRun two = runs(first);
    assertThat(two).isNotNull();

    assertThat(shown(LineRun.with(two, line(8, 18, 16)))).hasSize(2);
    assertThat(shown(LineRun.with(two, line(7, 19, 16)))).hasSize(2);
    assertThat(shown(LineRun.with(two, line(7, 18, 17)))).hasSize(2);
    assertThat(shown(LineRun.with(two, line(2, 7, 18, 16)))).hasSize(2);
    LineRun elsewhere = new LineRun(shape(1), new Segment(), 7, 18, 16);
    assertThat(shown(LineRun.with(two, elsewhere))).hasSize(2);
    assertThat(shown(LineRun.with(two, line(7, 18, 16)))).hasSize(1);
  }

  @Test
  void aRunShouldGoForwardsInThePageOnly() {
    assertThat(shown(runs(line(5, 10, 0), line(4, 14, 8)))).containsExactly("4@14+8", "5@10+0");
    assertThat(shown(runs(line(4, 14, 8), line(5, 10, 0)))).containsExactly("4@14+8 5@10+0");
  }

  @Test
  void linesFarApartInTheTraceShouldNotBeOneRun() {
    long far = 1L << 31;
    assertThat(shown(runs(line(4, 5, 0), line(5, 5 + far, 0)))).hasSize(2);
    assertThat(shown(runs(line(4, 5, 0), line(5, 4 + far, 0))))
        .containsExactly("4@5+0 5@" + (4 + far) + "+0");
  }

  @Test
  void instructionsThatTakeTurnsShouldHaveARunEach() {
    assertThat(shown(runs(turns(4, 8)))).hasSize(4).allMatch(run -> run.split(" ").length == 2);
    assertThat(shown(runs(turns(5, 10)))).as("more turns than are looked for").hasSize(10);
  }

  private LineRun[] turns(int shapes, int lines) {
    LineRun[] all = new LineRun[lines];
    for (int index = 0; index < lines; index++) {
      all[index] = line(index % shapes, index, index, index);
    }
    return all;
  }

  @Test
  void aLineShouldLeaveItsRun() {
    LineRun run =
        requireNonNull(runs(line(9, 30, 0), line(3, 10, 0), line(5, 14, 8), line(7, 18, 16)));
    assertThat(shown(run)).containsExactly("3@10+0 5@14+8 7@18+16", "9@30+0");

    assertThat(shown(LineRun.without(run, 3))).containsExactly("5@14+8 7@18+16", "9@30+0");
    assertThat(shown(LineRun.without(run, 5))).containsExactly("3@10+0", "7@18+16", "9@30+0");
    assertThat(shown(LineRun.without(run, 7))).containsExactly("3@10+0 5@14+8", "9@30+0");
    assertThat(shown(LineRun.without(run, 9))).containsExactly("3@10+0 5@14+8 7@18+16");
    assertThat(LineRun.without(run, 4)).isSameAs(run);
    LineRun single = line(9, 30, 0);
    assertThat(LineRun.without(single, 9)).isNull();
  }

  @Test
  void aRunShouldLeaveItsPage() {
    LineRun run = requireNonNull(runs(line(1, 2, 30, 0), line(2, 3, 10, 0), line(3, 5, 14, 8)));
    LineRun second = requireNonNull(run.next());

    assertThat(shown(LineRun.withoutRun(run, run))).containsExactly("3@10+0", "2@30+0");
    assertThat(shown(LineRun.withoutRun(run, second))).containsExactly("5@14+8", "2@30+0");
    assertThat(LineRun.withoutRun(null, run)).isNull();
    assertThat(LineRun.withoutRun(run, line(1, 9, 9, 9))).isSameAs(run);
  }

  @Test
  void theRunOfALineShouldBeFound() {
    LineRun run = requireNonNull(runs(line(1, 2, 30, 0), line(2, 3, 10, 0), line(2, 4, 11, 0)));

    assertThat(LineRun.find(run, 4)).isSameAs(run);
    assertThat(LineRun.find(run, 2)).isSameAs(run.next());
    assertThat(LineRun.find(run, 5)).isNull();
    assertThat(LineRun.find(null, 5)).isNull();
  }

  @Test
  void shapesShouldBeEqualInAllThatIsKnownOfThem() {
    byte[] stores = {1, 2};
    LineShape shape = new LineShape(stores, false, true, true, false, -1, List.of());
    LineShape.Awaited awaited = new LineShape.Awaited(1, List.of(), true, true);

    assertThat(new LineShape(stores.clone(), false, true, true, false, -1, List.of()))
        .isEqualTo(shape)
        .hasSameHashCodeAs(shape);
    assertThat(shape.inline()).isEqualTo(shape.inline()).isNotEqualTo(shape);
    assertThat(shape.inline().stores()).isEmpty();
    assertThat(
            List.of(
                new LineShape(new byte[] {1, 3}, false, true, true, false, -1, List.of()),
                new LineShape(stores, true, true, true, false, -1, List.of()),
                new LineShape(stores, false, false, true, false, -1, List.of()),
                new LineShape(stores, false, true, false, false, -1, List.of()),
                new LineShape(stores, false, true, true, true, -1, List.of()),
                new LineShape(stores, false, true, true, false, 5, List.of()),
                new LineShape(stores, false, true, true, false, -1, List.of(awaited))))
        .doesNotContain(shape)
        .doesNotHaveDuplicates();
  }
}
