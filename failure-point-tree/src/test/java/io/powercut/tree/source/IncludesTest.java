// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncludesTest {
  @Test
  void headersThatAreThereShouldBeFound(@TempDir Path folder) throws IOException {
    Path source = Files.createDirectory(folder.resolve("src")).resolve("a.c");
    Files.writeString(
        source,
        "#include <b.h>\n#include \"../b.h\"\n # include \"c.h\"\n#include \"nowhere.h\"\n");
    Path first = Files.writeString(folder.resolve("b.h"), "#include \"src/c.h\"\n");
    Path second = Files.writeString(folder.resolve("src/c.h"), "#include \"../b.h\"\n");

    assertThat(Includes.of(source.toString())).containsExactly(first.toString(), second.toString());
    assertThat(Includes.of(second.toString())).containsExactly(first.toString());
  }

  @Test
  void whatCannotBeReadShouldHaveNone() {
    assertThat(Includes.of("")).isEmpty();
    assertThat(Includes.of("relative.c")).isEmpty();
    assertThat(Includes.of("/nowhere/source.c")).isEmpty();
    assertThat(Includes.of("/dev/zero")).isEmpty();
  }
}
