// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettersTest {
  @TempDir private Path folder;

  private boolean contain(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);
    return Setters.contain(file.toString(), "put");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void put(uint64_t *to, uint64_t value) { *to = value; }",
        "void put(long *to, long value)\n{\n\t*to = value; /* not == yet; */ // { \n}",
        "void put(long *, long);\nvoid put(long *to, long by) { *to += by; }\nint f() { put(&x, 1); }",
        "template<class T> struct Cell { T v; void put(T x) noexcept { v = x; } T get() { return v; } };",
        "fn put(to: &mut u64, value: u64) { *to = value; }",
        "static inline void put(void *p) { __asm__ volatile(\"clwb (%0); \" : : \"r\"(p) : \"memory\"); }",
        "auto put(int *p, int v) -> int { return *p = v; }",
        "void put(long to[4], const struct pair from[2]) { to[1] = from[0].x + 1; }",
      })
  void functionOfOneAssignmentShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *to, long value) { *to = value; count++; }",
        "void put(long *to, long value) { if (to) { *to = value; } }",
        "void put(volatile int *next)\n{\n\twhile (*next != 1)\n\t\t*next += 2; // hangs here\n}",
        "void put(long *to, long value) { if (to) *to = value; }",
        "void put(struct pool *pool) { pool->newest = 1; }",
        "void put(void) { X = Y; }",
        "long put(long *to) { return *to; }",
        "int put(long *to) { return *to == 1; }",
        "void put(long *to, long value) { store(to, value); }",
        "void put(long *to, long v) { *to = v; }\nvoid T::put(long *to, long v) { *to = v; flush(to); }",
        "int f() { put(&x, 1); }",
        "void input(long *to, long v) { *to = v; }",
        "#define put(to) { to = 1; ",
        "",
      })
  void allElseShouldNot(String source) throws IOException {
    assertThat(contain(source)).isFalse();
  }

  @Test
  void whatCannotBeReadShouldHaveNone() {
    assertThat(Setters.contain("", "put")).isFalse();
    assertThat(Setters.contain("relative.c", "put")).isFalse();
    assertThat(Setters.contain("/nowhere/source.c", "put")).isFalse();
    assertThat(Setters.contain("/dev/zero", "put")).isFalse();
    assertThat(Setters.contain("/dev/null", "a+(")).isFalse();
  }

  /** Generated sources hold whole files in a text or a comment. */
  @Test
  void longTextsShouldBePassedOver() throws IOException {
    String text = "put(x) { x = 1; \\n".repeat(50_000);

    assertThat(contain("char t[] = \"" + text + "\";\n/*" + text + "*/ void put(int x) { y = x; }"))
        .isTrue();
    assertThat(contain("/*" + text)).isFalse();
  }
}
