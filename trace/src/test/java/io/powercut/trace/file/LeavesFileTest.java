// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.powercut.trace.TraceException;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeavesFileTest {
  private static final int LEAVES = 50;

  @TempDir private Path folder;
  private Path file;
  private FailurePointTree tree;
  private List<FailurePointId> ids;

  @BeforeEach
  void setUp() {
    file = folder.resolve("leaves");
    tree = new FailurePointTree("pm.elf", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      tree.reach(CallStack.of(Frame.unknown("pm.elf", leaf)), Instruction.CLWB, leaf);
    }
    ids = tree.failurePoints().stream().map(FailurePoint::id).toList();
  }

  @Test
  void shouldHoldAllLeavesSortedAsUnsignedNumbersWithTheirMarks() throws IOException {
    tree.visit(ids.get(3));
    LeavesFile leaves = LeavesFile.write(file, tree);

    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.capacity()).isEqualTo(16 + 16 * LEAVES);
    assertThat(bytes.getInt(8)).isEqualTo(TraceFormat.VERSION);
    assertThat(bytes.getInt(12)).isEqualTo(LEAVES);
    for (int leaf = 1; leaf < LEAVES; leaf++) {
      assertThat(Long.compareUnsigned(bytes.getLong(16 * leaf), bytes.getLong(16 * leaf + 16)))
          .isNegative();
    }
    assertThat(leaves.visited()).containsExactly(ids.get(3));
  }

  @Test
  void shouldMarkAndUnmarkOneLeaf() throws IOException {
    LeavesFile leaves = LeavesFile.write(file, tree);
    leaves.mark(ids.get(5), true);
    leaves.mark(ids.get(9), true);
    assertThat(LeavesFile.existing(file).visited())
        .containsExactlyInAnyOrder(ids.get(5), ids.get(9));
    leaves.mark(ids.get(5), false);
    assertThat(leaves.visited()).containsExactly(ids.get(9));
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> leaves.mark(new FailurePointId(1), true));
  }

  @Test
  void shouldNameForeignTruncatedAndOtherVersions() throws IOException {
    LeavesFile leaves = LeavesFile.write(file, tree);
    byte[] whole = Files.readAllBytes(file);

    Files.write(file, Arrays.copyOf(whole, 100));
    assertProblem(leaves, "truncated or damaged: want " + whole.length + " bytes");
    whole[8] = TraceFormat.VERSION + 1;
    Files.write(file, whole);
    assertProblem(leaves, "format version " + (TraceFormat.VERSION + 1));
    Files.writeString(file, "other");
    assertProblem(leaves, "this is not a file of leaves");
  }

  private void assertProblem(LeavesFile leaves, String problem) {
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(leaves::visited)
        .withMessageStartingWith(file + ": ")
        .withMessageContaining(problem);
  }
}
