// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourcePathsTest {
  @ParameterizedTest
  @CsvSource({
    "/nowhere/src/./btree.h, /nowhere/src/btree.h",
    "/nowhere/src/././btree.h, /nowhere/src/btree.h",
    "/nowhere/src/../include/./pm.h, /nowhere/include/pm.h",
    "/nowhere/a/b/../../pm.h, /nowhere/pm.h",
    "/nowhere/src//btree.h, /nowhere/src/btree.h",
    "/nowhere/src///.//btree.h, /nowhere/src/btree.h",
    "pas//store.pas, pas/store.pas",
    "../src//./btree.h, ../src/./btree.h",
  })
  void pathShouldHaveNoDetours(String file, String normal) {
    assertThat(SourcePaths.normal(file)).isEqualTo(normal);
  }

  /** Libraries are known by them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/src/btree.h",
        "/src/.hidden/..data/a.c",
        "./nptl/pthread_kill.c",
        "../sysdeps/posix/raise.c",
        "./string/../sysdeps/x86_64/memmove.S",
        "library/core/src/../../stdarch/crates/core_arch/src/x86/sse2.rs",
      })
  void otherPathsShouldStay(String file) {
    assertThat(SourcePaths.normal(file)).isEqualTo(file);
  }

  @Test
  void folderThatIsALinkShouldBeFollowed(@TempDir Path folder) throws IOException {
    Path real = Files.createDirectories(folder.resolve("real/include"));
    Files.writeString(folder.resolve("real/pm.h"), "");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    String file = link + "/../pm.h";

    assertThat(SourcePaths.normal(file)).isEqualTo(file);
    assertThat(SourcePaths.normal(real + "/../pm.h")).isEqualTo(folder + "/real/pm.h");
  }
}
