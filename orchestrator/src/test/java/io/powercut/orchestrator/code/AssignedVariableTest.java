// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssignedVariableTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "    pool->slots[i].valid = 1;=>pool->slots[i].valid",
        "*cell = value;=>*cell",
        "\tD_RW(node)->items[p - 1] = item; // last=>D_RW(node)->items[p - 1]",
        "root->table[hash(key)] |= bit;=>root->table[hash(key)]",
        "(*head).next = next;=>(*head).next",
        "count += n;=>count",
        "this->size_ = size;=>this->size_",
        "pool->count++; // one more=>pool->count",
        "--log->slots[at].uses;=>log->slots[at].uses",
        "++*counter;=>*counter",
        "level->level_size ++;=>level->level_size",
        "level->level_item_num[i] --;=>level->level_item_num[i]",
        "++ pool->count;=>pool->count",
        "--x->n;=>x->n",
        "x->flags |= 4;=>x->flags",
        "a->b.c += n;=>a->b.c",
        "x->size <<= 1;=>x->size",
        "(*x).n ^= y->n;=>(*x).n",
        "x->n %= 8;=>x->n",
        "(*x)++;=>(*x)",
        "node->next = D_RO(list)->first;=>node->next",
        "text->length = strlen(from);=>text->length",
        "entry->sum = __builtin_bswap64(sum(entry));=>entry->sum",
        "here->at = atomic_load(&log->tail);=>here->at"
      })
  void shouldNameWhatIsAssigned(String line, String variable) {
    assertThat(AssignedVariable.of("  {", line)).isEqualTo(variable);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "    p%a(i)%x = i * 1.0d0 -> p%a(i)%x",
        "p%grid(:, next(j)) = 0 ! all -> p%grid(:, next(j))",
        "total = total + 1 -> total",
        "where => p%first -> ''",
        "if (a == b) c = d -> ''",
        "integer :: count = 3 -> ''",
        "a = 1; b = 2 -> ''",
        "a = b + & -> ''",
      })
  void shouldNameWhatFortranAssigns(String line, String variable) {
    assertThat(AssignedVariable.ofFortran("do i = 1, n", line)).isEqualTo(variable);
    assertThat(AssignedVariable.ofFortran("x = 3 + &", line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (a == b) c = d;",
        "long value = 3;",
        "memcpy(to, from, size);",
        "a = b = c;",
        "a = 1; b = 2;",
        "x == y;",
        "*next++;",
        "a++ + b++;",
        "SET_BIT(x.token, i);",
        "x->n ++ + 1;",
        "f(x) ++ y;",
        "if (full) count++;",
        "for (i = 0; i < n; i++)",
        "pool->used =",
        "return a = b;",
        "got = __atomic_exchange_n(&pool->shared[k], 0, __ATOMIC_SEQ_CST);",
        "slot = atomic_fetch_add(&log->tail, 1);",
        "mine->ticket = lock->ticket.fetch_add(1, order);",
        "old = __sync_lock_test_and_set(&pool->lock, 1);",
        "done = top.compare_exchange_strong(from, to);",
        "at = log->tail++;",
        "log->head = --log->tail;",
        "end = stpcpy(pool->name, name);",
        "old = XCHG(&pool->owner, me);",
        "n = __sync_add_and_fetch(&pool->count, 1);",
        "}",
        ""
      })
  void shouldSayNothingWhenItIsNotCertain(String line) {
    assertThat(AssignedVariable.of("", line)).isEmpty();
  }

  @Test
  void aLineThatGoesOnFromTheOneBeforeShouldNotCount() {
    assertThat(AssignedVariable.of("  call(first,", "  second = 3);")).isEmpty();
    assertThat(AssignedVariable.of("  pool->sum +", "  used = 3;")).isEmpty();
    assertThat(AssignedVariable.of("  if (empty)", "  pool->used = 3;")).isEqualTo("pool->used");
  }

  @Test
  void aFrameShouldBeReadFromItsSource(@TempDir Path directory) throws IOException {
    Path source = directory.resolve("a.c");
    Files.writeString(source, "void f(void) {\n  pool->used = 1;\n}\n");

    assertThat(AssignedVariable.at(new StackFrame("f", source.toString(), 2, "a", "0x1")))
        .isEqualTo("pool->used");
    assertThat(AssignedVariable.at(new StackFrame("f", source.toString(), 9, "a", "0x1")))
        .isEmpty();
    assertThat(AssignedVariable.at(new StackFrame("f", "/none/a.c", 2, "a", "0x1"))).isEmpty();
    assertThat(AssignedVariable.at(new StackFrame("f", "", 0, "a", "0x1"))).isEmpty();
  }
}
