// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import io.powercut.exit.ExitCode;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.cli.events.EventLog;
import io.powercut.orchestrator.cli.events.RunEvent;
import io.powercut.process.PowercutHome;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventsTest {
  private static final String TIME = "2026-01-02T03:04:05.678Z";

  static List<RunEvent> events() {
    return List.of(
        new RunEvent.CampaignBegan(TIME, "slots", 1, 41),
        new RunEvent.Phase(TIME, "setting up", 0),
        new RunEvent.Step(TIME, "orders of threads", 3, 8),
        new RunEvent.Judged(TIME, "84f456c1531bb7be", 2, "CRASHED", "a \"quoted\"\nword", 0.25),
        new RunEvent.States(TIME, "84f456c1531bb7be", 1, 7, 2),
        new RunEvent.Bug(TIME, "crashed at failure point 84f456c1531bb7be"),
        new RunEvent.Note(TIME, "interrupted"),
        new RunEvent.FindingTold(
            TIME,
            "BUG",
            "crashed",
            "84b48",
            "title",
            "place",
            false,
            Optional.of("powercut replay")),
        new RunEvent.Result(TIME, "slots", 1, "new", 1, 0, Optional.empty(), "no report", 2.5),
        new RunEvent.SweepResult(TIME, 1, "new", 41, 40, 3600.5),
        new RunEvent.Failed(TIME, 2, "x.yaml: does not exist"));
  }

  @ParameterizedTest
  @MethodSource("events")
  void eventShouldBeOneLineThatIsReadBack(RunEvent event) throws IOException {
    String line = Json.line(event);

    assertThat(line).doesNotContain("\n").startsWith("{\"event\":\"").contains("\"time\":");
    assertThat(Json.parse(line, RunEvent.class)).isEqualTo(event);
  }

  @Test
  void everyEventShouldBeAmongThoseThatAreReadBack() {
    assertThat(events().stream().map(Object::getClass).collect(Collectors.toSet()))
        .hasSize(RunEvent.class.getPermittedSubclasses().length);
  }

  @Test
  void documentShouldListEveryEventWithItsKeys() throws IOException {
    Map<String, String> rows =
        Files.readAllLines(PowercutHome.find().resolve("docs/events.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(2).split(" \\| "))
            .collect(Collectors.toMap(cells -> cells[0], cells -> cells[1]));

    for (JsonSubTypes.Type type : RunEvent.class.getAnnotation(JsonSubTypes.class).value()) {
      assertThat(rows.remove("`" + type.name() + "`"))
          .as(type.name())
          .isEqualTo(
              Arrays.stream(type.value().getRecordComponents())
                  .map(RecordComponent::getName)
                  .filter(name -> !name.equals("time"))
                  .collect(Collectors.joining("`, `", "`", "`")));
    }
    assertThat(rows).isEmpty();
  }

  @Test
  void logShouldTellWhatARunReports() throws IOException {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    EventLog log = new EventLog(new PrintStream(told, true, StandardCharsets.UTF_8));
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
            Optional.empty()));
    log.explored(StateVerdicts.none(new Occurrence(new FailurePointId(7), 1), true));
    for (int step = 0; step < 1000; step++) {
      log.step("orders of threads", step, 1000);
    }
    log.found("crashed");
    log.failed(ExitCode.WRONG_USAGE, "wrong");

    List<Class<?>> classes = new ArrayList<>();
    for (String line : told.toString(StandardCharsets.UTF_8).lines().toList()) {
      classes.add(Json.parse(line, RunEvent.class).getClass());
    }
    assertThat(classes)
        .containsExactly(
            RunEvent.Phase.class,
            RunEvent.Judged.class,
            RunEvent.Step.class,
            RunEvent.Bug.class,
            RunEvent.Failed.class);
  }
}
