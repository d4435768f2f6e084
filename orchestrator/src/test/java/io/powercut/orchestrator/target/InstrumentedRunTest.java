// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.TargetFailedException;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceStore;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One execution and the reading of its trace, with a target that is a function. */
class InstrumentedRunTest {
  private static final TargetByHand.Program TWO_POINTS =
      calls -> calls.store(10, 0, 1).flush(11, 0).fence(12).store(20, 1, 2).flush(21, 1);

  @RegisterExtension private final HandRun run = HandRun.open();

  private InstrumentedRun recording(TargetByHand target) throws IOException {
    return new InstrumentedRun(run.campaign(), target, run.resources(), Progress.SILENT);
  }

  private static List<Integer> lines(FailurePointTree tree) {
    return tree.failurePoints().stream()
        .map(FailurePoint::stack)
        .map(stack -> stack.frames().get(0).line())
        .toList();
  }

  @Test
  void treeShouldHaveTheFailurePointsAndTheFilesTheCleanExit() throws IOException {
    FailurePointTree tree = InstrumentedRun.emptyTree(run.campaign());
    TargetByHand target = new TargetByHand(TWO_POINTS);
    Observation observation = Observation.of(run.campaign(), true);
    try (Execution execution = recording(target).run(run.base(), tree, observation)) {
      byte[] after = Files.readAllBytes(execution.places().pm().resolve(TargetByHand.FILE));

      assertThat(lines(tree)).containsExactly(11, 21);
      assertThat(after[0]).isEqualTo((byte) 1);
      assertThat(after[64]).isEqualTo((byte) 2);
      assertThat(Files.readAllBytes(run.base().resolve(TargetByHand.FILE))).containsOnly(0);
      assertThat(target.aborts()).isZero();
    }
    Optional<ImageChanges> changes =
        observation.changes().of(new Occurrence(TargetByHand.stack(21).id(), 1));
    assertThat(changes.orElseThrow().toString()).contains("line=20");
    assertThat(observation.patterns(store -> false)).isPresent();
  }

  @Test
  void failingTargetShouldBeRefusedWithItsReason() {
    TargetByHand target = new TargetByHand(TWO_POINTS);
    target.fail("the target failed: it exited with code 3");

    assertThatThrownBy(
            () ->
                recording(target)
                    .run(
                        run.base(),
                        InstrumentedRun.emptyTree(run.campaign()),
                        Observation.ofNumbers()))
        .isInstanceOf(PowercutException.class)
        .isInstanceOf(TargetFailedException.class)
        .hasMessageContaining("without any crash, the target failed: it exited with code 3");
    assertThat(target.aborts()).isEqualTo(1);
  }

  @Test
  void targetWithoutPersistentMemoryShouldBeRefused() {
    assertThatThrownBy(
            () ->
                recording(new TargetByHand(calls -> calls.say("hello")))
                    .run(
                        run.base(),
                        InstrumentedRun.emptyTree(run.campaign()),
                        Observation.ofNumbers()))
        .hasMessageContaining("maps no persistent memory");
  }

  /** What is read of the trace may be far behind what the target has done. */
  @Test
  void howFarTheTargetIsShouldBeKnownWhoeverReadsItsTrace() throws IOException {
    List<LongSupplier> told = new CopyOnWriteArrayList<>();
    Following following =
        Following.of((ordinal, stack, instruction, isNew) -> {}, List.of()).beginning(told::add);
    try (Execution execution =
        recording(new TargetByHand(TWO_POINTS))
            .run(
                run.base(),
                InstrumentedRun.emptyTree(run.campaign()),
                Observation.ofNumbers(),
                following)) {
      assertThat(execution.trace()).exists();
      assertThat(told).hasSize(1);
      assertThat(told.get(0).getAsLong()).isEqualTo(TargetByHand.REACHED);
    }
    assertThat(told.get(0).getAsLong()).as("the trace is deleted").isZero();
  }

