// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.report.evidence.AcknowledgedOutput.EarlyOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that counts in line 0, and says each number. */
class OutputBlameTest {
  private static final int CUT = 90;

  @TempDir private Path folder;
  private ProgramByHand program;
  private Path log;
  private final Acknowledgement.History history = new Acknowledgement.History();
  private int told;

  @BeforeEach
  void begin() throws IOException {
    program = new ProgramByHand(folder);
    log = Files.createFile(folder.resolve("log"));
  }

  @AfterEach
  void end() throws IOException {
    program.close();
  }

  private static Optional<String> problem(FakeRecovery.Words pool, JudgedImages images) {
    return pool.at(0, 0) < images.acknowledged().orElseThrow().lines()
        ? Optional.of("a number is gone")
        : Optional.empty();
  }

  private void count(int source, int number) throws IOException {
    program.store(source, 0, 0, number);
  }

  private void say(int source) throws IOException {
    told++;
    Files.writeString(log, "%d\n".repeat(told).formatted(lines(told)));
    history.add(program.output(source), 2L * told, told);
  }

  private static Object[] lines(int most) {
    return IntStream.rangeClosed(1, most).boxed().toArray();
  }

  private Optional<EarlyOutput> tooEarly(Verdict.Kind kind) throws IOException {
    Acknowledgement now = new Acknowledgement(log, 2L * told, told, history);
    Judging judging =
        program.judging(new FakeRecovery(OutputBlameTest::problem), new KeptResults());
    try (CrashPoint cut = program.cut(CUT, now, MetadataLosses.NONE);
        RecordedImages places = RecordedImages.in(program.resources().area())) {
      MomentOracle oracle = new MomentOracle(cut, places, judging);
      return new OutputBlame(cut, program.tables(), oracle).tooEarly(kind);
    }
  }

  private static void assertThatItIs(
      Optional<EarlyOutput> early, String line, int source, boolean proved) {
    assertThat(early.orElseThrow().line()).isEqualTo(line);
    assertThat(early.orElseThrow().stack().get(0).line()).isEqualTo(source);
    assertThat(early.orElseThrow().proved()).isEqualTo(proved);
  }

  @Test
  void shouldNameTheOutputThatComesBeforeItsStore() throws IOException {
    count(10, 1);
    program.persist(11, 0);
    say(12);
    say(13);
    program.store(14, 1, 0, 7);

    assertThatItIs(tooEarly(Verdict.Kind.UNRECOVERABLE), "2", 13, true);
  }

  @Test
  void shouldNameTheFirstOfSeveralButOnlyTheLastWhereRecoveryHangs() throws IOException {
    count(10, 1);
    say(11);
    say(12);
    say(13);

    assertThatItIs(tooEarly(Verdict.Kind.UNRECOVERABLE), "2", 12, true);
    assertThat(tooEarly(Verdict.Kind.HUNG)).isEmpty();
  }

  /** It is right when it is said. */
  @Test
  void shouldNotProveAnOutputWhereTheStoreThatComesAfterItIsToBlame() throws IOException {
    count(10, 1);
    say(11);
    count(12, 0);

    assertThatItIs(tooEarly(Verdict.Kind.UNRECOVERABLE), "1", 11, false);
  }

  @Test
  void shouldProveNothingWhereTheImageRightBehindTheOutputIsNotKnownAnyMore() throws IOException {
    say(11);
    program.store(12, 1, 0, 7).persist(13, 1);

    assertThatItIs(tooEarly(Verdict.Kind.UNRECOVERABLE), "1", 11, false);
  }
}
