// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.session.Progress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Notes that several runs of one target would repeat. */
class NotesOnceTest {
  private final List<String> shown = new ArrayList<>();

  private final Progress screen =
      new Progress() {
        @Override
        public void phase(String title) {
          shown.add("phase " + title);
        }

        @Override
        public void step(String task, long done, long total) {
          shown.add(task + " " + done + " of " + total);
        }

        @Override
        public void note(String message) {
          shown.add(message);
        }

        @Override
        public void close() {
          shown.add("closed");
        }
      };

  @Test
  void sameNoteShouldBeShownOnce() {
    Progress notes = new NotesOnce(screen);

    notes.note("never called");
    notes.note("another");
    notes.note("never called");

    assertThat(shown).containsExactly("never called", "another");
  }

  @Test
  void everythingElseShouldBePassedOn() {
    Progress notes = new NotesOnce(screen);

    for (int time = 0; time < 2; time++) {
      notes.phase("run");
      notes.phase("injecting", 3);
      notes.step("images", 1, 2);
      notes.tally(Progress.Tally.NOTHING);
      notes.found("a bug");
    }
    notes.close();

    assertThat(shown)
        .containsExactly(
            "phase run",
            "phase injecting",
            "images 1 of 2",
            "a bug",
            "phase run",
            "phase injecting",
            "images 1 of 2",
            "a bug",
            "closed");
  }
}
