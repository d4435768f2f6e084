// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.MetadataInFlight;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.MetadataCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of metadata takes effect here as a store of its number does. */
class LostMetadataSearchTest {
  private static final int CUT = 100;

  @TempDir Path folder;

  private ProgramByHand program;
  private MetadataInFlight metadata;
  private Path log;
  private final Acknowledgement.History history = new Acknowledgement.History();

  /** A value of the first word that recovery cannot handle; 0 for none. */
  private long broken;

  /** Whether recovery needs the first word of the second line, too. */
  private boolean wantsSecondLine;

  /** A value of the first word on which recovery's verdict is inconclusive; -1 for none. */
  private long unsure = -1;

  private long told;
  private int failing;

  /** Wants the change whose number was acknowledged last, or a later one. */
  private Optional<String> problem(FakeRecovery.Words pool, JudgedImages images) {
    long number = pool.at(0, 0);
    if (broken > 0 && number == broken) {
      return Optional.of("it is broken");
    }
    if (wantsSecondLine && pool.at(1, 0) == 0) {
      return Optional.of("the second line is missing");
    }
    return number < images.acknowledged().orElseThrow().lines()
        ? Optional.of("it is gone")
        : Optional.empty();
  }

  @BeforeEach
  void begin() throws IOException {
    program = new ProgramByHand(folder);
    metadata = new MetadataInFlight(program.state(), PersistencyDomain.ADR);
    log = Files.createFile(folder.resolve("log"));
  }

  @AfterEach
  void end() throws IOException {
    metadata.close();
    program.close();
  }

  private void change(int number) throws IOException {
    program.rename(number, metadata).store(number, 0, 0, number).persist(number, 0);
  }

  private void acknowledge(int number) {
    told += 2;
    history.add(new Acknowledgement.Output(program.output(), 0, 0), told, number);
  }

  private Optional<Judgement> search(int acknowledged) throws IOException {
    Acknowledgement now = new Acknowledgement(log, told, acknowledged, history);
    Judging judging =
        program.judging(
            new FakeRecovery(this::problem).unsureOf(pool -> pool.at(0, 0) == unsure),
            new KeptResults());
    try (CrashPoint cut = program.cut(CUT, now, metadata.atTheEnd(Optional.of(now)));
        RecordedImages places = RecordedImages.in(program.resources().area())) {
      LostMetadataSearch search =
          new LostMetadataSearch(
              cut,
              places,
              new LostMetadataSearch.Knowledge(program.workplace(), judging, program.tables()),
              new OracleSession(judging.judge(), judging.images(), cut.occurrence()));
      Optional<Judgement> outcome = search.find();
      failing = search.failing();
      return outcome;
    }
  }

  private static LostMetadata lost(Optional<Judgement> outcome) {
    return outcome.orElseThrow().lostMetadata().orElseThrow();
  }

  @Test
  void lastChangeWithoutWhichRecoveryFailsShouldBeBlamed() throws IOException {
    for (int number = 1; number <= 5; number++) {
      change(number);
    }
    acknowledge(3);
    LostMetadata lost = lost(search(3));
    assertThat(lost.calls())
        .extracting(MetadataCall::path)
        .containsExactly("new.3", "new.4", "new.5");
    assertThat(lost.undone()).isEqualTo(3);
    assertThat(lost.remedy())
        .startsWith("the rename of new.3 to old.3 at work")
        .endsWith("call fsync on that directory after it, before it is acknowledged (verified)");
    assertThat(failing).isPositive();
  }

  @Test
  void nothingShouldBeFoundWhereRecoverySucceeds() throws IOException {
    change(1);
    acknowledge(0);
    Optional<Judgement> outcome = search(0);
    assertThat(outcome).isEmpty();
    assertThat(failing).isZero();
  }

  /** Whichever worker comes first. */
  @Test
  void mistakeShouldBeProvedWhereverItShows() throws IOException {
    change(1);
    acknowledge(1);
    String fingerprint = lost(search(1)).fingerprint();
    assertThat(lost(search(1)).fingerprint()).isEqualTo(fingerprint);
  }

  /** That image is a bug by itself, whatever was acknowledged since. */
  @Test
  void changeBeforeWhichRecoveryFailsAnywayShouldNotBeBlamed() throws IOException {
    change(1);
    acknowledge(1);
    change(2);
    acknowledge(2);
    broken = 1;
    assertThat(search(2)).isEmpty();
    broken = 0;
    assertThat(lost(search(2)).first().path()).isEqualTo("new.2");
  }

  /** Nobody knows whether these images are good, so none shows which change is missed. */
  @Test
  void changeWithAnInconclusiveControlShouldNotBeBlamed() throws IOException {
    for (int number = 1; number <= 5; number++) {
      change(number);
    }
    acknowledge(3);
    unsure = 3;
    assertThat(search(3)).describedAs("the image that undoes only later changes").isEmpty();
    assertThat(failing).isPositive();
    unsure = -1;
    assertThat(lost(search(3)).undone()).isEqualTo(3);
  }

  /** A store behind the change is lost with it, and that is enough. */
  @Test
  void storeThatIsLostAsWellShouldBeLeftToItsOwnStates() throws IOException {
    change(1);
    program.store(20, 1, 0, 7);
    acknowledge(1);
    wantsSecondLine = true;
    assertThat(search(1)).isEmpty();
    assertThat(failing).isPositive();
    wantsSecondLine = false;
    assertThat(lost(search(1)).first().path()).isEqualTo("new.1");
  }

  /** Recovery cannot do without a store before the change either: the image has that. */
  @Test
  void storeThatIsOnlyInFlightShouldNotHideTheChange() throws IOException {
    program.store(20, 1, 0, 7);
    change(1);
    acknowledge(1);
    wantsSecondLine = true;
    assertThat(lost(search(1)).first().path()).isEqualTo("new.1");
  }

  /** What came between is not known, so none of them is blamed. */
  @Test
  void changeWithOthersBehindItThatAreNotKeptShouldNotBeBlamed() throws IOException {
    for (int time = 0; time < 64; time++) {
      program.rename(1, metadata);
    }
    program.store(1, 0, 0, 1).persist(1, 0);
    program.rename(1, metadata).store(1, 0, 0, 2).persist(1, 0);
    acknowledge(2);
    assertThat(search(2)).isEmpty();
    assertThat(failing).isPositive();
  }
}
