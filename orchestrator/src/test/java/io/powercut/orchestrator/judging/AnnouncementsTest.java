// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePointId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnnouncementsTest {
  private final List<String> told = new ArrayList<>();
  private Tally tally = Tally.NOTHING;
  private final Announcements announcements =
      new Announcements(
          new Progress() {
            @Override
            public void phase(String title) {}

            @Override
            public void step(String task, long done, long total) {}

            @Override
            public void tally(Tally now) {
              tally = now;
            }

            @Override
            public void note(String message) {
              told.add(message);
            }

            @Override
            public void close() {}
          });

  private static Judgement refused(int failurePoint, String output) {
    return new Judgement(
        new FailurePointId(failurePoint),
        1,
        0,
        Verdict.Kind.UNRECOVERABLE,
        "recovery failed: exited with code 1",
        "check",
        output,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void mistakeThatShowsAtManyFailurePointsShouldBeToldOnceWithRecoverysMessage() {
    for (int point = 0; point < 5_000; point++) {
      announcements.judged(refused(point, "opening\nkey %d is missing\n".formatted(point)), 5_000);
    }

    assertThat(told)
        .containsExactly(
            "unrecoverable at failure point 0000000000000000: recovery failed: exited with code 1: key 0"
                + " is missing");
  }

  @Test
  void otherMistakeShouldBeToldToo() {
    announcements.judged(refused(1, "key 7 is missing"), 2);
    announcements.judged(refused(2, "count is wrong: 3"), 2);

    assertThat(told).hasSize(2);
    assertThat(tally).isEqualTo(new Tally(2, 2, 0, 2));
  }
}
