// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code powercut verify} says of targets that are not the same in every execution. */
@Tag("campaign")
class VerifyCommandTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/differs.c");
  }

  private static Workbench.Said verify(String mode, String... more) {
    Path counter = workbench.directory().resolve("executions-" + mode + more.length);
    Path campaign =
        workbench.write(
            "differs.yaml",
            """
            name: differs
            pm: {directory: "%s", limit: 4MiB}
            environment: {POWERCUT_TEST: "{pm}"}
            target: {command: ["%s", "%s", "{pm}", "%s"], timeout: 20s}
            recovery: {command: ["true"], timeout: 10s}
            limits: {parallel: 1}
            """
                .formatted(workbench.pm(), program, mode, counter));
    List<String> arguments = new ArrayList<>(List.of("verify", campaign.toString()));
    arguments.addAll(List.of(more));
    return Workbench.powercut(arguments.toArray(String[]::new));
  }

  @Test
  void sameImagesAndVerdictsShouldAgree() {
    Workbench.Said said = verify("none");

    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
    assertThat(said.output()).contains("images identical", "both injection modes agree");
    assertThat(said.output()).doesNotContain("cause");
  }

  @Test
  void processNumberInPersistentMemoryShouldBeTheSameInEveryExecution() {
    assertThat(verify("process").exitCode()).isZero();
  }

  @Test
  void differenceShouldBeShownWithItsPlaceAndBlamedOnTheTarget() {
    Workbench.Said said = verify("process", "--set", "determinism.processIds=free");

    assertThat(said.exitCode()).as(said.output()).isEqualTo(4);
    assertThat(said.output())
        .contains(
            "main at ", "file pool, from offset 0x40", "cause: the target is not deterministic")
        .contains("the target is not deterministic, so the two")
        .doesNotContain("path of its PM directory");
  }

  @Test
  void storedPathShouldBeNamedAndBothImagesBeKept() throws Exception {
    Path kept = workbench.directory().resolve("kept");

    Workbench.Said said = verify("path", "--keep", kept.toString());

    assertThat(said.exitCode()).as(said.output()).isEqualTo(4);
    assertThat(said.output()).contains("cause: the target", "stores the path of its PM directory");
    assertThat(Files.mismatch(kept.resolve("recorded/pool"), kept.resolve("re-executed/pool")))
        .isGreaterThan(1024);
  }

  @ParameterizedTest
  @CsvSource({
    "first-way, only the recorded run reached it",
    "later-way, only the re-executed run reached it"
  })
  void failurePointOfOneWayShouldBeShownWithItsStack(String mode, String title) {
    Workbench.Said said = verify(mode);

    assertThat(said.exitCode()).as(said.output()).isEqualTo(4);
    assertThat(said.output()).contains(title, "rarely at ", "the target is not deterministic");
  }

  @Test
  void failurePointThatIsNotReachedAgainShouldMakeItIncomplete() {
    Workbench.Said said = verify("twice-way");

    assertThat(said.exitCode()).as(said.output()).isEqualTo(4);
    assertThat(said.output())
        .contains("image not compared: ", "not reached again")
        .contains("no difference was found, but not everything could be compared");
  }
}
