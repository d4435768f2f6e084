// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.StackFrame;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DataRaceResultTest {
  private static DataRace race(String function, int line) {
    return race("hmtrace", true, access(function, line));
  }

  private static DataRace race(String detector, boolean confirmed, DataRace.Access second) {
    DataRace.Thing object = new DataRace.Thing("global stats", List.of());
    return new DataRace(
        List.of(detector),
        confirmed,
        8,
        Optional.empty(),
        object,
        access("serve", 27),
        second,
        1,
        1);
  }

  private static DataRace.Access access(String function, int line) {
    return new DataRace.Access(
        "write",
        8,
        1,
        List.of(),
        List.of(new StackFrame(function, line == 0 ? "" : "/src/pool.cpp", line, "pool", "0x10")),
        List.of());
  }

  @Test
  void lineOfAnInlinedFunctionShouldBeOnePlaceUnderEitherName() {
    List<DataRace> run = List.of(race("serve", 27), race("_M_invoke", 27), race("serve", 33));

    assertThat(found(List.of(run, run)))
        .hasSize(2)
        .allSatisfy(found -> assertThat(found.runs()).isEqualTo(2));
  }

  @Test
  void raceShouldNameAllThatFoundIt() {
    DataRace.Access second = access("push", 40);
    List<DataRace> run = List.of(race("kard", true, second), race("hmtrace", true, second));

    assertThat(found(List.of(run, List.of(race("kard", true, second)))))
        .singleElement()
        .satisfies(found -> assertThat(found.runs()).isEqualTo(2))
        .satisfies(found -> assertThat(found.detectors()).containsExactly("hmtrace", "kard"));
  }

  @Test
  void whatIsSuspectedShouldNotCountAsFound() {
    DataRace.Access second = access("push", 40);
    List<DataRace> run = List.of(race("kard", false, second), race("kard", true, second));

    DataRaceResult result = result(List.of(run));

    assertThat(result.found()).singleElement().matches(found -> found.confirmed());
    assertThat(result.suspected()).singleElement().matches(found -> !found.confirmed());
  }

  private static List<DataRace> found(List<List<DataRace>> runs) {
    return result(runs).found();
  }

  private static DataRaceResult result(List<List<DataRace>> runs) {
    return DataRaceResult.of(runs, List.of(), List.of());
  }

  @Test
  void functionsWithoutLinesShouldBeToldApart() {
    assertThat(found(List.of(List.of(race("push", 0), race("pop", 0))))).hasSize(2);
  }
}
