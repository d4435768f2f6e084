// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockMode;
import io.powercut.campaign.locks.LockRole;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.sections.RacesSection;
import io.powercut.campaign.sections.SynchronisationSection;
import io.powercut.trace.file.ControlFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

  @Test
  void lockThatNeverSucceededShouldBeSaidToPerhapsReturnAByte() {
    for (String success : List.of("zero", "true")) {
      SynchronisationSection lock =
          new SynchronisationSection(
              "try_lock",
              LockRole.TRY_ACQUIRE,
              LockMode.EXCLUSIVE,
              new CallValue("argument 1"),
              Optional.of(new LockTest(success)));
      RacesSection races =
          new RacesSection(
              true,
              false,
              List.of(lock),
              List.of(),
              false,
              1,
              1,
              Optional.empty(),
              16,
              Optional.empty());

      assertThat(
              new NamedFunctions(List.of())
                  .problems(races, new ControlFile.DeclaredFunctions(1, 1, 0)))
          .containsExactly(
              "races.synchronisation.0.function is try_lock, which was called but never succeeded."
                  + " Check its success, "
                  + (success.equals("true")
                      ? "true."
                      : "zero: of a result of one byte, such as a uint8_t, write"
                          + " 'byte of result is zero'."));
    }
  }
}
