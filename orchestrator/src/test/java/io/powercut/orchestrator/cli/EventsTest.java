// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import io.powercut.api.Event;
import io.powercut.api.Finding;
import io.powercut.exit.ExitCode;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.engine.EventLog;
import io.powercut.process.PowercutHome;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventsTest {
  private static final String TIME = "2026-01-02T03:04:05.678Z";

  private static final Finding FINDING =
      new Finding(
          "BUG", "crashed", "84b48", "title", "place", false, true, Optional.of("powercut replay"));

  static List<Event> events() {
    return List.of(
        new Event.CampaignBegan(TIME, "slots", 1, 41),
        new Event.Phase(TIME, "setting up", 0),
        new Event.Step(TIME, "orders of threads", 3, 8),
        new Event.Judged(TIME, "84f456c1531bb7be", 2, "CRASHED", "a \"quoted\"\nword", 0.25),
        new Event.States(TIME, "84f456c1531bb7be", 1, 7, 2),
        new Event.Bug(TIME, "crashed at failure point 84f456c1531bb7be"),
        new Event.Note(TIME, "interrupted"),
        new Event.Found(TIME, FINDING),
        new Event.Result(TIME, "slots", 1, "new", 1, 0, Optional.empty(), "no report", 2.5),
        new Event.SweepResult(TIME, 1, "new", 41, 40, 3600.5),
        new Event.Failed(TIME, 2, "x.yaml: does not exist"));
  }

  @ParameterizedTest
  @MethodSource("events")
  void eventShouldBeOneLineThatIsReadBack(Event event) throws IOException {
    String line = event.toLine();

    assertThat(line).doesNotContain("\n").startsWith("{\"event\":\"").contains("\"time\":");
    assertThat(Event.of(line)).contains(event);
  }

  @Test
  void everyEventShouldBeAmongThoseThatAreReadBack() {
    assertThat(events().stream().map(Object::getClass).collect(Collectors.toSet()))
        .hasSize(Event.class.getAnnotation(JsonSubTypes.class).value().length);
  }

  @Test
  void documentShouldListEveryEventWithItsKeys() throws IOException {
    Map<String, String> rows =
        Files.readAllLines(PowercutHome.find().resolve("docs/events.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(2).split(" \\| "))
            .collect(Collectors.toMap(cells -> cells[0], cells -> cells[1]));

    for (JsonSubTypes.Type type : Event.class.getAnnotation(JsonSubTypes.class).value()) {
      assertThat(rows.remove("`" + type.name() + "`"))
          .as(type.name())
          .isEqualTo(
              keys(type.value())
                  .filter(name -> !name.equals("time"))
                  .collect(Collectors.joining("`, `", "`", "`")));
    }
    assertThat(rows).isEmpty();
  }

  /** Those of a finding are written as the event's own. */
  private static Stream<String> keys(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            one -> one.getType() == Finding.class ? keys(Finding.class) : Stream.of(one.getName()));
  }

  @Test
  void logShouldTellWhatARunReports() throws IOException {
    List<Class<?>> classes = new ArrayList<>();
    EventLog log = new EventLog(event -> classes.add(event.getClass()));
    log.phase("judging other occurrences", 6);
    log.judged(
        new Judgement(
            new FailurePointId(7),
            1,
            0,
            Verdict.Kind.HUNG,
            "recovery hung",
            "check",
            "",
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0.5,
            Optional.empty(),
            Optional.empty()));
    log.explored(StateVerdicts.none(new Occurrence(new FailurePointId(7), 1), true));
    for (int step = 0; step < 1000; step++) {
      log.step("orders of threads", step, 1000);
    }
    log.found("crashed");
    log.failed(ExitCode.WRONG_USAGE, "wrong");

    assertThat(classes)
        .containsExactly(
            Event.Phase.class,
            Event.Judged.class,
            Event.Step.class,
            Event.Bug.class,
            Event.Failed.class);
  }
}
