// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("bulk")
class LargeTreeTest {
  private static final int LEAVES = 100_000;
  private static final int DEPTH = 20;

  @Test
  void shouldHandleAHundredThousandLeaves(@TempDir Path folder) {
    Assertions.assertTimeout(
        Duration.ofMinutes(2),
        () -> {
          FailurePointTree tree = largeTree();
          writeReadAndDraw(tree, folder.resolve("tree"));
        });
  }

  private static void writeReadAndDraw(FailurePointTree tree, Path file) throws IOException {
    TreeFile.write(tree, file);
    FailurePointTree read = TreeFile.read(file);
    assertThat(read.size()).isEqualTo(LEAVES);
    assertThat(read.failurePoints().get(LEAVES - 1))
        .isEqualTo(tree.failurePoints().get(LEAVES - 1));
    Path drawing = file.resolveSibling("drawing");
    try (Writer writer = Files.newBufferedWriter(drawing)) {
      TreeDrawing.draw(read, DrawingOptions.DEFAULT, writer);
    }
    try (Stream<String> lines = Files.lines(drawing)) {
      assertThat(lines.filter(line -> line.contains("[ ] clwb")).count()).isEqualTo(LEAVES);
    }
  }

  private static FailurePointTree largeTree() {
    List<Frame> frames = new ArrayList<>();
    for (int index = 0; index < 1000; index++) {
      frames.add(Frame.of("big.elf", index, "function" + index, "/src/big.c", index));
    }
    FailurePointTree tree = SampleStacks.emptyTree();
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      List<Frame> stack = new ArrayList<>();
      stack.add(frames.get(leaf % 1000));
      stack.add(frames.get(leaf / 1000));
      for (int level = 0; level < DEPTH; level++) {
        stack.add(frames.get((leaf >> level) % 1000));
      }
      tree.reach(CallStack.of(stack), Instruction.CLWB, leaf);
    }
    return tree;
  }
}
