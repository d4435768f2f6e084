// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataRaceResultTest {
  private static DataRace race(String function, int line) {
    DataRace.Thing object = new DataRace.Thing("global stats", List.of());
    return new DataRace("hmtrace", 8, "", object, access("serve", 27), access(function, line));
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

    assertThat(DataRaceResult.merge(List.of(run, run)))
        .hasSize(2)
        .allSatisfy(found -> assertThat(found.runs()).isEqualTo(2));
  }

  @Test
  void functionsWithoutLinesShouldBeToldApart() {
    assertThat(DataRaceResult.merge(List.of(List.of(race("push", 0), race("pop", 0))))).hasSize(2);
  }
}
