// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.reads.FileLine;
import io.powercut.oracle.reads.WatchedLines;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs recovery natively to see which of the lines in flight it reads. A recovery with a server is
 * recorded instead.
 */
public final class WatchedReads implements RecoveryReads {
  private final RecoverySteps steps;
  private final RecoveryReads recorded;
  private final Resources resources;

  /**
   * @param recorded asked where a server takes part: its client may read files, too
   */
  public WatchedReads(RecoverySteps steps, RecoveryReads recorded, Resources resources) {
    this.steps = steps;
    this.recorded = recorded;
    this.resources = resources;
  }

  @Override
  public Optional<Lines> on(JudgedImages images, Map<Line, Long> asked) throws IOException {
    try (ImageCopy copy = images.fresh()) {
      ExecutionDirectories places =
          ExecutionDirectories.around(copy.directory(), images.acknowledged());
      List<RecoveryStep> all = steps.on(places);
      if (all.stream().anyMatch(step -> step.server().isPresent())) {
        return recorded.on(images, asked);
      }
      return watch(all, places, lines(places.pm(), asked.keySet()), asked);
    }
  }

  /** Of lines whose file is not there nothing is said, so they count as read. */
  private static Map<Line, FileLine> lines(Path pm, Set<Line> asked) throws IOException {
    Map<Line, FileLine> lines = new HashMap<>();
    for (Line line : asked) {
      Path file = pm.resolve(line.path());
      if (Files.isRegularFile(file)) {
        lines.put(line, FileLine.of(file, line.offset()));
      }
    }
    return lines;
  }

  private Optional<Lines> watch(
      List<RecoveryStep> all,
      ExecutionDirectories places,
      Map<Line, FileLine> lines,
      Map<Line, Long> asked)
      throws IOException {
    Path file = Files.createTempDirectory(places.scratch(), "reads").resolve("lines");
    Map<FileLine, Long> bytes = new HashMap<>();
    lines.forEach((line, place) -> bytes.merge(place, asked.get(line), (one, more) -> one | more));
    WatchedLines watched = WatchedLines.create(file, bytes);
    Optional<WatchedLines.Answer> answer = Optional.empty();
    for (RecoveryStep step : all) {
      CommandOutcome outcome = steps.watch(step, watched);
      resources.checkInterrupted();
      answer = watched.answer();
      if (answer.isEmpty() || outcome.problem().isPresent()) {
        break; // As for the oracle, what comes after a step that fails does not run.
      }
    }
    return answer.map(
        known ->
            (path, offset) -> {
              FileLine line = lines.get(Line.of(path, offset));
              return line == null || known.isRead(line);
            });
  }
}
