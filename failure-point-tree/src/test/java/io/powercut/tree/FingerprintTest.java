// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private static final Fingerprint FINGERPRINT =
      Fingerprint.of(SampleStacks.PERSIST_IN_MAIN, "CRASHED");

  @Test
  void shouldSurviveARebuildThatMovesEverything() {
    CallStack rebuilt =
        CallStack.of(
            Frame.of("pm-2.elf", 0x9990, "persist.constprop.0", "/new/pm2.c", 22),
            Frame.of("pm-2.elf", 0x9991, "main", "/new/pm2.c", 91),
            Frame.of("libc.so.6", 0x1, "__libc_start_call_main", "", 0),
            Frame.of("libc.so.6", 0x2, "__libc_start_main@@GLIBC_2.34", "", 0));
    assertThat(Fingerprint.of(rebuilt, "CRASHED")).isEqualTo(FINGERPRINT);
  }

  @Test
  void shouldSurviveInlining() {
    CallStack inlined =
        CallStack.of(
            new Frame(
                "pm.elf",
                1,
                List.of(
                    new SourcePosition("persist", "pm.c", 2),
                    new SourcePosition("main", "pm.c", 19))));
    assertThat(Fingerprint.of(inlined, "CRASHED")).isEqualTo(FINGERPRINT);
  }

  @Test
  void shouldTellKindsAndPathsApart() {
    assertThat(Fingerprint.of(SampleStacks.PERSIST_IN_MAIN, "HUNG")).isNotEqualTo(FINGERPRINT);
    assertThat(Fingerprint.of(SampleStacks.PERSIST_IN_LOOP, "CRASHED")).isNotEqualTo(FINGERPRINT);
  }

  @Test
  void shouldStandOnTheModuleWhereThereAreNoNames() {
    assertThat(Fingerprint.of(CallStack.of(Frame.unknown("a.so", 1)), "HUNG"))
        .isEqualTo(Fingerprint.of(CallStack.of(Frame.unknown("a.so", 2)), "HUNG"))
        .isNotEqualTo(Fingerprint.of(CallStack.of(Frame.unknown("b.so", 1)), "HUNG"));
  }

  @Test
  void shouldNotDependOnTheDepthOfARecursion() {
    Frame walk = Frame.of("a", 1, "walk", "a.c", 1);
    Frame main = Frame.of("a", 2, "main", "a.c", 9);
    assertThat(Fingerprint.of(CallStack.of(walk, walk, walk, main), "HUNG"))
        .isEqualTo(Fingerprint.of(CallStack.of(walk, main), "HUNG"))
        .isNotEqualTo(Fingerprint.of(CallStack.of(walk, main, walk, main), "HUNG"));
  }
}
