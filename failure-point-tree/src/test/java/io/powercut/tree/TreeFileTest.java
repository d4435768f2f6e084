// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeFileTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void setUp() {
    file = folder.resolve("tree");
  }

  @Test
  void shouldReadBackWhatWasWritten() throws IOException {
    FailurePointTree tree = SampleStacks.figure2();
    tree.visit(SampleStacks.PERSIST_IN_LOOP.id());

    TreeFile.write(tree, file);
    FailurePointTree read = TreeFile.read(file);

    assertThat(read.program()).isEqualTo("pm.elf");
    assertThat(read.granularity()).isEqualTo(Granularity.PERSISTENCY);
    assertThat(read.visitedCount()).isEqualTo(1);
    assertThat(read.failurePoints()).isEqualTo(tree.failurePoints());
    assertThat(read.failurePoints().get(2).stack().frames())
        .isEqualTo(SampleStacks.PERSIST_IN_LOOP.frames());
  }

  @Test
  void shouldKeepStrangeNames() throws IOException {
    Frame strange =
        new Frame(
            "a\tb\\n",
            -1,
            List.of(
                new SourcePosition("std::map<K,\nV>::operator[](K&)", "/ü/é.cpp", 12),
                new SourcePosition("日本\r", "", 0)));
    FailurePointTree tree =
        new FailurePointTree(
            "p q", Granularity.STORE, ExcludedFunctions.of(List.of("f(int)", "é")));
    tree.reach(CallStack.of(strange), Instruction.NON_TEMPORAL_STORE, Long.MAX_VALUE);

    TreeFile.write(tree, file);
    FailurePointTree read = TreeFile.read(file);

    assertThat(read.failurePoints().get(0).stack().innermost()).isEqualTo(strange);
    assertThat(read.granularity()).isEqualTo(Granularity.STORE);
    assertThat(read.excluded()).isEqualTo(tree.excluded());
  }

  @Test
  void shouldReplaceAnOlderFileAndLeaveNothingElse() throws IOException {
    Files.writeString(file, "old");
    TreeFile.write(SampleStacks.figure2(), file);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(TreeFile.read(file).size()).isEqualTo(3);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .describedAs("who may look into the folder of a run may read all of it")
        .isEqualTo("rw-r--r--");
  }

  @Test
  void shouldNoticeEveryTruncation() throws IOException {
    TreeFile.write(SampleStacks.figure2(), file);
    List<String> lines = Files.readAllLines(file);
    for (int kept = 1; kept < lines.size(); kept++) {
      Files.write(file, lines.subList(0, kept));
      assertProblem((kept + 1) + ": the file is truncated: its \"end\" line is missing.");
    }
  }

  @Test
  void shouldNoticeMissingLines() throws IOException {
    TreeFile.write(SampleStacks.figure2(), file);
    List<String> lines = Files.readAllLines(file);
    lines.remove(lines.size() - 2);
    Files.write(file, lines);
    assertProblem(lines.size() + ": lines are missing:");
  }

  @Test
  void shouldNameTheDamagedLine() throws IOException {
    TreeFile.write(SampleStacks.figure2(), file);
    String text = Files.readString(file);

    assertDamage(text.replace("1150\tpersist", "1151\tpersist"), ": the frames give the id ");
    assertDamage(text.replace("\tclwb\t", "\tclwc\t"), ": \"clwc\" is not a kind of instruction.");
    assertDamage(text.replace("frame\t1\t", "frame\t9\t"), "5: frame 9 where 1 should be.");
    assertDamage(text.replace("\tunvisited\t", "\tmaybe\t"), ": \"maybe\" is not a mark.");
    assertDamage(text.replace("granularity\tper", "granularity\tx"), "3: \"xsistency\" is no");
    assertDamage(text.replace("program\t", "prog\t"), "2: expected \"program\" and one value.");
    assertDamage(text.replace("end\t", "something\nend\t"), ": unknown kind of line \"something\"");
    assertDamage(text + "more\n", ": something follows the \"end\" line.");
    assertDamage(text.replace("/src/pm.c", "\\x"), ": unknown escape \\x.");
  }

  private void assertDamage(String text, String problem) throws IOException {
    assertThat(text).isNotEqualTo(Files.exists(file) ? "" : null);
    Files.writeString(file, text);
    assertProblem(problem);
  }

  @Test
  void shouldRefuseForeignFilesAndOtherVersions() throws IOException {
    Files.write(file, new byte[] {0x7f, 'E', 'L', 'F', (byte) 0xff, (byte) 0xc3});
    assertProblem(":1: this is not a failure-point tree");
    Files.writeString(file, "");
    assertProblem(":1: this is not a failure-point tree");
    Files.writeString(file, "powercut-tree\t2\n");
    assertProblem(":1: this tree has format version 2, this Powercut reads version 1. Use the");
  }

  private void assertProblem(String problem) {
    assertThatExceptionOfType(TreeFileException.class)
        .isThrownBy(() -> TreeFile.read(file))
        .withMessageStartingWith(file.toString())
        .withMessageContaining(problem);
  }
}
