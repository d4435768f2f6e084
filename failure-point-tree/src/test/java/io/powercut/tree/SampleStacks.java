// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import java.util.List;

/** The stacks of figure 2 of the Mumak paper, with the start-up frames that a real run has. */
final class SampleStacks {
  static final Frame START = Frame.of("pm.elf", 0x1090, "_start", "", 0);
  static final Frame LIBC_START =
      Frame.of("libc.so.6", 0x27304, "__libc_start_main_impl", "libc-start.c", 360);

  static final CallStack CLWB_IN_MAIN = CallStack.of(main(0x1200, 16), LIBC_START, START);
  static final CallStack PERSIST_IN_MAIN =
      CallStack.of(persist(), main(0x1220, 19), LIBC_START, START);
  static final CallStack PERSIST_IN_LOOP =
      CallStack.of(
          persist(),
          Frame.of("pm.elf", 0x1170, "redundant_loop", "/src/pm.c", 8),
          main(0x1230, 20),
          LIBC_START,
          START);

  private SampleStacks() {}

  static Frame main(long offset, int line) {
    return Frame.of("pm.elf", offset, "main", "/src/pm.c", line);
  }

  static Frame persist() {
    return Frame.of("pm.elf", 0x1150, "persist", "/src/pm.c", 2);
  }

  static FailurePointTree emptyTree() {
    return new FailurePointTree("pm.elf", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
  }

  static FailurePointTree figure2() {
    FailurePointTree tree = emptyTree();
    tree.reach(CLWB_IN_MAIN, Instruction.CLWB, 10);
    tree.reach(PERSIST_IN_MAIN, Instruction.CLWB, 20);
    for (int times = 0; times < 8; times++) {
      tree.reach(PERSIST_IN_LOOP, Instruction.CLWB, 30 + times);
    }
    return tree;
  }

  /** Two stacks of different frames with the same bytes under the hash. */
  static List<CallStack> colliding() {
    long offsetOfLetters = 0x6162636465666768L;
    return List.of(
        CallStack.of(Frame.unknown("a", offsetOfLetters), Frame.unknown("b", 7)),
        CallStack.of(Frame.unknown("a\0hgfedcbab", 7)));
  }
}
