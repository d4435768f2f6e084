// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Functions of a campaign that the target does not have. */
class NamedFunctionsTest {
  /** Debian's own shell: it is stripped, but lies in {@code /usr/bin}. */
  private static final Path STRIPPED = Path.of("/bin/sh");

  private static final Path LIBRARY = Path.of("/lib/x86_64-linux-gnu/libc.so.6");

  @Test
  void misspelledNameShouldGetTheNearestOne() {
    NamedFunctions functions = new NamedFunctions(List.of(LIBRARY));

    assertThat(functions.unknown("a.function", "pthread_mutex_lok").orElseThrow())
        .startsWith("a.function is pthread_mutex_lok, but no function")
        .endsWith("; did you mean __pthread_mutex_lock?");
    assertThat(functions.unknown("a.function", "pthread_mutex_lock")).isEmpty();
  }

  @Test
  void nothingShouldBeSaidOfAProgramWithoutNames() {
    assertThat(new NamedFunctions(List.of(STRIPPED)).unknown("a.function", "lock")).isEmpty();
    assertThat(new NamedFunctions(List.of()).unknown("a.function", "lock")).isEmpty();
  }
}
