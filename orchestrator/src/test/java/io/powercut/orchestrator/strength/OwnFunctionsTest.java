// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.TraceEvent.ModuleDefined;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnFunctionsTest {
  private static final List<ModuleDefined> MODULES =
      List.of(
          new ModuleDefined(0, 1, 1, "/home/me/app", "", 0),
          new ModuleDefined(1, 1, 2, "/usr/lib/x86_64-linux-gnu/libpmem.so.1", "", 0),
          new ModuleDefined(2, 1, 3, "/lib/x86_64-linux-gnu/libc.so.6", "", 0));

  private static final CallStack STORE =
      CallStack.of(
          frame("libc.so.6", "memcpy"),
          frame("app", "copy"),
          frame("app", "insert"),
          frame("app", "main"));

  private static Frame frame(String module, String function) {
    return Frame.of(module, function.hashCode(), function, function + ".c", 1);
  }

  private static String of(Frame... frames) {
    return new OwnFunctions(MODULES, List.of(STORE)).of(CallStack.of(frames));
  }

  @Test
  void librariesOfTheSystemShouldNotBeBlamed() {
    assertThat(
            of(frame("libpmem.so.1", "pmem_persist"), frame("app", "insert"), frame("app", "main")))
        .isEqualTo("insert");
  }

  @Test
  void helperThatNeverStoresShouldNotBeBlamed() {
    assertThat(of(frame("app", "persist"), frame("app", "insert"), frame("app", "main")))
        .isEqualTo("insert");
  }

  @Test
  void inlinedHelperShouldNotBeBlamed() {
    Frame inlined =
        new Frame(
            "app",
            5,
            List.of(
                new SourcePosition("persist", "app.h", 1),
                new SourcePosition("insert", "app.c", 2)));

    assertThat(of(inlined, frame("app", "main"))).isEqualTo("insert");
  }

  @Test
  void functionThatStoresByAnotherShouldBeBlamed() {
    assertThat(of(frame("app", "insert"), frame("app", "main"))).isEqualTo("insert");
  }

  @Test
  void somethingShouldBeBlamedInAnyCase() {
    assertThat(of(frame("app", "persist"))).isEqualTo("persist");
    assertThat(of(frame("libpmem.so.1", "pmem_persist"))).isEqualTo("pmem_persist");
    assertThat(of(Frame.unknown("libpmem.so.1", 7))).isEqualTo("(unknown)");
  }
}
