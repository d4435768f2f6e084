// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.code.FunctionNames;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Phases;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.session.Timings;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.recorder.RecorderOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands of a campaign, run without the recorder. */
class TargetRunnerTest {
  @RegisterExtension private final HandRun run = HandRun.open();
  private final Supervisors supervisors = new Supervisors();

  @AfterEach
  void close() throws IOException {
    supervisors.close();
  }

  private Campaign campaign(String script, String more) throws IOException {
    return run.campaign(
        "target: {command: [sh, -c, '%s', sh, '{pm}/pool']}\nrecovery: {command: ['true']}\n%s"
            .formatted(script, more));
  }

  private TargetOutcome run(Campaign campaign) throws IOException {
    return run(campaign, (plain, options) -> plain);
  }

  private TargetOutcome run(Campaign campaign, CommandRecorder recorder) throws IOException {
    try (Execution execution = Execution.startingFrom(run.base(), run.resources().area())) {
      return new TargetRunner(campaign, new Commands(campaign, run.folder()), supervisors, recorder)
          .run(
              execution,
              RecorderOptions.recording(execution.places().pm(), execution.trace()).build());
    }
  }

  @Test
  void targetThatEndsWellShouldHaveNoProblem() throws IOException {
    TargetOutcome outcome = run(campaign("test -f $1", ""));

    assertThat(outcome.problem()).isEmpty();
    assertThat(outcome.control()).isEmpty();
    assertThat(outcome.describe()).contains("ended normally");
  }

  @Test
  void failingTargetShouldBeExplainedWithItsOutputAndARemedy() throws IOException {
    TargetOutcome outcome = run(campaign("echo no such item; exit 3", ""));

    assertThat(outcome.problem().orElseThrow())
        .contains("the target failed: it exited with code 3")
        .contains("no such item")
        .contains("target.success");
    assertThat(outcome.result().ending()).isEqualTo(new Ending.Exited(3));
  }

  @Test
  void failingClientShouldBeExplainedWithItsOwnOutput() throws IOException {
    TargetOutcome outcome =
        run(
            run.campaign(
                """
                target:
                  command: [sh, -c, "echo ready; exec sleep 20"]
                  ready: {log: ready}
                  client: {command: [sh, -c, "echo boom; exit 2"]}
                recovery: {command: ['true']}
                """));

    assertThat(outcome.problem().orElseThrow())
        .contains("its client failed: it exited with code 2")
        .contains("It printed:\n  ready\nIts client printed:\n  boom");
  }

  @Test
  void failingCommandThatStopsShouldBeExplainedWithItsOwnOutput() throws IOException {
    TargetOutcome outcome =
        run(
            run.campaign(
                """
                target:
                  command: [sh, -c, "echo ready; exec sleep 20"]
                  ready: {log: ready}
                  stop: {command: [sh, -c, "echo no such server; exit 1"]}
                recovery: {command: ['true']}
                """));

    assertThat(outcome.problem().orElseThrow())
        .contains("the command that stops the server failed")
        .contains("The command that stops it printed:\n  no such server");
  }

  /** As the recorder does that gives both the same numbers of processes. */
  @Test
  void clientShouldRunAsTheRecorderWantsIt() throws IOException {
    CommandRecorder recorder =
        new CommandRecorder() {
          @Override
          public CommandSpec record(CommandSpec plain, RecorderOptions options) {
            return plain;
          }

          @Override
          public CommandSpec beside(CommandSpec plain, RecorderOptions options) {
            return plain.toBuilder().environment("BESIDE", "yes").build();
          }
        };
    Campaign campaign =
        run.campaign(
            """
            target:
              command: [sh, -c, "echo ready; exec sleep 20"]
              ready: {log: ready}
              client: {command: [sh, -c, "test $BESIDE = yes"]}
              stop: {command: [sh, -c, "echo $BESIDE; exit 1"]}
            recovery: {command: ['true']}
            """);

    assertThat(run(campaign, recorder).problem().orElseThrow())
        .contains("the command that stops the server failed")
        .contains("The command that stops it printed:\n  yes");
    assertThat(RecorderChoices.of(campaign, run.folder(), run.folder()).build().fixedProcessIds())
        .as("servers have them, too")
        .isTrue();
  }

