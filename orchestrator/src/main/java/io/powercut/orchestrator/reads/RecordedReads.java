// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.LineRead;
import io.powercut.oracle.server.StopPlan;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Resources;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.ReadLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs recovery under the recorder to see which lines of an image it reads. */
public final class RecordedReads implements RecoveryReads {
  private final RecoverySteps steps;
  private final Resources resources;

  public RecordedReads(RecoverySteps steps, Resources resources) {
    this.steps = steps;
    this.resources = resources;
  }

  @Override
  public Optional<ImageReads> on(JudgedImages images, Map<ImageLine, Long> asked, Effort effort)
      throws IOException {
    List<ReadLines> read = new ArrayList<>();
    try (ImageCopy copy = images.fresh()) {
      ExecutionDirectories places =
          ExecutionDirectories.around(copy.directory(), images.acknowledged());
      Map<Object, Path> names = names(places.pm());
      for (RecoveryStep step : steps.on(places)) {
        if (isReadByOthers(step, places) || isRenamed(names, names(places.pm()))) {
          return Optional.empty();
        }
        Path trace = Files.createTempDirectory(places.scratch(), "reads");
        CommandOutcome outcome = steps.record(step, options(places, trace));
        resources.checkInterrupted();
        ReadLines lines = new ReadLines();
        if (!isEnded(outcome.result()) || !isRead(trace, lines)) {
          return Optional.empty();
        }
        read.add(lines);
        if (outcome.problem().isPresent()) {
          break; // As for the oracle, what comes after a step that fails does not run.
        }
      }
    }
    return Optional.of(
        (path, offset) ->
            read.stream().anyMatch(one -> one.contains(path, offset))
                ? LineRead.ALL
                : LineRead.NONE);
  }

  /** What a server's client, or what stops it, reads itself is not seen. */
  private static boolean isReadByOthers(RecoveryStep step, ExecutionDirectories places) {
    List<CommandSpec> others = new ArrayList<>();
    step.server()
        .ifPresent(
            plan -> {
              plan.client().ifPresent(others::add);
              if (plan.stop() instanceof StopPlan.ByCommand byCommand) {
                others.add(byCommand.command());
              }
            });
    return others.stream()
        .flatMap(command -> command.arguments().stream())
        .anyMatch(argument -> argument.contains(places.pm().toString()));
  }

  /** By the file's identity. */
  private static Map<Object, Path> names(Path directory) throws IOException {
    Map<Object, Path> names = new HashMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        BasicFileAttributes attributes =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        names.put(Objects.requireNonNull(attributes.fileKey()), file);
      }
    }
    return names;
  }

  /** Whether a file has another name now: what a later step reads of it goes by that one. */
  private static boolean isRenamed(Map<Object, Path> before, Map<Object, Path> now) {
    return now.entrySet().stream()
        .anyMatch(
            file -> {
              Path name = before.get(file.getKey());
              return name != null && !name.equals(file.getValue());
            });
  }

  private static RecorderOptions options(ExecutionDirectories places, Path trace) {
    return RecorderOptions.recording(places.pm(), trace).recordEvents(false).reads(true).build();
  }

  private static boolean isEnded(CommandResult result) {
    return result
        .ending()
        .match(exited -> true, signalled -> true, timedOut -> false, aborted -> false);
  }

  private static boolean isRead(Path trace, ReadLines lines) throws IOException {
    try {
      TraceReader.of(trace).read(lines);
      return true;
    } catch (TraceException e) {
      return false;
    }
  }
}
