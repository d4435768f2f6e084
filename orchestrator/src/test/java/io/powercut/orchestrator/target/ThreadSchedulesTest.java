// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.recorder.RecorderOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The order of threads of a recorded run, and where it is followed. */
class ThreadSchedulesTest {
  private static final String SECTION = "schedule: {policy: pct, seed: 7, quantum: 5000}\n";
  private static final ThreadSchedule WANTED =
      ThreadSchedule.of(ThreadSchedule.Policy.PCT, 7, 5000);

  @RegisterExtension private final HandRun run = HandRun.open();
  @TempDir private Path folder;

  @Test
  void shouldBeWhatTheCampaignWantsWhereNothingWasRecorded() throws IOException {
    assertThat(ThreadSchedules.kept(run.campaign(SECTION), new RunDirectory(folder)))
        .isEqualTo(WANTED);
  }

  @Test
  void shouldFollowTheLastExecutionThatWasKept() throws IOException {
    Campaign campaign = run.campaign(SECTION);
    RunDirectory directory = new RunDirectory(folder);
    try (Execution first = Execution.startingFrom(run.base(), run.resources().area());
        Execution second = Execution.startingFrom(run.base(), run.resources().area())) {
      write(ThreadSchedules.written(campaign, first), "-1.1", "first");
      write(ThreadSchedules.written(campaign, second), "-1", "second");
      ThreadSchedules.keep(first, directory);
      ThreadSchedules.keep(second, directory);
    }
    ThreadSchedule kept = ThreadSchedules.kept(campaign, directory);
    assertThat(kept.policy()).isEqualTo(ThreadSchedule.Policy.PCT);
    Path prefix = kept.follows().orElseThrow();
    assertThat(prefix.resolveSibling(prefix.getFileName() + "-1")).hasContent("second");
    assertThat(prefix.resolveSibling(prefix.getFileName() + "-1.1")).doesNotExist();
  }

  private static void write(ThreadSchedule schedule, String process, String text)
      throws IOException {
    Path prefix = schedule.writtenTo().orElseThrow();
    Files.writeString(prefix.resolveSibling(prefix.getFileName() + process), text);
  }

  @Test
  void shouldOrderTheThreadsOfATarget() throws IOException {
    List<ThreadSchedule> orders = new ArrayList<>();
    TargetByHand plain = new TargetByHand(calls -> calls.store(10, 0, 1));
    Target noting =
        new Target() {
          @Override
          public TargetOutcome run(Execution execution, RecorderOptions options) {
            orders.add(options.schedule());
            return plain.run(execution, options);
          }

          @Override
          public void abort() {
            plain.abort();
          }
        };
    try (Execution execution = Execution.startingFrom(run.base(), run.resources().area())) {
      RecorderOptions options =
          RecorderOptions.recording(execution.places().pm(), execution.trace()).build();
      ThreadSchedules.ordered(noting, WANTED).run(execution, options);
    }
    assertThat(orders).containsExactly(WANTED);
  }
}
