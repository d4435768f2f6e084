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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoringFunctionsTest {
  private final TraceTables tables = new TraceTables();
  private final StoringFunctions storing = new StoringFunctions(tables);

  @TempDir private Path folder;

  private String file = "program.c";

  private StackFrame frame(String function) {
    return new StackFrame(function, file, 7, "program", "0x1");
  }

  /** A store in these functions, the innermost first. */
  private void store(int stack, String... functions) throws IOException {
    tables.event(new TraceEvent.ModuleDefined(0, 1, 1, "/home/me/program", "", 0));
    List<Integer> sites = new ArrayList<>();
    for (String function : functions) {
      int site = 100 * stack + sites.size();
      tables.event(
          new TraceEvent.SiteDefined(
              0, 1, site, 1, site, List.of(new SourcePosition(function, file, 7))));
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

  /** What is stored in it is what it was given to run. */
  @Test
  void functionThatRunsWhatItIsGivenAndPersistsShouldBeItsCallersCode() throws IOException {
    file =
        Files.writeString(
                folder.resolve("program.cc"),
                """
                template <typename F> void durable(void *p, size_t n, F &&f) { f(); pmem_persist(p, n); }
                template <typename F> void tx(F &&f) { pmemobj_tx_begin(pop); f(); pmemobj_tx_commit(); }
                template <typename F> void own(P *p, F &&f) { f(); p->count++; pmem_persist(p, 8); }
                """)
            .toString();
    store(1, "fill", "durable", "alpha", "main");
    store(2, "fill", "tx", "alpha", "main");
    store(3, "fill", "own", "alpha", "main");

    for (String wrapper : List.of("durable", "tx")) {
      assertThat(
              storing.withoutThoseThatOnlyPersist(
                  List.of(frame(wrapper), frame("alpha"), frame("main"))))
          .containsExactly(frame("alpha"), frame("main"));
    }
    assertThat(
            storing.withoutThoseThatOnlyPersist(
                List.of(frame("own"), frame("alpha"), frame("main"))))
        .startsWith(frame("own"));
  }

  /** As Debian's libpmem is. */
  @Test
  void libraryWithoutNamesShouldNotHideWhoStored() throws IOException {
    store(1, "put", "insert", "main");
    StackFrame unnamed = new StackFrame("", "", 0, "libpmem.so.1.0.0", "0xcc00");

    assertThat(
            storing.withoutThoseThatOnlyPersist(
                List.of(unnamed, frame("~Guard"), frame("insert"), frame("main"))))
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

  /** That it is called too early is its callers' mistake. */
  @Test
  void functionThatMakesASingleStoreShouldBeItsCallersCode() throws IOException {
    file =
        Files.writeString(
                folder.resolve("program.c"),
                """
                void publish(struct slot *slot) { slot->valid = 1; persist(slot); }
                void take(struct slot *slot) { slot->taken = 1; persist(slot); fill(slot); }
                void fill(struct slot *slot) { slot->a = 1; slot->b = 2; persist(slot); }
                void insert(struct slot *slot, int n) { int at; at = n; publish(slot + at); fill(slot); }
                """)
            .toString();
    store(1, "publish", "alpha", "main");
    store(2, "take", "alpha", "main");
    store(3, "fill", "take", "alpha", "main");
    store(4, "publish", "insert", "main");

    assertThat(
            storing.withoutThoseThatOnlyPersist(
                List.of(frame("persist"), frame("publish"), frame("alpha"), frame("main"))))
        .containsExactly(frame("alpha"), frame("main"));
    assertThat(
            storing.withoutThoseThatOnlyPersist(
                List.of(frame("persist"), frame("take"), frame("alpha"), frame("main"))))
        .as("it calls another one that stores, maybe too late")
        .containsExactly(frame("take"), frame("alpha"), frame("main"));
    assertThat(
            storing.withoutThoseThatOnlyPersist(
                List.of(frame("persist"), frame("publish"), frame("insert"), frame("main"))))
        .as("what it assigns is a variable of its own")
        .containsExactly(frame("insert"), frame("main"));
    assertThat(storing.withoutThoseThatOnlyPersist(List.of(frame("publish"))))
        .containsExactly(frame("publish"));
  }
}
