// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleStatementsTest {
  @Test
  void theyShouldBeRemovedWhereTheyStandAlone() {
    assertThat(IdleStatements.removedFrom("(void)x; *p = v; { assert(*p == v); n++; }"))
        .isEqualTo("  *p = v; {  n++; }");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (c) (void)x;",
        "for (;;) (void)x;",
        "else assert(x);",
        "(void)write(fd, p, n);",
        "assert(n-- > 0);",
        "[[maybe_unused]] int n = 1; f(n);",
        "unused = 1;",
        "*p = v;",
      })
  void whatMayDoSomethingShouldStay(String body) {
    assertThat(IdleStatements.removedFrom(body)).isEqualTo(body);
  }

  @Test
  void returnOfWhatIsReadShouldBeNoMore() {
    assertThat(IdleStatements.isReturnOfValue("return")).isTrue();
    assertThat(IdleStatements.isReturnOfValue("return (p->n <= 3)")).isTrue();
    assertThat(IdleStatements.isReturnOfValue("return f(p)")).isFalse();
    assertThat(IdleStatements.isReturnOfValue("return *p = 1")).isFalse();
    assertThat(IdleStatements.isReturnOfValue("returned")).isFalse();
  }
}
