// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeDrawingTest {
  @Test
  void shouldDrawFigure2OfThePaper() {
    FailurePointTree tree = SampleStacks.figure2();
    tree.visit(SampleStacks.CLWB_IN_MAIN.id());

    assertThat(TreeDrawing.draw(tree, DrawingOptions.DEFAULT))
        .isEqualTo(
            """
            pm.elf: 3 failure points, 1 visited
            ├─ main at pm.c:16  [x] clwb, 1 time, %s
            ├─ main at pm.c:19
            │  persist at pm.c:2  [ ] clwb, 1 time, %s
            └─ main at pm.c:20
               redundant_loop at pm.c:8
               persist at pm.c:2  [ ] clwb, 8 times, %s
            """
                .formatted(
                    SampleStacks.CLWB_IN_MAIN.id(),
                    SampleStacks.PERSIST_IN_MAIN.id(),
                    SampleStacks.PERSIST_IN_LOOP.id()));
  }

  @Test
  void shouldDrawStartUpFramesAndWholePathsInAsciiWhenAsked() {
    assertThat(
            TreeDrawing.draw(
                SampleStacks.figure2(),
                DrawingOptions.DEFAULT
                    .withStartUpFrames(true)
                    .withFullPaths(true)
                    .withAsciiOnly(true)))
        .startsWith(
            """
            pm.elf: 3 failure points, 0 visited
            `- _start in pm.elf+0x1090
               __libc_start_main_impl at libc-start.c:360  (3 failure points, 0 visited)
               |- main at /src/pm.c:16  [ ] clwb,""");
  }

  @Test
  void shouldCountWhatLiesBelowTheDepth() {
    assertThat(TreeDrawing.draw(SampleStacks.figure2(), DrawingOptions.DEFAULT.withDepth(1)))
        .isEqualTo(
            """
            pm.elf: 3 failure points, 0 visited
            ├─ main at pm.c:16  [ ] clwb, 1 time, %s
            ├─ main at pm.c:19
            │  └─ … 1 failure point, 0 visited
            └─ main at pm.c:20
               └─ … 1 failure point, 0 visited
            """
                .formatted(SampleStacks.CLWB_IN_MAIN.id()));
  }

  @Test
  void shouldLeaveOutTheMiddleOfLongChains() {
    FailurePointTree tree = SampleStacks.emptyTree();
    List<Frame> frames = new ArrayList<>();
    for (int level = 1; level <= 10; level++) {
      frames.add(0, Frame.of("pm.elf", level, "f" + level, "/src/a.c", level));
    }
    tree.reach(CallStack.of(frames), Instruction.SFENCE, 0);

    assertThat(TreeDrawing.draw(tree, DrawingOptions.DEFAULT.withChainLimit(4)))
        .isEqualTo(
            """
            pm.elf: 1 failure point, 0 visited
            └─ f1 at a.c:1
               f2 at a.c:2
               … 6 frames
               f9 at a.c:9
               f10 at a.c:10  [ ] sfence, 1 time, %s
            """
                .formatted(CallStack.of(frames).id()));
  }

  @Test
  void shouldDrawInlinedUnknownAndCxxFunctions() {
    FailurePointTree tree = SampleStacks.emptyTree();
    Frame inlined =
        new Frame(
            "pm.elf",
            0x10,
            List.of(
                new SourcePosition("ns::persist<int>(int*)", "/src/p.hpp", 2),
                new SourcePosition("main", "/src/a.cpp", 5)));
    tree.reach(CallStack.of(inlined), Instruction.CLWB, 0);
    tree.reach(
        CallStack.of(Frame.unknown("libx.so", 0xabc), Frame.unknown("", 0)), Instruction.FSYNC, 1);

    assertThat(TreeDrawing.draw(tree, DrawingOptions.DEFAULT))
        .contains("├─ main at a.cpp:5\n│  ns::persist<int>(int*) at p.hpp:2 (inlined)  [ ] clwb")
        .contains("└─ ?+0x0\n   libx.so+0xabc  [ ] fsync");
  }

  @Test
  void shouldTellEqualLinesAtDifferentAddressesApart() {
    FailurePointTree tree = SampleStacks.emptyTree();
    tree.reach(CallStack.of(SampleStacks.main(0x10, 5)), Instruction.CLWB, 0);
    tree.reach(CallStack.of(SampleStacks.main(0x20, 5)), Instruction.CLWB, 0);

    assertThat(TreeDrawing.draw(tree, DrawingOptions.DEFAULT))
        .contains("├─ main at pm.c:5 (pm.elf+0x10)  [ ]", "└─ main at pm.c:5 (pm.elf+0x20)  [ ]");
  }

  @Test
  void longLinesShouldGoOnBelowTheirNode() {
    FailurePointTree tree = SampleStacks.emptyTree();
    tree.reach(CallStack.of(SampleStacks.main(0x10, 5)), Instruction.CLWB, 0);
    tree.reach(CallStack.of(SampleStacks.main(0x20, 6)), Instruction.CLWB, 0);

    List<String> lines =
        TreeDrawing.draw(tree, DrawingOptions.DEFAULT.withWidth(40)).lines().skip(1).toList();

    assertThat(lines).allMatch(line -> line.length() <= 40);
    assertThat(lines).filteredOn(line -> line.startsWith("├─ main at pm.c:5  [ ]")).hasSize(1);
    assertThat(lines.get(1)).startsWith("│      ").doesNotContain("main");
    assertThat(lines.get(lines.size() - 1)).startsWith("       ").doesNotContain("main");
  }
}
