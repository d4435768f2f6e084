// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalVariablesTest {
  /** Parameters, and then the body. Of other functions, one finds a place. */
  private static FunctionBody left(String parameters, String body) {
    return LocalVariables.removedFrom(
        new FunctionBody(body, Set.copyOf(Splitter.on(' ').splitToList(parameters)), false),
        "at"::equals,
        "log_put"::equals);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "off v    | uint64_t *p = (uint64_t *)(base + off); *p = v;                        | *p = v;",
        "pool o v | uint64_t *p = at(pool, o); *p = v;                                     | *p = v;",
        "off v    | auto *p = at<uint64_t>(off); *p = v;                                   | *p = v;",
        "off b n  | char *to = base + off; memcpy(to, b, n);                               | memcpy(to, b, n);",
        "p v      | uint32_t le = htole32(v); memcpy(p, &le, 4);                           | memcpy(p, &le, 4);",
        "off v    | let p: *mut u64 = self.base.add(off); unsafe { *p = v; }               | *p = v;",
        "off v    | p := (*uint64)(unsafe.Pointer(&s.m[off])); *p = v                      | *p = v;",
        "off b    | if off+len(b) > len(s.m) {; panic(); }; copy(s.m[off:], b)             | copy(s.m[off:], b);",
        "p v      | if (!p) abort(); *p = v;                                               | *p = v;",
        "off b    | s.mu.Lock(); defer s.mu.Unlock(); copy(s.m[off:], b)                   | copy(s.m[off:], b);",
        "p v      | pthread_mutex_lock(&m); *p = v; pthread_mutex_unlock(&m);              | *p = v;",
        "off b n  | if (off + n > c->size) return -EINVAL; memcpy(c->map + off, b, n); return 0;   | memcpy(c->map + off, b, n); return 0;",
        "p v      | int rc = 0; if (!p) { rc = -ERANGE; goto out; } *p = v; out: return rc;        | *p = v; return rc;",
        "off v    | void *p = at(off, v); if (p == NULL) return false; memcpy(p, &v, 8);           | memcpy(p, &v, 8);",
        "off b n  | log_debug( , n, off); memcpy(c->map + off, b, n); c->puts++; c->bytes += n;    | memcpy(c->map + off, b, n);",
        "off b    | LOG_INFO( , off); memcpy(c->map + off, b, 8); c->stats.writes++;               | memcpy(c->map + off, b, 8);",
        "p v      | std::lock_guard<std::mutex> guard(m); *p = v;                          | *p = v;",
      })
  void whatIsComputedOrCheckedBeforeAStoreShouldBeLeftOut(
      String parameters, String body, String left) {
    assertThat(left(parameters, body).text()).isEqualTo(left);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uint64_t *p = next(pool); *p = v;",
        "uint64_t old = pool->n++; *p = v;",
        "uint64_t old = pool->n = v; *p = v;",
        "ssize_t r = write(fd, &v, 8); *p = v;",
        "static long last = v; *p = v;",
        "if (grow(pool)) abort(); *p = v;",
        "if (pool->n++ > 3) abort(); *p = v;",
        "if (x) return; *p = v;",
        "if (pool->n++ > 3) return -1; *p = v;",
        "if (grow(pool)) return -1; *p = v;",
        "if (x) { pool->n = 1; goto out; } *p = v; out: return 0;",
        "log_put(pool, v); *p = v;",
        "log_debug( , pool->n++); *p = v;",
        "memcpy(c->map + v, b, 8); c->end += n;",
        "memcpy(c->data, b, 8); c->puts++;",
        "memcpy(c->map + v, b, 8); pool->puts++;",
        "n := s.next(); copy(s.m[n:], b);",
      })
  void whatMayDoMoreShouldStay(String body) {
    assertThat(left("pool v fd b", body).text()).isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int rc = put(c, v); if (rc) return rc; return 0; | put(c, v)",
        "rc = put(c, v); return rc;                       | put(c, v)",
        "if (put(c, v)) return -1; return 0;              | put(c, v)",
        "put(c, v); return 0;                             | put(c, v)",
        "int rc = put(c, v); if (rc) c->bad = 1; return 0; | int rc = put(c, v); if (rc) c->bad = 1; return 0;",
        "int rc = put(c, v); if (rc) return rc; c->n = 1;  | int rc = put(c, v); if (rc) return rc; c->n = 1;",
        "put(c, v); put(c, v + 1); return 0;              | put(c, v); put(c, v + 1); return 0;",
      })
  void resultThatIsPassedOnShouldBeLeftOut(String body, String left) {
    assertThat(LocalVariables.withoutResult(new FunctionBody(body, Set.of("c", "v"), true)).text())
        .isEqualTo(left);
  }

  @Test
  void whatIsComputedOfAParameterShouldCountAsOne() {
    assertThat(left("off v", "long *p = base + off; long x = v + 1; long *q = root; *p = x;"))
        .satisfies(
            body -> assertThat(body.parameters()).containsExactlyInAnyOrder("off", "v", "p", "x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v   | var b [8]byte; binary.LittleEndian.PutUint64(b[:], v); f.Write(b[:])   | true",
        "v   | b := make([]byte, 8); binary.BigEndian.PutUint64(b, v); f.Write(b)     | true",
        "v   | let b = v.to_le_bytes(); f.write_all(&b)                               | true",
        "v   | uint64_t b = htole64(v); write(fd, &b, 8)                              | true",
        "v   | uint64_t b = htole64(root->n); write(fd, &b, 8)                        | false",
        "v   | binary.LittleEndian.PutUint64(b[:], v); f.Write(b[:])                  | false",
        "b v | uint64_t c = seal(v); write(fd, b, 8)                                  | true",
      })
  void encodedValueShouldCountAsGiven(String parameters, String body, boolean isGiven) {
    Set<String> given = Set.copyOf(Splitter.on(' ').splitToList(parameters));

    assertThat(LocalVariables.encodedIn(new FunctionBody(body, given, false)).parameters())
        .satisfies(names -> assertThat(names.contains("b")).isEqualTo(isGiven))
        .doesNotContain("c");
  }
}
