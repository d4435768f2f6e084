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

/** As in P-Masstree, where gcc makes what a permutation computes and its store one. */
class LocalObjectsTest {
  private static final String METHOD =
      "int push(int i) { int value = back(); x_ = ((x_ + 1) & i) | (x_ << 4); return value; }";
  private static final String CALLER =
      "void insert(int i) { permuter cp = this->p.value();\ncp.push(i);\nthis->p = cp.value(); }";

  @TempDir private Path folder;

  /** The method is in line 1, and its call in line 3. */
  private boolean change(String method, String caller) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".cpp");
    Files.writeString(file, method + "\n" + caller);
    return LocalObjects.change(
        new Place(file.toString(), "push", 1), new Place(file.toString(), "insert", 3));
  }

  @Test
  void methodThatOnlyChangesALocalObjectShouldBeFound() throws IOException {
    assertThat(change(METHOD, CALLER)).isTrue();
    assertThat(change(METHOD.replace("x_ =", "this->x_ ="), CALLER)).isTrue();
    assertThat(change("void push(int i) { if (i) { x_++; } }", CALLER)).isTrue();
    assertThat(change(METHOD, CALLER.replace("permuter cp", "const ns::perm<int> cp"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int push(int i) { x_ = i; node->x = i; }",
        "int push(int i) { x_ = i; *p_ = i; }",
        "int push(int i) { x_ = i; s_[i] = i; }",
        "int push(int &i) { x_ = i; i = 0; }",
        "int push(int &i) { x_ = i; i++; }",
        "int push(int i) { x_ = i; memcpy(to_, from_, i); }",
        "int push(int i) { x_ = i; asm volatile(\"clwb %0\" : : \"m\"(x_)); }",
        "int push(int i) { return x_ + i; }",
        "struct r { long &x_; void push(int i) { x_ = i; n_ = i; } };",
        "int pop(int i) { x_ = i; }",
      })
  void methodThatMayDoMoreShouldBeNone(String method) throws IOException {
    assertThat(change(method, CALLER)).isFalse();
  }

  /** An object that holds where a pool is mapped is volatile; what it leads to is not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void set(long at, long v) { *(long *)(base_ + at) = v; }",
        "void set(long at, long v) { word(at).store(v); }",
        "void set(long at, long v) { raw(at, v); }\nvoid raw(long at, long v) { base_[at] = v; }",
        "void set(long at, long v) { set(at, v); }",
      })
  void methodThatStoresByAnotherShouldBeNone(String other) throws IOException {
    String method = "void push(int i) { x_ = i; set(64, x_); }";

    assertThat(change(method, CALLER + "\n" + other)).isFalse();
    assertThat(change(method, CALLER + "\nvoid set(long at, long v) { y_ = at + v; }")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void insert(int i) { permuter &cp = this->p;\ncp.push(i);\n}",
        "void insert(int i) { auto &cp = this->p;\ncp.push(i);\n}",
        "void insert(permuter &cp, int i) {\ncp.push(i);\n}",
        "void insert(int i) { permuter cp;\nnode->cp.push(i);\n}",
        "void insert(int i) { permuter cp;\nnode.cp.push(i);\n}",
        "void insert(int i) { permuter *cp = &p;\ncp->push(i);\n}",
        "void insert(int i) {\ncp.push(i);\n}",
        "void insert(int i) {\npush(i);\n}",
        "void other(int i) { permuter cp;\ncp.push(i);\n}",
      })
  void otherObjectsShouldBeNone(String caller) throws IOException {
    assertThat(change(METHOD, caller)).isFalse();
  }

  @Test
  void withoutSourcesNothingShouldBeKnown() {
    assertThat(LocalObjects.change(new Place("", "", 0), new Place("", "", 0))).isFalse();
    assertThat(LocalObjects.change(new Place("/no.h", "f", 1), new Place("/no.c", "g", 1)))
        .isFalse();
  }
}
