// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.PersistencyRace.Lock;
import io.powercut.report.evidence.PersistencyRace.Step;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RaceLinesTest {
  @Test
  void dataRaceShouldShowTheObjectAndBothAccesses() {
    assertThat(RaceLines.of(SampleRuns.dataRace(true)))
        .containsExactly(
            "  object:      byte 8 of a block of 32 bytes that thread 0 allocated, which held"
                + " 0x000000000000002a (8 bytes) at the second access, found by kard in 2 of 3 runs",
            "  allocated:   main at /src/map_workload.c:20",
            "  first:       write of 8 bytes by thread 2, with global lock_put in put at"
                + " /src/map.c:30, thread created in main at /src/map_workload.c:25",
            "  second:      read of 8 bytes by thread 3, with global lock_get in get at"
                + " /src/map.c:40, thread created in main at /src/map_workload.c:25");
  }

  @Test
  void suspicionShouldSayWhoHeldTheKey() {
    assertThat(RaceLines.of(SampleRuns.dataRace(false)))
        .anyMatch(line -> line.startsWith("  holder: "))
        .anyMatch(line -> line.startsWith("  access: "));
  }

  private static Lock lock(String address, boolean shared) {
    return new Lock("mutex", address, shared, List.of());
  }

  private static Step step(Lock... held) {
    return new Step(
        2, 10, List.of(new StackFrame("f", "/src/pm.c", 9, "app", "0x10")), List.of(held));
  }

  private static List<String> lines(Step store, Optional<Step> persist, Step load) {
    return RaceLines.of(race(store, persist, load));
  }

  private static PersistencyRace race(Step store, Optional<Step> persist, Step load) {
    PersistencyRace.End end =
        persist.isPresent() ? PersistencyRace.End.PERSISTED : PersistencyRace.End.NEVER;
    return new PersistencyRace(
        PersistencyRace.Level.REGION,
        end,
        store,
        persist,
        load,
        "pool",
        64,
        8,
        Optional.of("0x2a"),
        0,
        false,
        1,
        1,
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  @Test
  void whatCameOfHoldingTheWriterShouldBeSaid() {
    PersistencyRace race = race(step(), Optional.of(step()), step());
    PersistencyRace held = race.heldIn(new HeldOrder(2, 1_017, HeldOrder.IMPOSSIBLE));

    assertThat(RaceLines.of(held))
        .contains(
            "  held:        thread 2 was held behind its store 1,017: it could not happen in this"
                + " order");
    assertThat(RaceLines.of(race)).noneMatch(line -> line.contains("held:"));
    assertThat(new HeldOrder(2, 1, HeldOrder.TRIED).inSentence())
        .isEqualTo(
            "Thread 2 was held behind its store 1: the reader loaded the store and acted on it.");
    assertThat(new HeldOrder(2, 1, HeldOrder.UNUSED).inWords()).endsWith("nothing that lasts");
    assertThat(new HeldOrder(2, 1, HeldOrder.UNUSED).ofStores(4).inWords())
        .startsWith("thread 2 was held behind its store 1 (one of 4 stores tried): the reader");
    assertThat(new HeldOrder(2, 1, HeldOrder.FAILED).inWords()).contains("failed");
    assertThat(
            new HeldOrder(2, 1, HeldOrder.TRIED, Optional.of(4), 1)
                .with(HeldOrder.UNUSED)
                .inWords())
        .isEqualTo(
            "thread 4 was held before it persisted store 1 of thread 2: the reader loaded the"
                + " store, and did nothing that lasts");
  }

  @Test
  void orderOfAnEarlierVersionShouldBeOfOneStore() throws Exception {
    HeldOrder read =
        Json.parse(
            "{\"thread\": 2, \"store\": 7, \"outcome\": \"tried\", \"persister\": null}",
            HeldOrder.class);

    assertThat(read).isEqualTo(new HeldOrder(2, 7, HeldOrder.TRIED));
  }

  @Test
  void whatWasStoredShouldBeShown() {
    assertThat(lines(step(), Optional.empty(), step()))
        .contains("  8 bytes at 0x40 of pool (0x2a stored)");
  }

  @Test
  void lockThatIsGivenBackTooEarlyShouldBeNamed() {
    Lock mutex = lock("0x10", false);
    String remedy =
        "  remedy:      persist it before mutex 0x10 is released, which the reader holds, too";

    assertThat(lines(step(mutex), Optional.of(step()), step(mutex))).contains(remedy);
    assertThat(lines(step(mutex), Optional.empty(), step(mutex))).contains(remedy);
    assertThat(lines(step(mutex), Optional.of(step(lock("0x20", false))), step(mutex)))
        .contains(remedy);
  }

  @Test
  void lockThatWouldNotHelpShouldNotBeNamed() {
    Lock mutex = lock("0x10", false);
    Lock shared = lock("0x10", true);

    assertThat(lines(step(mutex), Optional.of(step()), step()).toString()).doesNotContain("remedy");
    assertThat(lines(step(mutex), Optional.of(step()), step(lock("0x20", false))).toString())
        .doesNotContain("remedy");
    assertThat(lines(step(shared), Optional.of(step()), step(shared)).toString())
        .doesNotContain("remedy");
    assertThat(lines(step(mutex), Optional.of(step(mutex)), step(mutex)).toString())
        .doesNotContain("remedy");
  }
}
