// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.api.RunOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RunCommandTest {
  /** What the API asks for is what the command does. */
  @Test
  void commandShouldReadTheOptionsThatTheApiWrites() {
    RunOptions options =
        new RunOptions(
            List.of("parameters.n=5 = 5", "limits.parallel=4"),
            Optional.of(Path.of("/tmp/a b")),
            true,
            Optional.of("2-3/4"));
    assertThat(read(options)).isEqualTo(options);
  }

  @Test
  void runsShouldHaveAFolderWhereNoneIsNamed() {
    assertThat(read(RunOptions.NONE).runs()).contains(Path.of("powercut-runs"));
    assertThat(read(RunOptions.NONE).resume()).isFalse();
    assertThat(read(RunOptions.NONE).shard()).isEmpty();
  }

  private static RunOptions read(RunOptions options) {
    List<String> arguments = new ArrayList<>(List.of("app.yaml"));
    arguments.addAll(options.arguments());
    RunCommand command = new RunCommand();
    new CommandLine(command).parseArgs(arguments.toArray(String[]::new));
    return command.options();
  }
}
