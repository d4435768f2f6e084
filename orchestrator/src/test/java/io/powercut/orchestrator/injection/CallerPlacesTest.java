// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.SourcePosition;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallerPlacesTest {
  private static final int ASSIGNS = 1;
  private static final int INSERTS = 2;
  private static final int REMOVES = 3;
  private static final int MAIN = 4;

  private final TraceTables tables = new TraceTables();
  private final CallerPlaces places = new CallerPlaces(tables);

  @BeforeEach
  void define() {
    tables.event(new TraceEvent.ModuleDefined(0, 1, 1, "/home/me/program", "", 0));
    site(ASSIGNS, "pmem::obj::p<unsigned long>::operator=", 90);
    site(INSERTS, "insert", 10);
    site(REMOVES, "remove", 20);
    site(MAIN, "main", 30);
  }

  private void site(int site, String function, int line) {
    tables.event(
        new TraceEvent.SiteDefined(
            0, 1, site, 1, site, List.of(new SourcePosition(function, "program.cpp", line))));
  }

  private void stack(int stack, Integer... sites) {
    tables.event(
        new TraceEvent.StackDefined(0, 1, stack, new FailurePointId(stack), false, List.of(sites)));
  }

  @Test
  void callersOfAnOperatorShouldBePlacesOfTheirOwn() {
    stack(1, ASSIGNS, INSERTS, MAIN);
    stack(2, ASSIGNS, REMOVES, MAIN);

    assertThat(places.of(1, ASSIGNS)).isNotEqualTo(places.of(2, ASSIGNS));
    assertThat(places.of(1, ASSIGNS)).isEqualTo(places.of(1, ASSIGNS));
  }

  @Test
  void theWayToTheUsersCodeShouldNotMatter() {
    stack(1, INSERTS, MAIN);
    stack(2, INSERTS, REMOVES, MAIN);
    stack(3, ASSIGNS, INSERTS, MAIN);
    stack(4, ASSIGNS, INSERTS, REMOVES, MAIN);

    assertThat(places.of(1, INSERTS)).isEqualTo(places.of(2, INSERTS));
    assertThat(places.of(3, ASSIGNS))
        .isEqualTo(places.of(4, ASSIGNS))
        .isNotEqualTo(places.of(1, INSERTS));
  }

  @Test
  void withoutStacksEachInstructionShouldBeAPlace() {
    assertThat(places.of(0, INSERTS))
        .isEqualTo(places.of(0, INSERTS))
        .isNotEqualTo(places.of(0, REMOVES));
  }

  @Test
  void stackOfALaterStoreShouldBeNoPlaceUntilItIsDefined() {
    stack(1, INSERTS, MAIN);
    int before = places.of(1, INSERTS);

    assertThat(places.of(2, REMOVES)).isNotEqualTo(before);
    stack(2, ASSIGNS, REMOVES, MAIN);
    stack(3, ASSIGNS, REMOVES, MAIN);
    assertThat(places.of(2, ASSIGNS)).isEqualTo(places.of(3, ASSIGNS)).isNotEqualTo(before);
  }
}
