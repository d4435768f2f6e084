package io.powercut.orchestrator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.session.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Images rebuilt from a recorded run are byte for byte what re-execution leaves, and recovery says
 * the same of them.
 */
@Tag("campaign")
class VerificationTest {
  private static Workbench workbench;

  @BeforeAll
  static void build() {
    Workbench.make("bugs");
    Workbench.make("pmdk");
    Workbench.make("lmdb");
    workbench = Workbench.open();
  }

  @AfterAll
  static void leaveNothingBehind() {
    assertThat(workbench.filesLeft()).isEmpty();
    assertThat(workbench.processesLeft()).isEmpty();
    workbench.close();
  }

  static Stream<List<String>> deterministicPrograms() throws IOException {
    List<List<String>> cases = new ArrayList<>();
    for (JsonNode truth :
        new YAMLMapper().readTree(Workbench.home().resolve("workloads/bugs/truth.yaml").toFile())) {
      if (truth.path("deterministic").asBoolean(true)) {
        cases.add(overrides(truth, "bug"));
        cases.add(overrides(truth, "correct"));
      }
    }
    return cases.stream();
  }

  private static List<String> overrides(JsonNode truth, String variant) {
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "parameters.program=" + truth.get("name").asText(),
                "parameters.variant=" + variant));
    if (truth.has("library")) {
      overrides.add("failurePoints.begin=run");
    }
    if (truth.get("verdict").asText().equals("HUNG")) {
      overrides.add("recovery.timeout=1s");
    }
    return overrides;
  }

  @ParameterizedTest
  @MethodSource("deterministicPrograms")
  @Execution(ExecutionMode.CONCURRENT)
  void bugSuiteShouldBeTheSameBothWays(List<String> overrides) {
    assertSame("bugs/bug.yaml", overrides);
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
