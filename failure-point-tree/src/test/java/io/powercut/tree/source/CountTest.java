// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "l->slot[l->count++] = v    | l->count",
        "(*n)++                     | (*n)",
        "++*n                       | *n",
        "-- (*n)                    | (*n)",
        "return ++n->used           | n->used",
        "else --n                   | n",
        "if (full) ++*n             | *n",
        "if (full) ++n->used[2].low | n->used[2].low",
        "n[0]++                     | n[0]",
        "at(i)->used--              | at(i)->used",
        "last(list)[k]++            | last(list)[k]",
        "a = b++ + --c              | b c",
        "2 * n->used++              | n->used",
        "n -- > 0                   | n",
        "*to++ = *from++            | >to >from",
        "*(*to)++ = v               | >(*to)",
        "return *n->to++            | >n->to",
        "*++to = v                  | >to",
        "f((long *)to++, (x)from->at--) | to from->at",
        "(list->last)->used++       | (list->last)->used",
        "a + +b - -c                | ''",
        "a ++                       | a",
        "++                         | ''",
        ")++                        | )",
        "++(a                       | (a",
      })
  void whatIsCountedShouldBeFound(String statement, String expected) {
    assertThat(
            Count.in(statement).stream()
                .map(one -> (one.isCursor() ? ">" : "") + one.of())
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"(*n)++, true", "n.used++, true", "++n[1], true", "n->used--, true", "n++, false"})
  void placesInMemoryShouldBeToldFromVariables(String statement, boolean isOfMemory) {
    assertThat(Count.in(statement)).allMatch(one -> one.isOfMemory() == isOfMemory);
  }
}
