// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class InitialisersTest {
  private static boolean onlyStore(String text) {
    return Initialisers.in(text).onlyStore(Set.of("k", "v"));
  }

  @Test
  void eachShouldBeAStatement() {
    Initialisers read = Initialisers.in(" : key(k), a::Base<T>(k, f(v)), next{} , at { v }");

    assertThat(read.asStatements()).isEqualTo("key = k; a::Base<T> = k, f(v); next = 0; at = v; ");
    assertThat(Initialisers.in("").asStatements()).isEmpty();
  }

  @Test
  void parametersAndEmptyMembersShouldBeWhatIsGiven() {
    assertThat(onlyStore(": key(k), value(std::move(v)), next(nullptr), n{}")).isTrue();
    assertThat(onlyStore(": key(k), valid(1)")).isFalse();
    assertThat(onlyStore(": key(k++)")).isFalse();
    assertThat(onlyStore(": next(nullptr)")).as("a constant alone").isFalse();
    assertThat(onlyStore("")).isFalse();
  }
}
