// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubsetSearchTest {
  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 40})
  void shouldFindEverySingleElement(int size) {
    for (int wanted = 0; wanted < size; wanted++) {
      int culprit = wanted;
      assertThat(SubsetSearch.smallest(numbers(size), part -> part.contains(culprit)))
          .containsExactly(culprit);
    }
  }

  @Test
  void shouldFindSetsOfAnySize() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      int size = 1 + random.nextInt(30);
      Set<Integer> wanted = new HashSet<>();
      for (int number = 0; number < size; number++) {
        if (random.nextInt(6) == 0) {
          wanted.add(number);
        }
      }
      List<Integer> found = SubsetSearch.smallest(numbers(size), part -> part.containsAll(wanted));
      assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
    }
  }

  /** Either of two pairs will do; it must not end with both. */
  @Test
  void shouldLeaveOutWhatIsNotNeeded() {
    List<Integer> found =
        SubsetSearch.smallest(
            numbers(20),
            part -> part.containsAll(List.of(2, 17)) || part.containsAll(List.of(5, 6)));
    assertThat(found).isIn(List.of(2, 17), List.of(5, 6));
  }

  @Test
  void shouldAskInTheOrderOfTheElements() {
    List<List<Integer>> asked = new ArrayList<>();
    SubsetSearch.smallest(
        numbers(9),
        part -> {
          asked.add(List.copyOf(part));
          return part.contains(3) && part.contains(7);
        });
    assertThat(asked).allSatisfy(part -> assertThat(part).isSorted());
  }
}
