// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.StackFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What advice says of a line that stores several times. */
class StoresOfLineTest {
  private final StoresOfLine stores = new StoresOfLine();

  /** A store at line 9 that an instruction makes. */
  private void add(long offset, String instruction, StackFrame... callers) {
    List<StackFrame> stack = new ArrayList<>();
    stack.add(new StackFrame("fill", "/src/a.c", 9, "app", instruction));
    stack.addAll(List.of(callers));
    stores.add(new ImageStore("pool", offset, 8, "00", stack));
  }

  /** A pointer leads to either, as that of a coroutine does. */
  @Test
  void storesOfOtherInstancesOfATemplateShouldNotBeCounted() {
    addIn("void Table<int>::put(int)", 0, "0x10");
    addIn("void Table<long>::put(long)", 64, "0x30");
    assertThat(stores.inWords()).isEmpty();

    addIn("void Table<long>::put(long) [clone .part.0]", 128, "0x40");
    assertThat(stores.inWords()).isPresent();
  }

  private void addIn(String function, long offset, String instruction) {
    stores.add(
        new ImageStore(
            "pool",
            offset,
            8,
            "00",
            List.of(
                new StackFrame(function, "/src/a.cpp", 9, "app", instruction),
                caller(20, "0x80"))));
  }

  private static StackFrame caller(int line, String address) {
    return new StackFrame("main", "/src/a.c", line, "app", address);
  }

  @Test
  void storesOfAMacroShouldAllBeNamed() {
    add(0x5940, "0x30");
    add(0x5880, "0x10");
    add(0x5a80, "0x10");
    add(0x5900, "0x20");

    assertThat(stores.inWords())
        .contains(
            "each of the 3 stores that its source line makes, such as to 0x5880, 0x5900, 0x5940 of"
                + " pool");
  }

  @Test
  void oneStoreShouldNeedNoWords() {
    assertThat(stores.inWords()).isEmpty();
    add(0, "0x10");
    add(64, "0x10");
    assertThat(stores.inWords()).isEmpty();
  }

  @Test
  void storesToOneCacheLineShouldNeedNoWords() {
    add(0, "0x10");
    add(8, "0x20");
    assertThat(stores.inWords()).isEmpty();
  }

  @Test
  void storesForOtherCallersShouldNotBeCounted() {
    add(0, "0x10", caller(20, "0x80"));
    add(64, "0x10", caller(21, "0x90"));
    add(128, "0x40", caller(22, "0x40")); // inlined there
    add(192, "0x50", caller(23, "0x50"));
    assertThat(stores.inWords()).isEmpty();

    add(256, "0x54", caller(23, "0x54"));
    assertThat(stores.inWords()).isPresent();
  }
}
