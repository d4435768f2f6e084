// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartUpTest {
  private static final int PROGRAM = 1;
  private static final int SYSTEM_LIBRARY = 2;
  private static final int C_LIBRARY = 3;
  private static final int OWN_LIBRARY = 4;

  private final TraceTables tables = new TraceTables();
  private final StartUp startUp = new StartUp(tables, "program");
  private int stacks;

  @BeforeEach
  void defineModules() throws IOException {
    module(PROGRAM, "/home/me/program");
    module(SYSTEM_LIBRARY, "/usr/lib/x86_64-linux-gnu/libpmemobj.so.1");
    module(C_LIBRARY, "/lib/x86_64-linux-gnu/libc.so.6");
    module(OWN_LIBRARY, "/home/me/libstore.so");
  }

  private void module(int number, String path) throws IOException {
    give(new TraceEvent.ModuleDefined(0, 1, number, path, "", 0));
  }

  private void give(TraceEvent event) throws IOException {
    for (TraceConsumer consumer : List.of(tables, startUp)) {
      consumer.event(event);
    }
  }

  /** A site is the module's number and a line: 1002 is line 2 of module 1. */
  private void store(Integer... sites) throws IOException {
    for (int site : sites) {
      List<SourcePosition> positions = List.of(SourcePosition.UNKNOWN);
      give(new TraceEvent.SiteDefined(0, 1, site, site / 1000, site, positions));
    }
    int stack = ++stacks;
    FailurePointId id = new FailurePointId(stack);
    give(new TraceEvent.StackDefined(0, 1, stack, id, false, Arrays.asList(sites)));
    startUp.store(new StoreRecord(stack, 1, 0, sites[0], stack, 0, 8, ByteBuffer.allocate(8), 0));
  }

  @Test
  void aLibraryOfTheSystemThatOpensItsFilesShouldBeStartUp() throws IOException {
    store(2001, 2002, 1001);
    store(2003, 1001);
    store(3001, 2003, 1001);
    assertThat(startUp.isOver()).isFalse();
  }

  @Test
  void itShouldBeOverWhenTheTargetCallsAgain() throws IOException {
    store(2001, 1001);
    store(2001, 1002);
    assertThat(startUp.isOver()).isTrue();
  }

  @Test
  void itShouldBeOverWhenTheTargetStores() throws IOException {
    store(1001);
    assertThat(startUp.isOver()).isTrue();
  }

  @Test
  void whatTheTargetHasTheCLibraryCopyShouldBeTheTargets() throws IOException {
    store(3001, 1001);
    assertThat(startUp.isOver()).isTrue();
  }

  @Test
  void aLibraryOfTheTargetsOwnShouldNotBeStartUp() throws IOException {
    store(4001, 1001);
    assertThat(startUp.isOver()).isTrue();
  }

  @Test
  void itShouldBeOverWhenAFailurePointIsReachedAgain() {
    startUp.reached(1);
    assertThat(startUp.isOver()).isFalse();
    startUp.reached(2);
    assertThat(startUp.isOver()).isTrue();
  }
}
