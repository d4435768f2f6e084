// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZstdLibraryTest {
  @TempDir private Path folder;

  /** The folder for temporary files may be full or read-only. */
  @Test
  void nativeHalfShouldNotBeUnpackedIntoTheFolderForTemporaryFiles() throws IOException {
    TraceStore.create(folder.resolve("trace.zst")).close();

    Path mapped =
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains("libzstd-jni"))
            .map(line -> Path.of(line.substring(line.indexOf('/'))))
            .findFirst()
            .orElseThrow();
    assertThat(mapped).exists().asString().contains("/trace/target/native/libzstd-jni-");
  }
}
