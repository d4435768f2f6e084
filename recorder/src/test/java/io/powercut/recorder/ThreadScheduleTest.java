// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of threads as the recorder's options and files tell it. */
class ThreadScheduleTest {
  private static final HeldWriter WRITER = new HeldWriter(2, 17, 5_000, Optional.of(3));

  @Test
  void firstLineOfAFileShouldTellPolicySeedAndQuantum() {
    assertThat(ThreadSchedule.ofFirstLine("powercut schedule 1 pct seed 3 quantum 5000"))
        .contains(ThreadSchedule.of(ThreadSchedule.Policy.PCT, 3, 5_000));
  }

  @Test
  void firstLineShouldTellWhoWasHeld() {
    ThreadSchedule free = ThreadSchedule.of(ThreadSchedule.Policy.DELAY, 0, 100);

    assertThat(
            ThreadSchedule.ofFirstLine(
                "powercut schedule 1 delay seed 0 quantum 100 hold 2:17:5000:3"))
        .contains(free.holding(WRITER));
    assertThat(
            ThreadSchedule.ofFirstLine("powercut schedule 1 delay seed 0 quantum 100 hold 4:1:9"))
        .contains(free.holding(new HeldWriter(4, 1, 9, Optional.empty())));
    for (Optional<Integer> reader : List.of(Optional.of(3), Optional.<Integer>empty())) {
      HeldWriter persisted = new HeldWriter(4, 1, 9, reader).persistedBy(7);
      assertThat(persisted).hasToString(reader.isPresent() ? "4:1:9:3:7" : "4:1:9:0:7");
      assertThat(
              ThreadSchedule.ofFirstLine(
                  "powercut schedule 1 delay seed 0 quantum 100 hold " + persisted))
          .contains(free.holding(persisted));
    }
  }

  @Test
  void otherLinesShouldTellNothing() {
    assertThat(ThreadSchedule.ofFirstLine("powercut schedule 1 pct seed 3 quantum 5000 held"))
        .isEmpty();
    assertThat(ThreadSchedule.ofFirstLine("1 177 y 0")).isEmpty();
  }

  @Test
  void recorderShouldBeToldWhoIsHeldAlsoWhereItFollowsASchedule() {
    ThreadSchedule held = ThreadSchedule.USUAL.holding(WRITER).following(Path.of("/order"));

    assertThat(held.arguments())
        .contains("--schedule-in=/order", "--hold=2:17:5000:3")
        .doesNotContain("--hold=2:17:5000");
    assertThat(ThreadSchedule.USUAL.arguments()).noneMatch(one -> one.startsWith("--hold"));
  }

  @Test
  void threadsStoresAndBlocksShouldBeCountedFromOne() {
    assertThatThrownBy(() -> new HeldWriter(2, 0, 1, Optional.empty()))
        .hasMessageContaining("store 0")
        .hasMessageContaining("want at least 1");
    assertThatThrownBy(() -> new HeldWriter(2, 1, 1, Optional.of(0)))
        .hasMessageContaining("reader 0");
  }
}
