// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.PatternKind;
import io.powercut.oracle.Verdict;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnnotatedSourceTest {
  private static final String A = "aaaaaaaaaaaaaaaa";

  @TempDir private Path directory;
  private final FailurePointTree tree =
      new FailurePointTree("map", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
  private final Map<FailurePointId, Judgement> verdicts = new HashMap<>();

  @BeforeEach
  void writeSource() throws IOException {
    Files.writeString(
        source(),
        IntStream.rangeClosed(1, 100)
            .mapToObj(line -> "line " + line + "\n")
            .collect(Collectors.joining()));
  }

  private Path source() {
    return directory.resolve("map.c");
  }

  private void reach(int line, long offset, Verdict.Kind kind) {
    CallStack stack =
        CallStack.of(
            Frame.of("libpmem.so.1", offset, "pmem_persist", "", 0),
            Frame.of("map", line, "insert", source().toString(), line));
    tree.reach(stack, Instruction.CLWB, 1);
    verdicts.put(
        stack.id(),
        new Judgement(
            stack.id(),
            1,
            0,
            kind,
            "",
            "",
            "",
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.empty()));
  }

  private Finding pattern(int line, Severity severity, String fingerprint) {
    List<StackFrame> stack =
        List.of(new StackFrame("insert", source().toString(), line, "map", "0x1"));
    return SampleRuns.finding(
        "DIRTY_OVERWRITE",
        severity,
        fingerprint,
        List.of(
            new TraceEvidence(
                PatternKind.DIRTY_OVERWRITE,
                severity,
                "overwritten",
                List.of(new TraceEvidence.Place("store", "mov", stack)),
                1,
                Optional.empty(),
                "pool",
                64)));
  }

  private List<AnnotatedSource> sources(Finding... findings) {
    ReportedRun run =
        new ReportedRun(
            SampleRuns.nothing(directory).report(), tree, verdicts, directory.resolve("run"));
    SourceFiles files = SourceFiles.of(run);
    return AnnotatedSource.of(
        run,
        files,
        List.of(findings).stream()
            .map(finding -> ShownFinding.of(finding, files, directory, false))
            .toList());
  }

  private AnnotatedSource.Line line(AnnotatedSource source, int number) {
    return source.lines().stream().filter(one -> one.number() == number).findFirst().orElseThrow();
  }

  @Test
  void linesShouldHaveTheVerdictsOfTheirFailurePoints() {
    reach(20, 1, Verdict.Kind.CONSISTENT);
    reach(20, 2, Verdict.Kind.CONSISTENT);
    reach(20, 3, Verdict.Kind.CRASHED);
    reach(22, 4, Verdict.Kind.CONSISTENT);
    reach(60, 5, Verdict.Kind.INCONCLUSIVE);
    AnnotatedSource source = sources().get(0);

    assertThat(line(source, 20).points()).isEqualTo("✗1 ✓2");
    assertThat(line(source, 20).about())
        .isEqualTo("3 failure points, 3 occurrences: 2 consistent, 1 with bugs, 0 not judged");
    assertThat(line(source, 20).style()).isEqualTo("bug");
    assertThat(line(source, 20).text()).isEqualTo("line 20");
    assertThat(line(source, 22).style()).isEqualTo("consistent");
    assertThat(line(source, 60).style()).isEqualTo("inconclusive");
    assertThat(line(source, 21).style()).isEmpty();
    assertThat(source.facts()).isEqualTo("5 failure points, 0 findings");
    assertThat(source.style()).isEqualTo("bug");
    assertThat(source.lines()).extracting(AnnotatedSource.Line::number).startsWith(15).hasSize(24);
    assertThat(source.lines().stream().filter(AnnotatedSource.Line::gap))
        .extracting(AnnotatedSource.Line::number)
        .containsExactly(15, 55);
  }

  @Test
  void linesWhereNothingHappenedShouldBeFolded() {
    reach(20, 1, Verdict.Kind.CONSISTENT);
    reach(60, 2, Verdict.Kind.CONSISTENT);
    AnnotatedSource source = sources().get(0);

    assertThat(line(source, 15).skipped().count()).isEqualTo("14 lines");
    assertThat(line(source, 15).skipped().text()).startsWith("     1  line 1\n     2  line 2\n");
    assertThat(line(source, 16).skipped().lines()).isZero();
    assertThat(line(source, 55).skipped().text())
        .startsWith("    26  line 26\n")
        .contains("    54  ");
    assertThat(source.rest().text()).startsWith("    66  line 66\n");
    int lines =
        source.lines().stream().mapToInt(line -> 1 + line.skipped().lines()).sum()
            + source.rest().lines();
    assertThat(lines).isEqualTo(100);
  }

  @Test
  void survivingMutantsShouldStandAtTheirLines() throws IOException {
    reach(20, 1, Verdict.Kind.CONSISTENT);
    String stack =
        "[{\"function\":\"push\",\"file\":\"%s\",\"line\":20,\"module\":\"app\",\"offset\":\"0x1\"}]"
            .formatted(source());
    Files.writeString(
        directory.resolve("strength.json"),
        """
        {"bugs": [
          {"outcome": "KILLED", "instruction": "sfence", "function": "push", "stack": %1$s},
          {"outcome": "SURVIVED", "instruction": "clwb", "function": "push", "stack": %1$s}]}
        """
            .formatted(stack));

    assertThat(line(sources().get(0), 20).notes())
        .containsExactly(
            new AnnotatedSource.Note(
                "warning",
                "mutant survived",
                "recovery also succeeds without this clwb",
                "../strength.html#mutant-2"));
  }

  @Test
  void findingsShouldStandAtTheirLinesOnce() {
    reach(20, 1, Verdict.Kind.CONSISTENT);
    AnnotatedSource source =
        sources(
                pattern(20, Severity.WARNING, A),
                pattern(20, Severity.WARNING, A),
                pattern(40, Severity.PERFORMANCE, "bbbbbbbbbbbbbbbb"))
            .get(0);

    assertThat(line(source, 20).notes())
        .containsExactly(
            new AnnotatedSource.Note("warning", "dirty overwrite", "overwritten", "#f-" + A));
    assertThat(line(source, 20).style()).isEqualTo("warning");
    assertThat(line(source, 40).style()).isEqualTo("performance");
    assertThat(source.style()).isEqualTo("performance");
    assertThat(source.facts()).isEqualTo("1 failure point, 2 findings");
  }

  @Test
  void fileThatIsNotThereShouldBeLeftOut() throws IOException {
    reach(20, 1, Verdict.Kind.CONSISTENT);
    Files.delete(source());

    assertThat(sources()).isEmpty();
  }
}
