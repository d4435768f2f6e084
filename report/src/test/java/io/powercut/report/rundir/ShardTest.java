// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.testing.Samples;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {
  private static List<Shard> all(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(index -> new Shard(index, count)).toList();
  }

  private record Sample(long id, int count) {}

  @Test
  void everyFailurePointShouldBeInOnePartAndNoOther() {
    Samples.check(
        numbers -> new Sample(numbers.any(), numbers.between(1, 200)),
        sample ->
            assertThat(all(sample.count()))
                .filteredOn(part -> part.contains(new FailurePointId(sample.id())))
                .hasSize(1));
  }

  @Test
  void partsShouldBeReadAsTheyAreWritten() {
    Samples.check(
        numbers -> new Shard(numbers.between(1, 1000), numbers.between(1000, 999_999)),
        shard -> assertThat(Shard.parse(shard.toString())).isEqualTo(shard));
  }

  @Test
  void severalPartsShouldHaveWhatEachOfThemHas() {
    Shard several = Shard.parse("2-4/7");

    Samples.check(
        numbers -> new FailurePointId(numbers.any()),
        id ->
            assertThat(several.contains(id))
                .isEqualTo(all(7).subList(1, 4).stream().anyMatch(part -> part.contains(id))));
    assertThat(several).hasToString("2-4/7").matches(one -> one.overlaps(Shard.parse("4/7")));
    assertThat(several.overlaps(Shard.parse("5-7/7"))).isFalse();
  }

  @Test
  void partsShouldBeOfAboutTheSameSize() {
    for (Shard part : all(4)) {
      long size =
          IntStream.range(0, 4000)
              .mapToObj(number -> new FailurePointId(number * 0x9e3779b97f4a7c15L))
              .filter(part::contains)
              .count();

      assertThat(size).as(part.toString()).isBetween(900L, 1100L);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1/",
        "/2",
        "0/2",
        "3/2",
        "1/0",
        "-1/2",
        "1/2/3",
        "a/b",
        "1/1000000",
        "3-2/4",
        "1-5/4"
      })
  void whatIsNoPartShouldBeRefused(String text) {
    assertThatThrownBy(() -> Shard.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("part");
  }
}
