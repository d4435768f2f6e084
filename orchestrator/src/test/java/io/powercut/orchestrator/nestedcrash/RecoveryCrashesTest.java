// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.sections.RecoveryCrashSection;
import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.oracle.ImageCopy;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Budget;
import io.powercut.persistency.PersistentFiles;
import io.powercut.persistency.choice.ChoiceOptions;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.Instruction;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crashes during recovery, with a recovery that is two functions. */
class RecoveryCrashesTest {
  private static final int FILE = 1;

  private static final RecoveryStates.Options STATES =
      new RecoveryStates.Options(
          new ChoiceOptions(true, true, true, 0, 0, 0, 8, 1), Optional.empty(), false);

  @TempDir private Path folder;
  private ProgramByHand program;
  private final VerdictCache images = new VerdictCache();

  /** Line 0 says that recovery is under way; line 1 has to be there then. */
  private final FakeRecovery recovery =
      new FakeRecovery(
          pool ->
              pool.at(0, 0) == 1 && pool.at(1, 0) == 0
                  ? Optional.of("recovery was cut before line 1")
                  : Optional.empty());

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  /** Recovery stores to the lines in this order, with a failure point behind each store. */
  private CutRecovery storing(int... lines) {
    return (copies, cuts) -> {
      try (ImageCopy copy = copies.fresh();
          PrivateDirectory pages = program.resources().area().newDirectory();
          PmState state = PmState.open(copy.directory(), pages, 1 << 20)) {
        state.define(
            FILE,
            PersistentFiles.Origin.EXISTING,
            ProgramByHand.FILE,
            Files.size(copy.directory().resolve(ProgramByHand.FILE)));
        for (int line : lines) {
          state.store(FILE, line * 64L, 1, ByteBuffer.wrap(new byte[] {1}), 0);
          CutRecovery.Point point = point(line);
          if (cuts.wants(point, state, () -> CrashStates.NONE)) {
            try (CrashImage image = state.image()) {
              cuts.take(
                  point,
                  new CutRecovery.Left(
                      image,
                      CrashStates.NONE,
                      List.of(),
                      CutRecovery.Numbers.of(program.tables())));
            }
          }
        }
      }
      return Optional.empty();
    };
  }

  private static CutRecovery.Point point(int line) {
    Frame frame =
        new Frame("app", 100 + line, List.of(new SourcePosition("redo", "/src/app.c", line + 1)));
    return new CutRecovery.Point("recovery", CallStack.of(List.of(frame)), Instruction.STORE, 1);
  }

  /** Recovery does this, whatever the image; behind each part there is a failure point. */
  private CutRecovery doing(ProgramByHand.Calls... parts) {
    return (copies, cuts) -> {
      Path own = Files.createTempDirectory(folder, "recovery");
      try (ProgramByHand again = new ProgramByHand(own)) {
        for (int part = 0; part < parts.length; part++) {
          parts[part].on(again);
          try (CrashPoint cut = again.cut(90 + part)) {
            CutRecovery.Point point = point(9 + part);
            if (cuts.wants(point, again.state(), cut::states)) {
              cuts.take(
                  point,
                  new CutRecovery.Left(
                      cut.image(),
                      cut.states(),
                      cut.recent(),
                      CutRecovery.Numbers.of(again.tables())));
            }
          }
        }
      }
      return Optional.empty();
    };
  }

  private List<RecoveryCrashVerdicts> cut(CutRecovery cutRecovery, int mostPerPoint)
      throws IOException {
    return cut(cutRecovery, mostPerPoint, Optional.of(STATES));
  }

  private List<RecoveryCrashVerdicts> cut(
      CutRecovery cutRecovery, int mostPerPoint, Optional<RecoveryStates.Options> states)
      throws IOException {
    RecoveryCrashLog log = RecoveryCrashLog.open(folder.resolve("recovery-crashes.jsonl"));
    RecoveryCrashes crashes =
        new RecoveryCrashes(
            program.workplace(),
            judging(log),
            new RecoveryCrashSection(10, mostPerPoint, true, List.of()),
            cutRecovery,
            states,
            log);
    crashes.run(List.of(chosen(10), chosen(20)));
    return List.copyOf(log.all());
  }

  private Judging judging(RecoveryCrashLog log) {
    return new Judging(
        recovery,
        images,
        new FindingIdentity(new CodePlaces(module -> Optional.empty())),
        new Budget(program.campaign()),
        new ResultListener() {
          @Override
          public void judged(Judgement judgement) {}

          @Override
          public void cut(RecoveryCrashVerdicts verdicts) {
            log.add(verdicts);
          }
        });
  }

  /** Another image each time. */
  private RecoveryCrashChoice.Chosen chosen(int source) throws IOException {
    program.store(source, source, 0, 1);
    CrashPoint point = program.cut(source);
    return new RecoveryCrashChoice.Chosen(
        point.occurrence(), point.image(), point.image().hash(), Optional.empty());
  }

  private static List<RecoveryCrashFinding> findings(List<RecoveryCrashVerdicts> verdicts) {
    return verdicts.stream().flatMap(one -> one.findings().stream()).toList();
  }

  @Test
  void cutThatLeavesAnUnrecoverableImageShouldBeOneFinding() throws IOException {
    List<RecoveryCrashVerdicts> verdicts = cut(storing(0, 1), 5);

    assertThat(verdicts).hasSize(2).allMatch(RecoveryCrashVerdicts::isSettled);
    assertThat(findings(verdicts)).hasSize(1);
    assertThat(findings(verdicts).get(0).cut().stack().get(0).line()).isEqualTo(1);
    assertThat(verdicts.stream().mapToLong(RecoveryCrashVerdicts::failing).sum()).isEqualTo(2);
  }

