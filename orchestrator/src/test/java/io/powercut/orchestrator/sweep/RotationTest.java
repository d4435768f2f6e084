// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.exit.ExitCode;
import io.powercut.report.history.History;
import io.powercut.report.history.RunRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotationTest {
  private static final Instant NIGHT = Instant.parse("2026-11-20T02:00:00Z");

  @TempDir private Path folder;
  private History history;
  private Rotation rotation;

  @BeforeEach
  void open() {
    history = History.open(folder.resolve("history.db"));
    rotation = new Rotation(history);
  }

  @AfterEach
  void close() {
    history.close();
  }

  private static PlannedCampaign planned(String name) {
    return new PlannedCampaign(Path.of(name + ".yaml"), name, Optional.empty(), "");
  }

  private void ran(String campaign, int night, ExitCode exit, boolean complete, double seconds) {
    history.addFailure(
        new RunRecord(
            campaign,
            NIGHT.plus(Duration.ofDays(night)),
            Optional.of(folder.resolve(campaign + night)),
            "",
            Optional.empty(),
            exit.code(),
            complete,
            "",
            1,
            1,
            seconds,
            Map.of(),
            Map.of()));
  }

  private List<String> order(String... names) {
    return rotation.order(Stream.of(names).map(RotationTest::planned).toList()).stream()
        .map(PlannedCampaign::name)
        .toList();
  }

  @Test
  void whatWasNotReachedShouldComeFirst() {
    ran("a", 2, ExitCode.NOTHING_NEW, true, 1);
    ran("b", 2, ExitCode.INCOMPLETE, false, 1);
    ran("c", 1, ExitCode.NEW_BUGS, true, 1);
    ran("d", 1, ExitCode.NOTHING_NEW, true, 1);
    ran("d", 2, ExitCode.NOT_TRUSTWORTHY, false, 1);

    assertThat(order("a", "b", "c", "d", "e")).containsExactly("e", "c", "a", "b", "d");
  }

  @Test
  void lastCompleteRunShouldTellHowLongTheNextTakes() {
    ran("a", 1, ExitCode.NOTHING_NEW, true, 100);
    ran("a", 2, ExitCode.NEW_BUGS, true, 40);
    ran("a", 3, ExitCode.NOT_TRUSTWORTHY, false, 1);

    assertThat(rotation.expected(planned("a"))).contains(Duration.ofSeconds(50));
    assertThat(rotation.expected(planned("never"))).isEmpty();
  }

  @Test
  void whatWasCutShortShouldBeExpectedToTakeLonger() {
    ran("a", 1, ExitCode.INCOMPLETE, false, 40);

    assertThat(rotation.expected(planned("a"))).contains(Duration.ofSeconds(80));

    ran("b", 1, ExitCode.NOTHING_NEW, true, 100);
    ran("b", 2, ExitCode.INCOMPLETE, false, 40);

    assertThat(rotation.expected(planned("b"))).contains(Duration.ofSeconds(125));
  }
}
