// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import io.powercut.process.Supervisor;
import io.powercut.process.TestPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.io.file.PathUtils;

/** A supervisor, the test programs, and images that are copied truly. */
final class OracleFixture implements AutoCloseable {
  final Path directory;
  final Path program;
  final Path evidence;
  final Supervisor supervisor = Supervisor.start();
  final List<Path> copiesMade = new ArrayList<>();
  final LearnedLimits limits = new LearnedLimits();
  YesSample sample = YesSample.none();
  private final Path image;
  private final Path scratch;

  OracleFixture(Path directory) throws IOException {
    this.directory = directory;
    program = TestPrograms.compile(OracleFixture.class, "recovery.c", directory);
    image = Files.createDirectory(directory.resolve("image"));
    scratch = Files.createDirectory(directory.resolve("scratch"));
    evidence = directory.resolve("evidence");
    Files.writeString(image.resolve("pool"), "data");
  }

  CommandSpec.Builder recovery(String mode, String... more) {
    List<String> arguments = new ArrayList<>(List.of(program.toString(), mode));
    arguments.addAll(List.of(more));
    return CommandSpec.command(arguments).timeLimit(Duration.ofSeconds(60));
  }

  static RecoveryStep step(CommandSpec.Builder command) {
    return RecoveryStep.command("recover", command.build(), Success.EXIT_ZERO);
  }

  ImageCopy copy() throws IOException {
    Path copy = directory.resolve("copy-" + copiesMade.size());
    PathUtils.copyDirectory(image, copy);
    copiesMade.add(copy);
    return new ImageCopy() {
      @Override
      public Path directory() {
        return copy;
      }

      @Override
      public void close() throws IOException {
        PathUtils.deleteDirectory(copy);
      }
    };
  }

  OracleResult judge(OracleSettings settings, RecoveryProcedure procedure) {
    return new RecoveryOracle(supervisor, procedure, settings, limits, sample, scratch)
        .judge(this::copy, evidence);
  }

  OracleResult judge(RecoveryProcedure procedure) {
    return judge(OracleSettings.DEFAULT, procedure);
  }

  OracleResult judge(ReadsWatch watch, RecoveryProcedure procedure) {
    return new RecoveryOracle(
            supervisor, procedure, OracleSettings.DEFAULT, limits, sample, scratch)
        .judge(this::copy, evidence, Optional.of(watch));
  }

  OracleResult judge(CommandSpec.Builder command) {
    return judge(image -> List.of(step(command.workingDirectory(image))));
  }

  /** The line of the test program that crashes. */
  int crashingLine() throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve("recovery.c"));
    for (int index = 0; index < lines.size(); index++) {
      if (lines.get(index).endsWith("// crashes here")) {
        return index + 1;
      }
    }
    throw new IllegalStateException("no line crashes");
  }

  @Override
  public void close() throws IOException {
    supervisor.close();
  }
}
