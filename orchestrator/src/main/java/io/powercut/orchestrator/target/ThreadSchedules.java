// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.recorder.RecorderOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The order in which the threads of the recorded run ran: kept in the run directory, one file for
 * each process with several threads, and followed where the target is run again.
 */
public final class ThreadSchedules {
  private static final String NAME = "threads";

  private ThreadSchedules() {}

  /** What an execution writes beside its trace, in the order that a campaign wants. */
  static ThreadSchedule written(Campaign campaign, Execution execution) {
    return RecorderChoices.schedule(campaign.schedule()).writtenTo(beside(execution));
  }

  private static Path beside(Execution execution) {
    return execution.trace().resolveSibling(NAME);
  }

  /** Copies what an execution wrote, in place of what was there. */
  public static void keep(Execution execution, RunDirectory directory) {
    try {
      Path kept = directory.scheduleDirectory();
      Files.createDirectories(kept);
      try (DirectoryStream<Path> old = Files.newDirectoryStream(kept, NAME + "-*")) {
        for (Path file : old) {
          Files.delete(file);
        }
      }
      Path written = beside(execution);
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(written.getParent(), NAME + "-*")) {
        for (Path file : files) {
          Files.copy(file, kept.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The order of the recorded run, or the one that the campaign wants if there is none. */
  public static ThreadSchedule kept(Campaign campaign, RunDirectory directory) {
    ThreadSchedule wanted = RecorderChoices.schedule(campaign.schedule());
    Path kept = directory.scheduleDirectory();
    return Files.isDirectory(kept) ? wanted.following(kept.resolve(NAME)) : wanted;
  }

  /** A target whose threads run in an order. */
  public static Target ordered(Target target, ThreadSchedule order) {
    return new Target() {
      @Override
      public TargetOutcome run(Execution execution, RecorderOptions options) {
        return target.run(execution, options.scheduled(order));
      }

      @Override
      public void abort() {
        target.abort();
      }
    };
  }
}
