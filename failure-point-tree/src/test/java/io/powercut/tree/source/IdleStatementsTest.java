// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "if (*p != v) *p = v; | *p = v;",
        "if (s->n != v) { s->n = v; persist(s); } | s->n = v; persist(s);",
        "if *p != v { *p = v; } | *p = v;",
        "memcpy(p, s, n); p[n] = 0; | memcpy(p, s, n);",
        "strncpy(r->name, s, sizeof(r->name) - 1); r->name[sizeof(r->name) - 1] =  ; |"
            + " strncpy(r->name, s, sizeof(r->name) - 1);",
      })
  void whatAStoreChangesAndWhatEndsATextShouldBeItsOwn(String body, String left) {
    assertThat(IdleStatements.removedFrom(body).strip()).isEqualTo(left);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (p->last != v) p->n = v;",
        "if (*p != v) *p = w;",
        "if (*p != v) *p = v; else n++;",
        "if (*p != v) { *p = v; } else { n++; }",
        "if (*p != v && n) *p = v;",
        "memcpy(p, s, n); q[n] = 0;",
        "memcpy(p, s, n); p[m] = 0;",
        "memcpy(p, s, n); p[n] = c;",
        "memcpy(p, s, n); p->n = 0;",
        "put(p, s, n); p[n] = 0;",
      })
  void otherStoresShouldStay(String body) {
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
