// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import io.powercut.report.findings.Finding;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimelineDrawingTest {
  private static final StackFrame AT = new StackFrame("append", "/src/ring.c", 43, "ring", "0x10");

  private static InjectionEvidence crash(Optional<Timeline> timeline) {
    InjectionEvidence any =
        SampleRuns.withFindings(Path.of("/runs/sample")).report().findings().stream()
            .map(Finding::injection)
            .flatMap(Optional::stream)
            .filter(evidence -> evidence.recoveryCrash().isEmpty())
            .findFirst()
            .orElseThrow();
    return new InjectionEvidence(
        any.verdict(),
        any.failurePointId(),
        1,
        0,
        1,
        "clwb",
        List.of(AT),
        any.seen(),
        any.step(),
        any.output(),
        any.recoveryStack(),
        any.acknowledged(),
        any.image(),
        Optional.empty(),
        Optional.empty(),
        any.changes(),
        any.replay(),
        timeline,
        Optional.empty());
  }

  private static TimelineDrawing drawing(Timeline.Event... steps) {
    return TimelineDrawing.of(crash(Optional.of(new Timeline(List.of(steps), 7)))).orElseThrow();
  }

  private static Timeline.Event store(Timeline.Fate fate, long offset) {
    return SampleRuns.step(1, Timeline.Action.STORE, fate, "pool", offset, AT);
  }

  @Test
  void eachCacheLineShouldHaveOneLaneAndTimeShouldGoToTheRight() {
    TimelineDrawing drawing =
        drawing(
            store(Timeline.Fate.PERSISTED, 0x40),
            store(Timeline.Fate.LOST, 0x1000),
            store(Timeline.Fate.LOST, 0x78));

    assertThat(drawing.lanes())
        .extracting(TimelineDrawing.Lane::label)
        .startsWith("pool+0x40", "pool+0x1000");
    assertThat(drawing.marks().get(0).y()).isEqualTo(drawing.marks().get(2).y());
    assertThat(drawing.marks().get(1).y()).isGreaterThan(drawing.marks().get(0).y());
    assertThat(drawing.marks()).extracting(TimelineDrawing.Mark::x).isSorted();
    assertThat(drawing.labels().get(0).text()).isEqualTo("ring.c:43");
  }

  @Test
  void whatIsNotSafeShouldReachToTheCrash() {
    TimelineDrawing drawing =
        drawing(
            store(Timeline.Fate.PERSISTED, 0),
            store(Timeline.Fate.LOST, 0x40),
            store(Timeline.Fate.IN_FLIGHT, 0x80));

    assertThat(drawing.bars())
        .extracting(TimelineDrawing.Bar::kind)
        .containsExactly("lost", "in-flight");
    assertThat(drawing.cut()).isGreaterThan(drawing.marks().get(2).x());
    assertThat(drawing.more()).isEqualTo("7 more steps to these lines");
  }

  @Test
  void whatTheImageLacksShouldComeAfterTheCrash() {
    TimelineDrawing drawing = drawing(store(Timeline.Fate.PERSISTED, 0));
    TimelineDrawing.Mark last = drawing.marks().get(drawing.marks().size() - 1);

    assertThat(last.kind()).isEqualTo("missing");
    assertThat(last.x()).isGreaterThan(drawing.cut()).isLessThan(drawing.width());
  }

  @Test
  void fenceShouldCrossAllLanes() {
    TimelineDrawing drawing =
        drawing(
            store(Timeline.Fate.PERSISTED, 0),
            SampleRuns.step(2, Timeline.Action.FENCE, Timeline.Fate.NONE, "", 0, AT));

    assertThat(drawing.walls()).extracting(TimelineDrawing.Wall::kind).containsExactly("fence");
    assertThat(drawing.kinds()).contains("persisted", "fence");
    drawing.kinds().forEach(kind -> assertThat(TimelineDrawing.explained(kind)).isNotEmpty());
  }

  @Test
  void oldEvidenceShouldBeDrawnFromItsStores() {
    TimelineDrawing drawing = TimelineDrawing.of(crash(Optional.empty())).orElseThrow();

    assertThat(drawing.marks())
        .extracting(TimelineDrawing.Mark::kind)
        .containsExactly("persisted", "persisted", "missing");
  }

  @Test
  void markShouldTellBytesAndStack() {
    assertThat(drawing(store(Timeline.Fate.LOST, 0x48)).marks().get(0).about())
        .isEqualTo(
            """
            store by thread 1, 8 bytes to pool at 0x48: lost
            bytes 01 00 00 00 00 00 00 00
            append at /src/ring.c:43""");
  }
}
