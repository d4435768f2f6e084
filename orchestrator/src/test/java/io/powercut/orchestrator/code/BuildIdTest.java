// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildIdTest {
  @TempDir private Path directory;

  @Test
  void buildIdShouldBeThatOfReadelf() throws IOException, InterruptedException {
    Path program = Path.of(System.getProperty("java.home")).resolve("bin/java").toRealPath();
    Process readelf = new ProcessBuilder("readelf", "-n", program.toString()).start();
    String notes = new String(readelf.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

    assertThat(readelf.waitFor()).isZero();
    assertThat(BuildId.of(program))
        .hasValueSatisfying(id -> assertThat(notes).contains("Build ID: " + id));
  }

  @Test
  void whatIsNoProgramShouldHaveNone() throws IOException {
    Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\n");
    Path cutOff = Files.write(directory.resolve("cut-off"), new byte[] {0x7f, 'E', 'L', 'F', 2});

    assertThat(BuildId.of(script)).isEmpty();
    assertThat(BuildId.of(cutOff)).isEmpty();
    assertThat(BuildId.of(directory.resolve("missing"))).isEmpty();
  }
}
