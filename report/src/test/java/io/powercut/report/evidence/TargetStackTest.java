// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetStackTest {
  /** The compiler makes the last step of a checksum and the store of it one instruction. */
  @Test
  void storeOfAChecksumShouldBeAtTheCallerAndALoadInIt(@TempDir Path folder) throws IOException {
    String file = folder.resolve("pool.c").toString();
    Files.writeString(
        Path.of(file),
        """
        static long sum_of(const struct entry *e) { return e->key * 31 + e->value; }
        static void append(struct entry *e) { e->sum = sum_of(e); }
        """);
    List<SourcePosition> positions =
        List.of(new SourcePosition("sum_of", file, 1), new SourcePosition("append", file, 2));
    CallStack stack = CallStack.of(new Frame("app", 16, positions));

    assertThat(TargetStack.of(stack)).extracting(StackFrame::function).containsExactly("append");
    assertThat(TargetStack.ofLoad(stack))
        .extracting(StackFrame::function)
        .containsExactly("sum_of", "append");
  }
}
