// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class GatheredWritesTest {
  @Test
  void oneBufferShouldStandForAllOfAList() {
    String body = "struct iovec v[2] = {{a, n}, {b, m}};writev(fd, v, 2);";

    assertThat(GatheredWrites.in(body, Set.of("fd", "a", "n", "b", "m")).text())
        .isEqualTo("write(fd, a, n);");
    assertThat(GatheredWrites.in(body, Set.of("fd", "a", "n")).text()).isEqualTo(body);
  }

  @Test
  void textOfWhatIsGivenShouldCountAsGiven() {
    String body = "char line[9]; int n = snprintf(line, 9,  , key);";

    assertThat(GatheredWrites.in(body, Set.of("key")).given())
        .containsExactlyInAnyOrder("key", "line", "n");
    assertThat(GatheredWrites.in(body, Set.of("value")).given()).containsExactly("value");
  }
}
