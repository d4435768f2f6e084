// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConstantStoreTest {
  private static Optional<String> store(String... statements) {
    return new ConstantStore(List.of(statements), Set.of("p", "i")).statement();
  }

  @Test
  void theOnlyStoreOfAConstantShouldBeFound() {
    assertThat(store("long one = 1", "memcpy(p, &one, sizeof one)"))
        .contains("memcpy(p, &one, sizeof one)");
    assertThat(store("count++", "return *p = 1")).contains("*p = 1");
    assertThat(store("p[i] = 1")).contains("p[i] = 1");
  }

  @Test
  void severalOrOthersShouldNot() {
    assertThat(store("*p = 1", "*p = 2")).isEmpty();
    assertThat(store("memcpy(p, &one, sizeof one)")).isEmpty();
    assertThat(store("*q = 1")).isEmpty();
    assertThat(store()).isEmpty();
  }
}
