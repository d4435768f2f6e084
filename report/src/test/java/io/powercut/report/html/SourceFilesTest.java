// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFilesTest {
  private static final Instant BEFORE_THE_RUN = Instant.parse("2020-01-01T00:00:00Z");

  @TempDir private Path directory;
  private Path source = Path.of("");

  @BeforeEach
  void writeSource() throws IOException {
    source = directory.resolve("map.c");
    Files.writeString(
        source,
        IntStream.rangeClosed(1, 100)
            .mapToObj(line -> "\tline " + line + "\n")
            .collect(Collectors.joining()));
    Files.setLastModifiedTime(source, FileTime.from(BEFORE_THE_RUN));
  }

  /** The sources of a run whose only failure point is in the given file. */
  private SourceFiles filesWith(String file) {
    FailurePointTree tree =
        new FailurePointTree("map", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
    tree.reach(CallStack.of(Frame.of("map", 1, "main", file, 1)), Instruction.CLWB, 0);
    return SourceFiles.of(
        new ReportedRun(SampleRuns.nothing(directory).report(), tree, Map.of(), directory));
  }

  private Optional<Excerpt> around(String file, int line) {
    return filesWith(source.toString()).around(new StackFrame("main", file, line, "map", "0x1"));
  }

  @Test
  void theLinesAroundShouldBeShownAndTheLineMarked() {
    Excerpt excerpt = around(source.toString(), 50).orElseThrow();
    assertThat(excerpt.newer()).isFalse();
    assertThat(excerpt.lines()).extracting(Excerpt.Line::number).startsWith(45).endsWith(55);
    assertThat(excerpt.lines().stream().filter(Excerpt.Line::marked))
        .containsExactly(new Excerpt.Line(50, "    line 50", true));
  }

  @Test
  void firstAndLastLinesShouldDo() {
    assertThat(around(source.toString(), 1).orElseThrow().lines()).hasSize(6);
    assertThat(around(source.toString(), 100).orElseThrow().lines()).hasSize(6);
    assertThat(around(source.toString(), 101)).isEmpty();
    assertThat(around(source.toString(), 0)).isEmpty();
  }

  @Test
  void aFileThatChangedAfterTheRunShouldSaySo() throws IOException {
    Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2030-01-01T00:00:00Z")));
    assertThat(around(source.toString(), 50).orElseThrow().newer()).isTrue();
  }

  @Test
  void aRelativeNameShouldBeFoundAmongTheFilesOfTheTree() {
    assertThat(around("map.c", 50)).isPresent();
    assertThat(around(directory.getFileName() + "/map.c", 50)).isPresent();
    assertThat(around("other/map.c", 50)).isEmpty();
  }

  @Test
  void whatIsNoOrdinaryFileShouldNotBeRead() {
    assertThat(around("/dev/zero", 1)).isEmpty();
    assertThat(around(directory.toString(), 1)).isEmpty();
    assertThat(around("/nowhere/map.c", 1)).isEmpty();
    assertThat(around("a\0b", 1)).isEmpty();
    assertThat(around("", 1)).isEmpty();
    assertThat(around("..", 1)).isEmpty();
  }

  @Test
  void aReportShouldNotBecomeAllSource() {
    SourceFiles files = filesWith(source.toString());
    StackFrame frame = new StackFrame("main", source.toString(), 50, "map", "0x1");
    long shown =
        IntStream.range(0, 2_000).filter(number -> files.around(frame).isPresent()).count();
    assertThat(shown).isEqualTo(1_000);
  }
}
