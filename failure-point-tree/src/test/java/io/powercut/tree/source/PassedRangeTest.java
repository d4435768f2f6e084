// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose size says how much is flushed, or may come from a caller. */
class PassedRangeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "flush(n->val, 8 * (n->n - 1));",
        "if (dirty) persist(&node->keys, sizeof(node->keys) - 8);",
        "persist(l, sizeof *l - 64);",
        "flush(n->val, 8 * (BAD(0) ? n->n - 1 : n->n));",
        "pmem_persist(a, COUNT * 8 - 1);",
        "flush(text, strlen(t->name));"
      })
  void sizeThatTheLineSaysShouldBeItsOwn(String line) {
    assertThat(PassedRange.mayBe(line)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flush(p, n);",
        "flush(p, 8 * count - 8);",
        "_mm_clwb(line);",
        "for (char *l = p; l < p + n; l += 64)",
        "persist(&node->keys,",
        "flush(v.data(), 8 * size);",
        ""
      })
  void otherSizesMayBePassedOn(String line) {
    assertThat(PassedRange.mayBe(line)).isTrue();
  }
}
