// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.SchedulePolicy;
import io.powercut.campaign.sections.ScheduleSection;
import io.powercut.recorder.RecorderOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;

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
    keep(execution, directory.scheduleDirectory());
  }

  /**
   * Copies what an execution wrote in which a writer was held.
   *
   * @param order its number, from 1
   */
  public static void keep(Execution execution, RunDirectory directory, int order) {
    keep(execution, directory.scheduleDirectory(order));
  }

  private static void keep(Execution execution, Path kept) {
    try {
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
    return kept(campaign, directory.scheduleDirectory());
  }

  /**
   * An order of the run.
   *
   * @param order 0 for that of the recorded run, else one in which a writer was held
   */
  public static ThreadSchedule kept(Campaign campaign, RunDirectory directory, int order) {
    return order == 0
        ? kept(campaign, directory)
        : kept(campaign, directory.scheduleDirectory(order));
  }

  /** A number for an order in which a writer is held, from 1; none before it has it. */
  public static int nextHeld(RunDirectory directory) {
    int number = 1;
    while (Files.exists(directory.scheduleDirectory(number))) {
      number++;
    }
    return number;
  }

  /** The policy of the recorded run, by which its order need not come again. */
  public static ThreadSchedule notKept(Campaign campaign, RunDirectory directory) {
    ThreadSchedule wanted = RecorderChoices.schedule(campaign.schedule());
    Path kept = directory.scheduleDirectory();
    return Files.isDirectory(kept) ? recorded(kept).orElse(wanted) : wanted;
  }

  private static ThreadSchedule kept(Campaign campaign, Path kept) {
    ThreadSchedule wanted = RecorderChoices.schedule(campaign.schedule());
    if (!Files.isDirectory(kept)) {
      return wanted;
    }
    return recorded(kept).orElse(wanted).following(kept.resolve(NAME));
  }

  /** What the recorded run wanted, which may be another order than the campaign's. */
  private static Optional<ThreadSchedule> recorded(Path kept) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(kept, NAME + "-*")) {
      for (Path file : files) {
        try (Stream<String> lines = Files.lines(file)) {
          return lines.findFirst().flatMap(ThreadSchedule::ofFirstLine);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * An order that a campaign does not name: where threads take their turns, they also pause, since
   * that shows more races.
   *
   * @param number 0 for the campaign's own
   */
  public static ThreadSchedule another(Campaign campaign, int number) {
    ScheduleSection wanted = campaign.schedule();
    SchedulePolicy policy =
        number > 0 && wanted.policy() == SchedulePolicy.DEFAULT
            ? SchedulePolicy.DELAY
            : wanted.policy();
    return RecorderChoices.schedule(
        new ScheduleSection(policy, wanted.seed() + number, wanted.quantum()));
  }

  /** A target whose threads run in an order, which is written if it was to be written before. */
  public static Target ordered(Target target, ThreadSchedule order) {
    return new Target() {
      @Override
      public TargetOutcome run(Execution execution, RecorderOptions options) {
        return target.run(
            execution,
            options.scheduled(options.schedule().writtenTo().map(order::writtenTo).orElse(order)));
      }

      @Override
      public void abort() {
        target.abort();
      }
    };
  }
}
