// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of operators whose parameter is {@code v}. */
class OperatorBodyTest {
  private static boolean isItsCallers(String body) {
    return new OperatorBody(
            new FunctionBody(body, Set.of("v", "n"), false), other -> other.equals("put"))
        .isItsCallers();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "value = v; return *this;",
        "this->value += v; return *this;",
        "++value; return *this;",
        "T old = value; value++; return old;",
        "value = v; pm_persist(&value, sizeof value); return *this;",
        "tx_add(&value, sizeof value); value = v; WB(&value); return *this;",
        "value = v; asm volatile( : : (&value)); return *this;",
        "if (in_transaction) { tx_add(this); } value = v; return *this;",
        "if (inside(&value)) { log.add(&value); value = v; PWB(&value); } else { value = v; } return *this;",
        "if (this != &v) value = v.value; return *this;",
        "if (&v == this) return *this; value = v.value; return *this;",
        "pstore(v); return *this;",
        "pstore(pload() & v); return *this;",
        "set(v); flush(this); fence(); return *this;",
        "put(&value, v); return *this;",
        "value.store(v, std::memory_order_release); return *this;",
        "auto *to = &value; *to = v; return *this;",
        "T next; next = v + 1; this->at[2] = next; return *this;",
        "key = v.key; this->next = v.next; std::memcpy(text, v.text, 8); return *this;",
        "for (int i = 0; i < n; i++) v[i] = n;",
        "return *this += v;",
        "return *this = Name(v);",
        "",
      })
  void storeForTheCallerShouldBeItsCallers(String body) {
    assertThat(isItsCallers(body)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uint64_t n = count.v; word[n].v = v; WB(&word[n]); count.v = n + 1; return *this;",
        "if (!FIXED(2)) { set = 1; WB(&set); } value = v; if (FIXED(2)) { set = 1; } return *this;",
        "set = 1; value = v; return *this;",
        "word[used++] = v; return *this;",
        "word[used] = v; used = used + 1; return *this;",
        "value = v; put(&set, 1); return *this;",
        "put(&word, v); put(&set, v); return *this;",
        "if (v > 3) { value = v; WB(&value); } return *this;",
        "value = v; if (v > 3) WB(&value); return *this;",
        "for (auto &one : words) one = v; return *this;",
        "while (lock) wait(); value = v; return *this;",
        "push(v); seal(this); return *this;",
        "key = v.key; next = v.prev; return *this;",
        "key = v.key; set = 1; return *this;",
      })
  void moreThanOneStoreShouldBeItsOwn(String body) {
    assertThat(isItsCallers(body)).isFalse();
  }
}