  @Test
  void endShouldBeToldOnceTheTargetHasEndedWell() throws IOException {
    List<Path> ended = new CopyOnWriteArrayList<>();
    Following following =
        Following.of((ordinal, stack, instruction, isNew) -> {}, List.of())
            .telling(execution -> ended.add(execution.places().pm()));
    try (Execution execution =
        recording(new TargetByHand(TWO_POINTS))
            .run(
                run.base(),
                InstrumentedRun.emptyTree(run.campaign()),
                Observation.ofNumbers(),
                following)) {
      assertThat(ended).containsExactly(execution.places().pm());
    }
  }

  @Test
  void failureOfWhoIsToldOfTheEndShouldEndTheRun() {
    Following following =
        Following.of((ordinal, stack, instruction, isNew) -> {}, List.of())
            .telling(
                execution -> {
                  throw new IllegalStateException("the control failed");
                });

    assertThatThrownBy(
            () ->
                recording(new TargetByHand(TWO_POINTS))
                    .run(
                        run.base(),
                        InstrumentedRun.emptyTree(run.campaign()),
                        Observation.ofNumbers(),
                        following))
        .hasMessage("the control failed");
  }

  @Test
  void storedTraceShouldReadTheSameAgain() throws IOException {
    Path stored = run.folder().resolve("trace.zst");
    FailurePointTree first = InstrumentedRun.emptyTree(run.campaign());
    try (TraceStore store = TraceStore.create(stored)) {
      recording(new TargetByHand(TWO_POINTS))
          .run(
              run.base(),
              first,
              Observation.ofNumbers(),
              Following.of((ordinal, stack, instruction, isNew) -> {}, List.of())
                  .storingInto(Optional.of(store)))
          .close();
    }
    FailurePointTree again = InstrumentedRun.emptyTree(run.campaign());
    List<Long> ordinals = new ArrayList<>();
    TraceReading reading =
        new TraceReading(run.campaign().failurePoints(), Observation.ofNumbers());
    reading.read(
        TraceReader.of(stored),
        again,
        (ordinal, stack, instruction, isNew) -> ordinals.add(ordinal),
        List.of());

    assertThat(lines(again)).isEqualTo(lines(first));
    assertThat(ordinals).hasSize(2).isSorted();
    assertThat(reading.endsInside()).isTrue();
  }

  @Test
  void failurePointsShouldCountBetweenTheMarksOnly() throws IOException {
    Campaign marked = run.campaign("failurePoints: {begin: work, end: stop}\n");
    FailurePointTree tree = InstrumentedRun.emptyTree(marked);
    TraceReading reading = new TraceReading(marked.failurePoints(), Observation.ofNumbers());
    Path trace =
        run.trace(
            calls ->
                calls
                    .store(10, 0, 1)
                    .flush(11, 0)
                    .mark(true)
                    .store(20, 1, 1)
                    .flush(21, 1)
                    .mark(false)
                    .store(30, 2, 1)
                    .flush(31, 2));
    reading.read(
        TraceReader.of(trace), tree, (ordinal, stack, instruction, isNew) -> {}, List.of());

    assertThat(lines(tree)).containsExactly(21);
    assertThat(reading.endsInside()).isFalse();
  }

  @Test
  void recorderShouldBeToldWhatTheCampaignSays() throws IOException {
    Campaign campaign =
        run.campaign(
            "failurePoints: {granularity: store}\nrecovery: {command: [\"true\", \"{acknowledged}\"]}\n");

    assertThat(RecorderChoices.granularity(campaign.failurePoints()).label()).isEqualTo("store");
    assertThat(RecorderChoices.of(campaign, run.folder(), run.folder()).build().outputs()).isTrue();
    assertThat(RecorderChoices.of(run.campaign(), run.folder(), run.folder()).build().outputs())
        .isFalse();
  }
}
