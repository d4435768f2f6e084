// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyingBodyTest {
  /** The parameters, and then the body. */
  private static boolean isCopy(String function) {
    String[] parts = function.split(" @ ");
    return new CopyingBody(parts[1], Set.copyOf(Splitter.on(' ').splitToList(parts[0])))
        .isLoopThatCopies();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "to from n @ for (size_t i = 0; i < n; i++) to[i] = from[i];",
        "to from n @ while (n-- > 0) *to++ = *from++;",
        "to from n @ for (size_t i = 0; i < n; i += 8) { *(uint64_t *)(to + i) = from[i]; }",
        "dst src n @ uint64_t *d = dst; const uint64_t *s = (const uint64_t *)src; while (n >= 8)"
            + " { *d = *s; d++; s++; n -= 8; }",
        "to from n @ while (n-- > 0) _mm_stream_si64((long long *)to++, (long long)*from++);",
        "to from n @ for (i = 0; i < n; i++) { __m256i x = _mm256_loadu_si256(from + i);"
            + " _mm256_stream_si256((__m256i *)(to + i), x); }",
        "to n @ for (size_t i = 0; i < n; ++i) to[i] = 0;",
        "to from n @ do { memcpy(to, from, 64); to += 64; from += 64; n -= 64; } while (n);",
        "to from @ for i in 0..from.len() { to[i] = from[i]; }",
        "to from @ for (size_t i = 0; i < from.size(); i++) to[i] = from[i];",
        "to n @ va_list ap; va_start(ap, n); for (int i = 0; i < n; i++) to[i] = va_arg(ap, uint64_t);"
            + " va_end(ap);",
        "to n @ va_list ap; va_start(ap, n); while (n--) { *to++ = va_arg(ap, long); } va_end(ap);",
        "to from n @ for (int i = 0; i < n; i++) to[i].v = from[i].v;",
      })
  void loopThatCopiesOrFillsShouldBeOne(String function) {
    assertThat(isCopy(function)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "to from n @ for (size_t i = 0; i < n; i++) to[i] = from[i]; persist(to, n);",
        "to from n @ for (size_t i = 0; i < n; i++) { to[i] = from[i]; flush(&to[i]); }",
        "to from n @ for (size_t i = 0; i < n; i++) to[i] = from[i]; pool->count = n;",
        "to from n @ for (size_t i = 0; i < n; i++) to[i] = from[i]; pool->count++;",
        "to from n @ for (size_t i = 0; i < n; i++) { to[i] = from[i]; total[i] = 1; }",
        "to from n @ for (size_t i = 0; i < n; i++) to[i] = from[i]; _mm_sfence();",
        "to from n @ for (size_t i = 0; i < n; i++) to[i] = from[i]; asm volatile(\"sfence\");",
        "to from n @ to[0] = from[0]; to[1] = from[1];",
        "table @ for (size_t i = 0; i < ROOM; i++) table[i] = 0;",
        "tree key @ while (tree->next) tree = tree->next; tree->next = key;",
        "list n @ struct node *d = first(list); for (; n; n--) d[n] = n;",
        "n @ for (i = 0; i < n; i++) pool[i] = 1;",
        "to from n @ while (n) n--;",
        "to n @ va_start(ap, n); for (int i = 0; i < n; i++) to[i].v = take(va_arg(ap, long));",
        "to from n @ for (int i = 0; i < n; i++) { to[i].valid = 1; to[i].v = from[i]; }",
        "to from n @ for (int i = 0; i < n; i++) { to->v = from[i]; to->n++; }",
        "to from n @ for (int i = 0; i < n; i++) { to[i] = from[i]; to->used = i; }",
        "list n @ while (list) { list->next->v = n; }",
      })
  void allElseShouldNot(String function) {
    assertThat(isCopy(function)).isFalse();
  }
}
