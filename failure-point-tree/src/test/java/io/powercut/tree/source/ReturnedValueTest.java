// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.source.LocalObjects.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnedValueTest {
  @TempDir private Path folder;

  private boolean isAt(String source, int line) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);
    return ReturnedValue.isAt(new Place(file.toString(), "value", line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return ~(uint32_t)sum;",
        "return (uint64_t)((const char *)it - (const char *)heap);",
        "return sum * 31 + sizeof(struct item);",
        "if (sum == 0) return 1;",
        "} else { return sum; }",
      })
  void computationShouldBeFound(String line) throws IOException {
    assertThat(isAt("int value(int sum)\n{\n if (sum) {\n" + line + "\n}\n}\n", 4)).isTrue();
  }

  @Test
  void functionOfOneLineShouldBeFound() throws IOException {
    assertThat(isAt("long value(char *at) { return (long)(at - pool); }", 1)).isTrue();
    assertThat(isAt("long value(char *at) { *at = 1; return (long)(at - pool); }", 1)).isFalse();
  }

  /** As hash functions do. */
  @Test
  void changesOfCopiesInAFunctionOfOneLineShouldBePartOfTheComputation() throws IOException {
    assertThat(isAt("long value(long a) { a ^= a >> 31; a *= 7; return a ^ (a >> 29); }", 1))
        .isTrue();
    assertThat(isAt("long value(int n, long a) { a = a + n; return a; }", 1)).isTrue();
    assertThat(isAt("long value(long &a) { a ^= a >> 31; return a; }", 1)).isFalse();
    assertThat(isAt("long value(long& a) { a ^= a >> 31; return a; }", 1)).isFalse();
    assertThat(isAt("long value(long *a) { a += 1; return 7; }", 1)).isFalse();
    assertThat(isAt("long value(long a) { total ^= a; return a; }", 1)).isFalse();
    assertThat(isAt("long value(long a) { a = pool->sum; return a; }", 1)).isFalse();
    assertThat(isAt("long value(long a) { a = next(a); return a; }", 1)).isFalse();
    assertThat(isAt("long value(long a) { a *= 7; pool->sum = a; return a; }", 1)).isFalse();
  }

  /** What reads is no computation: a race may have its place there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "return item->sum;",
        "return *sum;",
        "return sum[0];",
        "return item.sum;",
        "return sum = 1;",
        "return *sum++;",
        "return __sync_fetch_and_add(sum, 1);",
        "return STORE(sum, 1);",
        "item->sum = 1; return 1;",
        "if (item->sum++) return 1;",
        "return;",
        "sum = sum * 2;",
        "return sum +",
      })
  void otherLinesShouldNotBeFound(String line) throws IOException {
    assertThat(isAt("int value(int *sum)\n{\n if (sum) {\n" + line + "\n}\n}\n", 4)).isFalse();
  }

  /** As a checksum does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "return item->key * 31 + item->sum;",
        "if (item->sum == 0) return 1;",
        "} else { return sum[0]; }",
        "return ~sum;",
      })
  void lineThatOnlyReadsShouldChangeNothing(String line) throws IOException {
    assertThat(changesNothingAt(line)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return item->sum = 1;",
        "return *sum++ + 1;",
        "return item->key + next(item);",
        "item->sum = 1; return item->key;",
        "return;",
        "item->key * 31;",
      })
  void lineThatMayStoreShouldChangeSomething(String line) throws IOException {
    assertThat(changesNothingAt(line)).isFalse();
  }

  private boolean changesNothingAt(String line) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, "int value(int *sum)\n{\n if (sum) {\n" + line + "\n}\n}\n");
    return ReturnedValue.changesNothingAt(new Place(file.toString(), "value", 4));
  }

  @Test
  void valueOfACallShouldBePassedOn() throws IOException {
    assertThat(isPassedOn("return crc(item->text, item->length);")).isTrue();
    assertThat(isPassedOn("return mask ^ crc(item->text, 8);")).isTrue();
    assertThat(isPassedOn("return crc32(item->text);")).isFalse();
    assertThat(isPassedOn("return crc(next(item));")).isFalse();
    assertThat(isPassedOn("return item->sum = crc(item->text);")).isFalse();
    assertThat(isPassedOn("item->sum = crc(item->text);")).isFalse();
  }

  private boolean isPassedOn(String line) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, "int value(struct item *item)\n{\n" + line + "\n}\n");
    return ReturnedValue.isPassedOnAt(new Place(file.toString(), "value", 3), "crc");
  }

  @Test
  void lineElsewhereShouldNotBeFound() throws IOException {
    assertThat(isAt("int other(int sum)\n{\nreturn sum;\n}\n", 3)).isFalse();
    assertThat(ReturnedValue.isAt(new Place("", "value", 3))).isFalse();
    assertThat(ReturnedValue.isAt(new Place(folder + "/none.c", "value", 3))).isFalse();
  }
}