  @Test
  void programThatCannotBeStartedShouldBeRefusedBeforeTheRecorderIsAsked() throws IOException {
    Path text = Files.writeString(run.folder().resolve("text"), "hello");

    assertThatThrownBy(() -> TargetProgram.require(command(run.folder().resolve("none"))))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("No such file");
    assertThatThrownBy(() -> TargetProgram.require(command(run.folder().resolve("none run pool"))))
        .hasMessageContaining("A command is a list, not a shell line");
    assertThatThrownBy(
            () -> TargetProgram.require(CommandSpec.command("no-such-program run pool").build()))
        .hasMessageContaining("a list, not a shell line");
    assertThatThrownBy(
            () -> TargetProgram.require(CommandSpec.command("SIZE=1", "./program").build()))
        .hasMessageContaining("[env, SIZE=1, ...]");
    assertThatThrownBy(() -> TargetProgram.require(command(run.folder())))
        .hasMessageContaining("it is a directory");
    assertThatThrownBy(() -> TargetProgram.require(command(text))).hasMessageContaining("chmod +x");
    assertThat(text.toFile().setExecutable(true)).isTrue();
    assertThatThrownBy(() -> TargetProgram.require(command(text)))
        .hasMessageContaining("neither an ELF program nor a script");
    Files.write(text, new byte[] {0x7f, 'E', 'L', 'F', 1});
    assertThatThrownBy(() -> TargetProgram.require(command(text))).hasMessageContaining("32-bit");
    assertThat(TargetProgram.path(CommandSpec.command("sh").build())).isExecutable();
  }

  private static CommandSpec command(Path program) {
    return CommandSpec.command(program.toString()).build();
  }

  private Preparation preparation(Campaign campaign) {
    return new Preparation(
        campaign,
        new Commands(campaign, run.folder()),
        supervisors,
        run.resources(),
        new Phases(Progress.SILENT, new Timings()));
  }

  @Test
  void setUpShouldMakeTheStateAndBeRefusedWhenItFails() throws IOException {
    Campaign good = run.campaign("setup: {command: [sh, -c, 'echo x > $1/pool', sh, '{pm}']}\n");
    try (ExecutionDirectories base = preparation(good).setUp()) {
      assertThat(base.pm().resolve("pool")).hasContent("x");
    }
    Campaign bad = run.campaign("setup: {command: [sh, -c, 'exit 4']}\n");
    assertThatThrownBy(() -> preparation(bad).setUp())
        .hasMessageContaining("the campaign's setup failed: it exited with code 4");
  }

  @Test
  void buildShouldRunOnlyIfThereIsOne() throws IOException {
    preparation(run.campaign()).build();
    Campaign bad = run.campaign("build: {command: [sh, -c, 'echo cc: error; exit 1']}\n");
    assertThatThrownBy(() -> preparation(bad).build())
        .hasMessageContaining("the campaign's build failed")
        .hasMessageContaining("cc: error");
  }

  @Test
  void untestedFunctionsShouldBeUnknownWithoutARecordOfTheExecutedCode() throws IOException {
    try (Execution execution = Execution.startingFrom(run.base(), run.resources().area())) {
      assertThat(new UntestedSearch(run.resources().area(), supervisors).of(execution)).isEmpty();
    }
  }

  @Test
  void namesOfFunctionsShouldComeFromTheSymbolTables() throws IOException {
    Path library = Path.of("/lib/x86_64-linux-gnu/libc.so.6");
    FunctionNames names = FunctionNames.of(library).orElseThrow();

    assertThat(names.names()).contains("malloc", "msync");
    assertThat(names.isWhole()).isFalse();
    Path text =
        Files.write(run.folder().resolve("text"), List.of("no program"), StandardCharsets.UTF_8);
    assertThat(FunctionNames.of(text)).isEmpty();
  }
}
