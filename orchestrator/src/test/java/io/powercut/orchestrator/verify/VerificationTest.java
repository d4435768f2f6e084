// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.session.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Images rebuilt from a recorded run are byte for byte what re-execution leaves, and recovery says
 * the same of them.
 */
@Tag("campaign")
class VerificationTest {
  @RegisterExtension
  private static final Workbench workbench = Workbench.with("bugs", "pmdk", "lmdb");

  /** The others of the suite are in BugSuiteTest. */
  @ParameterizedTest
  @ValueSource(strings = {"bug", "correct"})
  @Execution(ExecutionMode.CONCURRENT)
  void programOfTheBugSuiteShouldBeTheSameBothWays(String variant) {
    assertSame("bugs/bug.yaml", List.of("parameters.variant=" + variant));
  }

  @ParameterizedTest
  @ValueSource(strings = {"btree", "hashmap-atomic"})
  @Execution(ExecutionMode.CONCURRENT)
  void mapOfPmdkShouldBeTheSameBothWays(String map) {
    assertSame(
        "pmdk-" + map + ".yaml",
        List.of("parameters.operations=10", "failurePoints.begin=store_put"));
  }

  /** Its mutexes are robust: the kernel writes into them when their owner is killed. */
  @ParameterizedTest
  @ValueSource(strings = "10")
  @Execution(ExecutionMode.CONCURRENT)
  void lmdbShouldBeTheSameBothWays(String operations) {
    assertSame("lmdb.yaml", List.of("parameters.operations=" + operations));
  }

  private static void assertSame(String campaign, List<String> overrides) {
    List<String> all = new ArrayList<>(overrides);
    all.addAll(List.of("build=null", "oracle.doubleCheck=false", "limits.parallel=1"));
    Campaign loaded = workbench.load(Workbench.home().resolve("configs/" + campaign), all);

    VerifyResult result = Verification.of(loaded, Progress.SILENT, Optional.empty());

    assertThat(result.exitCode().code()).as(String.join("\n", VerifySummary.of(result))).isZero();
    assertThat(result.identical()).isPositive().isEqualTo(result.leaves());
    assertThat(result.equalVerdicts()).isEqualTo(result.leaves());
  }
}
