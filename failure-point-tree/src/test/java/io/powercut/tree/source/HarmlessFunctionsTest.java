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

class HarmlessFunctionsTest {
  @TempDir private Path folder;

  private boolean isHarmless(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);
    return HarmlessFunctions.are(file.toString(), "at", 3);
  }

  @Test
  void functionThatOnlyFindsAPlaceShouldBeHarmless() throws IOException {
    assertThat(isHarmless("void *at(size_t off) { return base + off; }")).isTrue();
    assertThat(
            isHarmless(
                "long *raw(long i) { return root->a + i; }\nlong *at(long i) { return raw(2 * i); }"))
        .isTrue();
    assertThat(isHarmless("void *at(size_t off) { return pmemobj_direct(oid(off)); }")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void *at(size_t off) { pool->last = off; return base + off; }",
        "void *at(size_t off) { memset(base + off, 0, 64); return base + off; }",
        "void *at(size_t off) { __asm__(\"clwb %0\" : \"+m\"(*base)); return base + off; }",
        "long next() { return root->n++; }\nlong *at() { return root->a + next(); }",
        "long *at(long i) { return i ? at(i - 1) + 1 : root->a; }",
        "long *other(long i) { return root->a; }",
      })
  void functionThatMayStoreOrIsNotThereShouldNotBe(String source) throws IOException {
    assertThat(isHarmless(source)).isFalse();
  }
}
