// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockMode;
import io.powercut.campaign.locks.LockRole;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.sections.RacesSection;
import io.powercut.campaign.sections.SynchronisationSection;
import io.powercut.trace.file.ControlFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of a lock that a campaign declares, after several runs. */
class DeclaredUsesTest {
  private static final ControlFile.DeclaredFunctions NOT_CALLED =
      new ControlFile.DeclaredFunctions(1, 0, 0);
  private static final ControlFile.DeclaredFunctions FAILED =
      new ControlFile.DeclaredFunctions(1, 1, 0);
  private static final ControlFile.DeclaredFunctions TAKEN =
      new ControlFile.DeclaredFunctions(1, 1, 1);

  private static List<String> problems(ControlFile.DeclaredFunctions... runs) {
    SynchronisationSection lock =
        new SynchronisationSection(
            "try_lock",
            LockRole.TRY_ACQUIRE,
            LockMode.EXCLUSIVE,
            new CallValue("argument 1"),
            Optional.of(new LockTest("true")));
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
    DeclaredUses uses = new DeclaredUses();
    for (ControlFile.DeclaredFunctions run : runs) {
      uses.accept(List.of(), run);
    }
    return uses.problems(races);
  }

  @Test
  void onlyWhatHoldsForAllRunsShouldBeSaid() {
    assertThat(problems(NOT_CALLED, FAILED, NOT_CALLED))
        .singleElement()
        .asString()
        .contains("try_lock, which was called but never succeeded");
    assertThat(problems(NOT_CALLED, NOT_CALLED))
        .singleElement()
        .asString()
        .contains("try_lock, which this run did not call");
    assertThat(problems(NOT_CALLED, TAKEN, FAILED)).isEmpty();
  }

  @Test
  void withoutARunNothingShouldBeSaid() {
    assertThat(problems()).isEmpty();
  }
}
