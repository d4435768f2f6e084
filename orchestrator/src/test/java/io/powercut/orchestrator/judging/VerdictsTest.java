// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.OutputKind;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which images are asked about, and with what they are compared. */
class VerdictsTest {
  @TempDir private Path folder;
  private ProgramByHand program;

  private final FakeRecovery recovery =
      new FakeRecovery(
          pool -> pool.at(0, 0) == 1 ? Optional.of("line 0 is set") : Optional.empty());

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  private static Optional<Acknowledgement> told(int bytes) {
    return Optional.of(new Acknowledgement(Path.of("/dev/null"), bytes, 0));
  }

  @Test
  void equalImagesWithEqualAcknowledgementsShouldBeSharedByAllReplays() throws IOException {
    SharedVerdicts verdicts = new SharedVerdicts(recovery);
    FailurePointId id = ProgramByHand.at(1).id();
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashImage zero = program.state().image()) {
      Judgement first = verdicts.of(zero, id, Optional.empty(), places, Optional.empty());
      Judgement again = verdicts.of(zero, id, Optional.empty(), places, Optional.empty());
      verdicts.of(zero, id, told(0), places, Optional.empty());
      program.store(2, 0, 0, 1);
      try (CrashImage one = program.state().image()) {
        assertThat(verdicts.of(one, id, Optional.empty(), places, Optional.empty()).isBug())
            .isTrue();
      }

      assertThat(again).isSameAs(first);
    }
    assertThat(verdicts.images()).isEqualTo(3);
    assertThat(recovery.runs()).isEqualTo(3);
  }

  @Test
  void failureOfAnAskingThreadShouldReachThoseThatWaitForItsVerdict() throws IOException {
    SharedVerdicts verdicts =
        new SharedVerdicts(
            new FakeRecovery(
                pool -> {
                  throw new IllegalStateException("a disk was pulled");
                }));
    FailurePointId id = ProgramByHand.at(1).id();
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashImage image = program.state().image()) {
      for (int time = 0; time < 2; time++) {
        assertThatThrownBy(() -> verdicts.of(image, id, Optional.empty(), places, Optional.empty()))
            .hasMessage("a disk was pulled");
      }
    }
  }

  @Test
  void sessionShouldAskOnceAndProveByAskingAgain() throws IOException {
    program.store(2, 0, 0, 1);
    VerdictCache images = new VerdictCache();
    OracleSession session = new OracleSession(recovery, images, ProgramByHand.at(1));
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashImage image = program.state().image()) {
      VerdictCache.Key key = VerdictCache.Key.of(image.hash(), Optional.empty());
      Verdict.Kind asked = session.ask(key, places.of(image, Optional.empty()));
      session.ask(key, places.of(image, Optional.empty()));

      assertThat(asked).isEqualTo(Verdict.Kind.UNRECOVERABLE);
      assertThat(session.recoveries()).isEqualTo(1);
      assertThat(images.probe(key)).contains(Verdict.Kind.UNRECOVERABLE);
      Optional<Judgement> proof =
          session.prove(places.of(image, Optional.empty()), image.hash(), folder);
      assertThat(proof.orElseThrow().imageHash()).contains(image.hash().toString());
    }
  }

  @Test
  void verdictThatDoesNotComeAgainShouldProveNothing() throws IOException {
    OracleSession session = new OracleSession(recovery, new VerdictCache(), ProgramByHand.at(1));
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashImage image = program.state().image()) {
      assertThat(session.prove(places.of(image, Optional.empty()), image.hash(), folder)).isEmpty();
    }
    assertThat(session.inconclusive()).containsEntry("the verdict changed on a second run", 1);
  }

  @Test
  void stopsShouldBeJudgedUntilTheRunIsInterrupted() {
    KeptResults results = new KeptResults();
    AtomicBoolean interrupted = new AtomicBoolean();
    Resources resources = new Resources(program.resources().area(), 1, interrupted);
    JudgedStops stops = new JudgedStops(resources, recovery, results);
    stops.stopped(ProgramByHand.at(3).id(), folder.resolve("base"), Optional.empty());
    stops.missed(ProgramByHand.at(4).id(), "not reached again");
    interrupted.set(true);

    assertThatThrownBy(() -> stops.missed(ProgramByHand.at(5).id(), "not reached again"))
        .isInstanceOf(InterruptedRunException.class);
    assertThat(results.judged())
        .extracting(Judgement::kind)
        .containsExactly(Verdict.Kind.CONSISTENT, Verdict.Kind.INCONCLUSIVE);
  }

  private static TraceEvent.Output output(String text) {
    return new TraceEvent.Output(
        1,
        1,
        OutputKind.STANDARD_OUTPUT,
        1,
        0,
        1,
        "",
        text.length(),
        true,
        false,
        ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  @Test
  void imageShouldBeComparedWithTheAcknowledgementsOnBothSidesOfIt() throws IOException {
    Set<OutputKind> kinds = Set.of(OutputKind.STANDARD_OUTPUT);
    List<CrashPoint> ready = new ArrayList<>();
    try (AcknowledgedLog log = AcknowledgedLog.open(kinds, program.resources().area());
        QuiescentPoints points = QuiescentPoints.open(program.state(), log)) {
      program.store(2, 5, 0, 7);
      points.await(program.cut(3), ready::add);
      assertThat(points.isAwaited()).isTrue();
      program.store(4, 6, 0, 7);
      log.event(output("put 1\n"));
      points.event(output("put 1\n"));

      assertThat(points.isAwaited()).isFalse();
      CrashPoint point = ready.get(0);
      List<String> dumped = new ArrayList<>();
      CrashImageJudge dumping = new Dumping(dumped);
      try (RecordedImages places = RecordedImages.in(program.resources().area())) {
        assertThat(point.expected(dumping, places).orElseThrow().after().of())
            .isEqualTo("after it acknowledged 1 line");
        point.expected(dumping, places);
      }
      assertThat(dumped).containsExactly("after set-up", "after it acknowledged 1 line");
      assertThat(VerdictCache.Key.of(point.image().hash(), point).between()).hasSize(2);
      point.close();
    }
  }

  @Test
  void piecesOfAnAcknowledgementShouldHaveDifferentNames() throws IOException {
    Set<OutputKind> kinds = Set.of(OutputKind.STANDARD_OUTPUT);
    try (AcknowledgedLog log = AcknowledgedLog.open(kinds, program.resources().area())) {
      List<String> amounts = new ArrayList<>();
      for (String piece : List.of("p", "ut 1", "\n", "put", " 2\nput 3\n", "p")) {
        log.event(output(piece));
        amounts.add(log.amount());
      }
      assertThat(amounts)
          .containsExactly(
              "1 byte", "5 bytes", "1 line", "1 line and 3 bytes", "3 lines", "3 lines and 1 byte");
    }
  }

  @Test
  void whatWaitsAtTheEndShouldBeComparedWithTheCleanExit() throws IOException {
    List<CrashPoint> ready = new ArrayList<>();
    try (AcknowledgedLog log = AcknowledgedLog.open(Set.of(), program.resources().area());
        QuiescentPoints points = QuiescentPoints.open(program.state(), log)) {
      points.await(program.cut(3), ready::add);
      points.end();
    }

    try (RecordedImages places = RecordedImages.in(program.resources().area())) {
      CrashPoint point = ready.get(0);
      assertThat(point.expected(new Dumping(new ArrayList<>()), places).orElseThrow().after().of())
          .isEqualTo("after a clean exit");
      point.close();
    }
  }

  /** Dumps the name of what is dumped. */
  private record Dumping(List<String> dumped) implements CrashImageJudge {
    @Override
    public Judgement judge(Occurrence at, JudgedImages images) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Judgement judge(Occurrence at, JudgedImages images, Path kept) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Judgement probe(Occurrence at, JudgedImages images) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Dump dump(String of, JudgedImages images) {
      dumped.add(of);
      return new Dump(of, Optional.of(of), "");
    }
  }
}