  @Test
  void recoveryThatStoresInTheOtherOrderShouldHaveNoFinding() throws IOException {
    assertThat(findings(cut(storing(1, 0), 5))).isEmpty();
  }

  @Test
  void failurePointThatWasCutOftenEnoughShouldNotBeCutAgain() throws IOException {
    List<RecoveryCrashVerdicts> verdicts = cut(storing(1, 0), 1);

    assertThat(verdicts.stream().mapToInt(one -> one.cuts().size()).sum()).isEqualTo(2);
  }

  /** Program order has line 1 where line 0 is; what a power cut leaves of it may not. */
  @Test
  void storeThatRecoveryForgetsToFlushShouldBeOneFindingOfTheFirstImage() throws IOException {
    List<RecoveryCrashVerdicts> verdicts =
        cut(doing(calls -> calls.store(30, 1, 0, 1).store(31, 0, 0, 1)), 5);

    assertThat(verdicts).allMatch(RecoveryCrashVerdicts::isSettled);
    assertThat(findings(verdicts)).hasSize(1);
    RecoveryCrashFinding finding = findings(verdicts).get(0);
    JudgedState state = finding.judgement().state().orElseThrow();
    assertThat(finding.fingerprint()).isEqualTo(state.fingerprint());
    assertThat(state.lost())
        .extracting(lost -> lost.store().stack().get(0).line())
        .containsExactly(30);
    assertThat(finding.cut().stack().get(0).line()).isEqualTo(10);
    assertThat(verdicts.stream().flatMap(one -> one.again().stream()))
        .containsExactly(finding.fingerprint());
    assertThat(verdicts).allSatisfy(one -> assertThat(one.states().values()).isNotEmpty());
  }

  @Test
  void recoveryThatPersistsBeforeItGoesOnShouldHaveNoFinding() throws IOException {
    List<RecoveryCrashVerdicts> verdicts =
        cut(doing(calls -> calls.store(30, 1, 0, 1).persist(32, 1).store(31, 0, 0, 1)), 5);

    assertThat(findings(verdicts)).isEmpty();
    assertThat(verdicts).allSatisfy(one -> assertThat(one.states().values()).isNotEmpty());
  }

  /** Line 0 is there before line 1: the states that lose line 1 later show the same. */
  @Test
  void mistakeThatProgramOrderShowsShouldNotBeAFindingOfStatesToo() throws IOException {
    List<RecoveryCrashVerdicts> verdicts =
        cut(doing(calls -> calls.store(31, 0, 0, 1), calls -> calls.store(30, 1, 0, 1)), 5);

    assertThat(findings(verdicts)).hasSize(1);
    assertThat(findings(verdicts).get(0).judgement().state()).isEmpty();
    assertThat(verdicts.stream().mapToInt(RecoveryCrashVerdicts::failing).sum())
        .as("two images in program order, and states")
        .isGreaterThan(2);
  }

  @Test
  void imageShouldBeCutByItself() throws IOException {
    RecoveryCrashLog log = RecoveryCrashLog.open(folder.resolve("one.jsonl"));
    CutClaims claims = new CutClaims(1, log);
    RecoveryCrashes.Scene scene =
        new RecoveryCrashes.Scene(
            program.workplace(),
            judging(log),
            new RecoveryCrashSection(10, 1, true, List.of("elsewhere")),
            storing(0, 1),
            Optional.empty(),
            claims);
    try (RecordedImages recorded = RecordedImages.in(program.resources().area());
        RecordedImages judged = RecordedImages.in(program.resources().area());
        RecoveryCrashChoice.Chosen first = chosen(10)) {
      new CutImage(scene, first, judged).cut(recorded);
    }

    assertThat(log.all()).hasSize(1).allMatch(one -> one.cuts().isEmpty());
  }

  @Test
  void statesShouldBeJudgedOnSoManyImagesAndWhereTheyAreWanted() throws IOException {
    CutRecovery forgetful = doing(calls -> calls.store(30, 1, 0, 1).store(31, 0, 0, 1));

    assertThat(findings(cut(forgetful, 5, Optional.empty()))).isEmpty();
    Files.delete(folder.resolve("recovery-crashes.jsonl"));
    assertThat(cut(forgetful, 1).stream().filter(one -> !one.states().isEmpty())).hasSize(1);
  }

  @Test
  void whatARunHasDoneShouldCountForTheNextPartOfIt() throws IOException {
    List<RecoveryCrashFinding> before = findings(cut(storing(0, 1), 1));
    int runs = recovery.runs();
    cut(storing(0, 1), 1);

    assertThat(before).hasSize(1);
    assertThat(recovery.runs()).isEqualTo(runs);
  }

  @Test
  void recoveryShouldSeeTheChosenImage() throws IOException {
    List<Byte> seen = new CopyOnWriteArrayList<>();
    cut(
        (JudgedImages copies, CutRecovery.Cuts cuts) -> {
          try (ImageCopy copy = copies.fresh()) {
            seen.add(Files.readAllBytes(copy.directory().resolve(ProgramByHand.FILE))[10 * 64]);
          }
          return Optional.empty();
        },
        1);

    assertThat(seen).containsExactly((byte) 1, (byte) 1);
  }
}
