// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedStoreTest {
  @TempDir private Path folder;

  private List<StackFrame> calls(String setter) throws IOException {
    Path file = Files.createTempDirectory(folder, "source").resolve("program.c");
    Files.writeString(
        file, "void put(struct node *node, long v)\n{\n  " + setter + "\n}\nput(first, 3);\n");
    return List.of(
        new StackFrame("put", file.toString(), 3, "program", "0x3"),
        new StackFrame("insert", file.toString(), 5, "program", "0x5"));
  }

  @ParameterizedTest
  @CsvSource({
    "node->next = v;, node->next",
    "(*node).next = v;, (*node).next",
    "*to = v;, ''",
    "this->value = v;, ''",
  })
  void memberThatASetterAssignsShouldBeNamedAtItsCaller(String setter, String variable)
      throws IOException {
    assertThat(NamedStore.variable(calls(setter))).isEqualTo(variable);
  }

  @Test
  void storeThatIsPersistedForOthersShouldBeNamedAfterTheCall() throws IOException {
    List<StackFrame> calls = calls("*node = v; flush(node); count++;");

    assertThat(NamedStore.called(calls, "*node"))
        .startsWith("the store by put at insert at ")
        .endsWith("program.c:5");
    assertThat(NamedStore.called(calls.subList(0, 1), "*node"))
        .startsWith("the store to *node at put");
    assertThat(NamedStore.of(calls, "*node")).startsWith("the store to *node at put");
    assertThat(NamedStore.called(calls("node->next = v; flush(node);"), "node->next"))
        .startsWith("the store to node->next by put at insert at ");
    assertThat(
            NamedStore.called(calls("node->next = v; node->used = 1; flush(node);"), "node->next"))
        .startsWith("the store to node->next at put");
  }

  @Test
  void placeShouldBeTheCallers() throws IOException {
    assertThat(NamedStore.of(calls("node->next = v;"), "node->next"))
        .startsWith("the store to node->next at insert at ")
        .endsWith("program.c:5");
  }

  @Test
  void placeWithoutSourceShouldComeWithTheCallThatHasOne() throws IOException {
    StackFrame library = new StackFrame("", "", 0, "libstore.so.1", "0xa2");
    StackFrame user = calls("node->next = v;").get(1);

    assertThat(NamedStore.of(List.of(library, user), ""))
        .isEqualTo("the store at libstore.so.1+0xa2 called from " + user.text());
    assertThat(NamedStore.of(List.of(library), "")).isEqualTo("the store at libstore.so.1+0xa2");
  }
}
