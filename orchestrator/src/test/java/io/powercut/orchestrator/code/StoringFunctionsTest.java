// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoringFunctionsTest {
  private final TraceTables tables = new TraceTables();
  private final StoringFunctions storing = new StoringFunctions(tables);

  private static StackFrame frame(String function) {
    return new StackFrame(function, "program.c", 7, "program", "0x1");
  }

  /** A store in these functions, the innermost first. */
  private void store(int stack, String... functions) throws IOException {
    tables.event(new TraceEvent.ModuleDefined(0, 1, 1, "/home/me/program", "", 0));
    List<Integer> sites = new ArrayList<>();
    for (String function : functions) {
      int site = 100 * stack + sites.size();
      tables.event(
          new TraceEvent.SiteDefined(
              0, 1, site, 1, site, List.of(new SourcePosition(function, "program.c", 7))));
      sites.add(site);
    }
    tables.event(new TraceEvent.StackDefined(0, 1, stack, new FailurePointId(stack), false, sites));
    storing.store(new StoreRecord(0, 1, 0, sites.get(0), stack, 0, 8, ByteBuffer.allocate(8), 0));
  }

  @Test
  void functionsInWhichNothingIsStoredShouldNotCountWhateverTheyAreCalled() throws IOException {
    store(1, "put", "insert", "main");

    assertThat(
            storing.withoutThoseThatOnlyPersist(
                List.of(frame("fl"), frame("per"), frame("insert"), frame("main"))))
        .containsExactly(frame("insert"), frame("main"));
  }

  @Test
  void stackShouldStayAsItIsWhereNothingIsKnown() throws IOException {
    List<StackFrame> unknown = List.of(frame(""), frame("main"));
    List<StackFrame> persisting = List.of(frame("fl"), frame("other"));

    assertThat(storing.withoutThoseThatOnlyPersist(persisting)).isEqualTo(persisting);
    store(1, "main");
    assertThat(storing.withoutThoseThatOnlyPersist(persisting)).isEqualTo(persisting);
    assertThat(storing.withoutThoseThatOnlyPersist(unknown)).isEqualTo(unknown);
  }
}
