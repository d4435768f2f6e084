// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of functions whose names sound like those of helpers. */
class OwnStoresTest {
  private static boolean areThere(String text) {
    return new OwnStores(text, Set.of("p", "from", "n", "log")).areThere();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uint64_t t = q->tail.v; q->e[t].v = n; clwb(&q->e[t]);",
        "log->tail = n; clwb(log);",
        "log->size++;",
        "--log->size;",
        "if (n) { log->full = 1; }",
        "memcpy(p, from, n); log->len = n;",
        "memcpy(root->name, source, 8);",
        "for (int i = 0; i < n; i++) { log->data[i] = from[i]; } log->seal = 1;",
        "struct head *h = (struct head *)p; h->length = n;",
        "uint64_t *slot = &pool->slot[3]; *slot = n;",
        "uint64_t *slot = &log->next; *slot = n;",
        "table[last + 1] = 7;",
        "root->tail.store(n, std::memory_order_release);",
        "#if X\n clwb(p);\n#endif\n log->tail = n;",
        "self.tail = n;",
      })
  void storesToWhatTheFunctionChoosesShouldBeThere(String text) {
    assertThat(areThere(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "for (char *q = p; q < p + n; q += 64) clwb(q); sfence();",
        "uintptr_t a = (uintptr_t)p & ~63ull; clwb(a); sfence(); flushes++;",
        "*p = n; clwb(p); sfence();",
        "*p = 1; clwb(p); *p = 2;",
        "p[n] = 1; p[n + 1] = 2;",
        "char *d = p; const char *s = (const char *)from; while (n--) *d++ = *s++; sfence();",
        "for (size_t i = 0; i < n; i++) { long *d = &p[i]; *d = from[i]; }",
        "log->base[n] = 3; clwb(&log->base[n]);",
        "memcpy(log->base + n, from, n); flush(log->base + n, n);",
        "memcpy(p, from, n); sfence();",
        "struct timespec ts; ts.tv_nsec = n; nanosleep(&ts, NULL);",
        "uint64_t copy[8]; copy[0] = n; stream(p, copy);",
        "statistics.bytes += n; clwb(p);",
        "ctx->stats.flushes++; clwb(p);",
        "lines[last++] = p; clwb(p);",
        "long v = *from; if (p->key == 1) return; clwb(p);",
        "_mm_stream_si64(p, n); last = p;",
      })
  void storesToWhereCallersSayAndStatisticsShouldBeNone(String text) {
    assertThat(areThere(text)).isFalse();
  }
}
