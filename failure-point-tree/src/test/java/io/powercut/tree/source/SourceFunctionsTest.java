// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceFunctionsTest {
  @TempDir private Path folder;

  private List<Integer> linesOf(String scope, String name, String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".hpp");
    Files.writeString(file, source);
    return IntStream.rangeClosed(0, (int) source.lines().count())
        .filter(line -> SourceFunctions.haveLine(file.toString(), scope, name, line))
        .boxed()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "namespace a {\nFORCEINLINE void put(U x) NOEXCEPT_IF((is_nothrow<T>))\n{\n  x++;\n}\n}",
        "template <class T>\nvoid list<T>::put(T x) const noexcept {\n  if (x) {\n  }\n }\nint y;",
        "struct put {\nput(int x) : a(x), b(f(x))\n{\n  c = 2; // }\n}\n};",
        "int x = put(1);\nauto put(int x)\n  -> decltype(f(x)) {\n  return\n  x; }\nvoid put();",
      })
  void definitionShouldHaveItsLines(String source) throws IOException {
    assertThat(linesOf("", "put", source)).containsExactly(2, 3, 4, 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void f() {\n  if (put(1)) {\n    g();\n  }\n}",
        "void f() {\n  put(1);\n  { g(); }\n}",
        "void output(int x) {\n  g();\n}",
        "// void put(int x) {\n// }",
        "void put(int x) = delete;\nvoid f() {\n}",
      })
  void callsAndOtherFunctionsShouldHaveNone(String source) throws IOException {
    assertThat(linesOf("", "put", source)).isEmpty();
  }

  @Test
  void operatorShouldBeFoundHoweverItIsWritten() throws IOException {
    String source = "struct list {\nT &operator [](int at) {\n  return data[at];\n}\n};";
    assertThat(linesOf("list", "operator[]", source)).containsExactly(2, 3, 4);
  }

  @Test
  void anotherClassShouldNotBeMistakenForThatOfTheFile() throws IOException {
    String source = "struct vector {\nvoid push(int x) {\n  last = x;\n}\n};";
    assertThat(linesOf("vector", "push", source)).containsExactly(2, 3, 4);
    assertThat(linesOf("Queue", "push", source)).isEmpty();
  }

  @Test
  void longFunctionShouldHaveAllItsLines() throws IOException {
    String source = "void put(int x) {\n" + "  x = x + 1;\n".repeat(1000) + "}\nint y;";
    assertThat(linesOf("", "put", source)).hasSize(1002);
  }

  private String definedIn(String suffix, String name, String source) throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "source", suffix), source);
    return SourceFunctions.linesOf(file.toString(), name).toString();
  }

  @Test
  void allDefinitionsOfANameShouldHaveTheirLinesAndCallsNone() throws IOException {
    String source =
        "struct A {\nvoid put(int x) {\n}\n~A() {\n}\n};\nvoid B::put() {\n if (a && put(1)) {\n }\n}";
    assertThat(definedIn(".cc", "put", source)).isEqualTo("{2, 3, 7, 8, 9, 10}");
    assertThat(definedIn(".cc", "~A", source)).isEqualTo("{4, 5}");
    assertThat(definedIn(".rs", "put", "fn put<T>(x: T) {\n  if put(x) {\n  }\n}\nfn f() {}"))
        .isEqualTo("{1, 2, 3, 4}");
    assertThat(definedIn(".rs", "put", "fn f() {\n  if put(x) {\n  }\n}")).isEqualTo("{}");
    assertThat(SourceFunctions.linesOf("/nowhere/x.c", "put").isEmpty()).isTrue();
  }

  @Test
  void fileThatIsNotThereShouldHaveNone() {
    assertThat(SourceFunctions.haveLine("/nowhere/x.h", "", "put", 1)).isFalse();
    assertThat(SourceFunctions.haveLine("", "", "put", 1)).isFalse();
  }
}
