// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recording;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.powercut.oracle.RecoveryStep;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files that recovery is: its programs and the scripts that they are given. A machine with
 * other ones would judge another program.
 */
public final class RecordedPrograms {
  private RecordedPrograms() {}

  /**
   * The files that recovery's commands name.
   *
   * @param places of any execution
   */
  public static List<RecordingFacts.Program> of(Commands commands, ExecutionDirectories places) {
    Set<Path> files = new LinkedHashSet<>();
    for (RecoveryStep step : commands.recovery(places)) {
      CommandSpec command = step.command();
      for (String argument : command.arguments()) {
        file(command.workingDirectory(), argument)
            .filter(file -> !file.startsWith(places.pm()) && !file.startsWith(places.scratch()))
            .ifPresent(files::add);
      }
    }
    return files.stream()
        .map(file -> new RecordingFacts.Program(file.toString(), sha256(file)))
        .toList();
  }

  private static Optional<Path> file(Path directory, String argument) {
    try {
      Path file = directory.resolve(argument).toAbsolutePath().normalize();
      return Optional.of(file).filter(Files::isRegularFile);
    } catch (InvalidPathException notAPath) {
      return Optional.empty();
    }
  }

  /** What this machine lacks of what a recording wants, in words, one each. */
  public static List<String> lacking(RecordingFacts facts) {
    List<String> here = FlushInstructions.ofThisMachine();
    return Stream.concat(
            facts.programs().stream().flatMap(program -> problem(program).stream()),
            facts.flushes().stream()
                .filter(flush -> !here.contains(flush))
                .map(
                    flush ->
                        "its processor lacks "
                            + flush
                            + ", which recovery may use: that of the recorded run has it"))
        .toList();
  }

  private static Optional<String> problem(RecordingFacts.Program program) {
    Path file = Path.of(program.path());
    if (!Files.isRegularFile(file)) {
      return Optional.of(file + " is missing: install it at the same path, or share it");
    }
    return sha256(file).equals(program.sha256())
        ? Optional.empty()
        : Optional.of(
            file + " is not the one of the recorded run: build it in the same way, or share it");
  }

  private static String sha256(Path file) {
    try {
      return MoreFiles.asByteSource(file).hash(Hashing.sha256()).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
