// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.source.Setters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonFunctionsTest {
  @TempDir private Path folder;

  private String file(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".py");
    Files.writeString(file, source);
    return file.toString();
  }

  @Test
  void indentationShouldSayWhatBelongsToAFunction() throws IOException {
    String file =
        file(
            """
            def put(fd, data: bytes = b')',
                    *, at=0):  # def put(x): os.fsync(x)
                '''Writes:
            def put(x): pass
            '''
                while data:
                    k = os.pwrite(fd, data,
                                  at)

                    data = data[k:]; \\
                        at += k
            put(1, 2)
            class Store:
                def put(self): return "#"
            """);

    List<PythonFunctions.Function> found = PythonFunctions.of(file, "put");

    assertThat(found).hasSize(2);
    assertThat(found.get(0).parameters()).containsExactlyInAnyOrder("fd", "data", "at");
    assertThat(found.get(0).lines())
        .hasSize(4)
        .startsWith("0", "while data:")
        .last()
        .asString()
        .startsWith("data = data[k:];")
        .endsWith("at += k");
    assertThat(found.get(0).has(1)).isTrue();
    assertThat(found.get(0).has(11)).isTrue();
    assertThat(found.get(0).has(12)).isFalse();
    assertThat(found.get(1).lines()).containsExactly("return 0");
    assertThat(found.get(1).has(14)).isTrue();
    assertThat(PythonFunctions.of(file, "get")).isEmpty();
  }

  @Test
  void textShouldBeMadeOfWhatIsInItsBraces() throws IOException {
    String file =
        file(
            """
            def put(f, key, row):
                f.write(f"{key}={ row.value:>8} {{no}}")
                f.write("{key}")
            """);

    assertThat(PythonFunctions.of(file, "put").get(0).lines())
        .containsExactly("f.write(0 + (key) + (row.value))", "f.write(0)");
  }

  @Test
  void helperShouldBeItsCallersCode() throws IOException {
    String file =
        file(
            """
            def put(fd, data, at):
                while data:
                    k = os.pwrite(fd, data, at)
                    data = data[k:]; at += k
            def put_number(fd, n, at): put(fd, struct.pack('<Q', n), at)
            class Store:
                def add(self, r):
                    put(self.fd, r, 512 * (self.n + 1))
                    self.n += 1
            class Log:
                def put(self, data):
                    os.write(self.fd, data); os.fsync(self.fd)
            """);

    assertThat(Setters.contain(file, "put", 3)).isTrue();
    assertThat(Setters.contain(file, "put", 12)).isFalse();
    assertThat(Setters.contain(file, "add", 8)).isFalse();
    assertThat(Setters.isAmbiguous(file, "put")).isTrue();
    assertThat(Setters.isAmbiguous(file, "add")).isFalse();
    // It calls one of both.
    assertThat(Setters.contain(file, "put_number", 5)).isFalse();
  }

  @Test
  void callOfAHelperShouldBeItsCallersCode() throws IOException {
    String file =
        file(
            """
            def put(fd, data): os.write(fd, data)
            def put_number(fd, n): put(fd, struct.pack('<Q', n))
            def forever(fd, n): forever(fd, n)
            """);

    assertThat(Setters.contain(file, "put_number", 2)).isTrue();
    assertThat(Setters.contain(file, "forever", 3)).isFalse();
  }

  @Test
  void otherFilesShouldHaveNone() {
    assertThat(PythonFunctions.areIn("/a/b.py")).isTrue();
    assertThat(PythonFunctions.areIn("/a/b.c")).isFalse();
    assertThat(PythonFunctions.of("/not/there.py", "put")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "store.py, 'x = 1', true",
    "store, '#!/usr/bin/python3\n', true",
    "store, '#!/usr/bin/env python3.11\n', true",
    "store, '#!/usr/bin/env -S python3\nx', true",
    "store, '#!/bin/sh\npython3 x', false",
    "store.c, '#!/usr/bin/python3\n', false"
  })
  void scriptMayHaveAnyName(String name, String source, boolean isPython) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, source.replace("\\n", "\n"));

    assertThat(PythonFunctions.areIn(file.toString())).isEqualTo(isPython);
  }
}
