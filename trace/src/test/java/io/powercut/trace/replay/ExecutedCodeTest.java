// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutedCodeTest {
  private static final Path APP = Path.of("/my app/bin");

  @TempDir private Path trace;

  private ExecutedCode read(String text) throws IOException {
    Files.writeString(trace.resolve("executed"), text);
    return ExecutedCode.read(trace).orElseThrow();
  }

  @Test
  void rangeShouldHaveRunWhenAnyOfItsBytesDid() throws IOException {
    ExecutedCode code = read("1 1000 10 /my app/bin\n1 1020 8 /my app/bin\n1 1008 4 /my app/bin\n");

    assertThat(code.modules()).containsExactly(APP);
    assertThat(code.ran(APP, 0x100f, 0x1020)).isEqualTo(ExecutedCode.When.ANALYSED);
    assertThat(code.ran(APP, 0x1010, 0x1020)).isEqualTo(ExecutedCode.When.NEVER);
    assertThat(code.ran(APP, 0x1027, 0x1028)).isEqualTo(ExecutedCode.When.ANALYSED);
    assertThat(code.ran(APP, 0x1028, 0x2000)).isEqualTo(ExecutedCode.When.NEVER);
    assertThat(code.ran(APP, 0, 0x1000)).isEqualTo(ExecutedCode.When.NEVER);
    assertThat(code.ran(Path.of("/other"), 0x1000, 0x1001)).isEqualTo(ExecutedCode.When.NEVER);
  }

  @Test
  void whatRanBeforeTheAnalysisOnlyShouldBeToldApart() throws IOException {
    ExecutedCode code =
        read("0 1000 10 /my app/bin\n0 2000 10 /my app/bin\n1 2000 10 /my app/bin\n");

    assertThat(code.ran(APP, 0x1000, 0x1010)).isEqualTo(ExecutedCode.When.OUTSIDE);
    assertThat(code.ran(APP, 0x2000, 0x2010)).isEqualTo(ExecutedCode.When.ANALYSED);
  }

  @Test
  void nothingShouldBeSaidWhenTheRecorderWroteNothing() throws IOException {
    assertThat(ExecutedCode.read(trace)).isEmpty();
  }
}
