// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.LineRead;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.reads.KnownReads;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.changes.WithPersists;
import io.powercut.persistency.choice.StateChoice;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is said of a finding: its names, the blame, and advice that was tried on its trace. */
class AdviceCheckTest {
  private static final Occurrence AT = new Occurrence(TargetByHand.stack(21).id(), 1);
  private static final Occurrence EARLIER = new Occurrence(TargetByHand.stack(15).id(), 1);

  @RegisterExtension private final HandRun run = HandRun.open();
  private final AdviceQuestions advice = new AdviceQuestions();
  private final KeptResults results = new KeptResults();
  private final List<String> texts = new ArrayList<>();
  private final List<String> remedies = new ArrayList<>();
  private final List<Long> unread = new ArrayList<>();

  private final Acknowledgement.History told = new Acknowledgement.History();
  private Optional<Path> acknowledged = Optional.empty();
  private long bytes;

  private FakeRecovery recovery = FakeRecovery.ofFlagAndValue();

  /** Explores the states at the failure points of lines 15 and 21, and then tries the advice. */
  private JudgedState explore(TargetByHand.Program program) throws IOException {
    Campaign campaign = run.campaign();
    Path trace = run.trace(program);
    Observation observation = Observation.ofStacks();
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages)) {
      CacheLineTracker pending = new CacheLineTracker(campaign.domain(), state);
      Judging judging =
          new Judging(
              recovery, new VerdictCache(), observation.identity(), new Budget(campaign), results);
      StateExplorer explorer =
          new StateExplorer(
              run.workplace(),
              judging,
              new StateOptions(Optional.empty(), Searches.none()),
              observation.tables(),
              new KnownCulprits(),
              advice);
      FailurePointListener listener =
          (ordinal, stack, instruction, isNew) -> {
            judging.images().pass(state.hash(), new Occurrence(stack.id(), 1));
            if (stack.id().equals(AT.id()) || stack.id().equals(EARLIER.id())) {
              Occurrence here = new Occurrence(stack.id(), 1);
              explore(here, explorer, observation, judging, state, CrashStates.of(pending));
            }
          };
      new TraceReading(campaign.failurePoints(), observation)
          .read(
              TraceReader.of(trace),
              InstrumentedRun.emptyTree(campaign),
              listener,
              List.of(pending, new ProgramOrder(state), acknowledging()));
      advice.ended(pending.means()::areInstructionsFor);
    }
    StateLog log = log();
    results.explored().forEach(log::add);
    new AdviceCheck(campaign, run.resources(), Progress.SILENT, run.base(), trace).run(advice, log);
    log.findings().forEach(found -> remedies.add(found.state().orElseThrow().remedy()));
    return log.findings().get(0).state().orElseThrow();
  }

  private TraceConsumer acknowledging() {
    return new TraceConsumer() {
      @Override
      public void event(TraceEvent event) {
        if (event instanceof TraceEvent.Output) {
          told.add(new Acknowledgement.Output(event.ordinal(), 0, 0), ++bytes, 0);
        }
      }
    };
  }

  private void explore(
      Occurrence here,
      StateExplorer explorer,
      Observation observation,
      Judging judging,
      PmState state,
      CrashStates states)
      throws IOException {
    CrashPoint point =
        new CrashPoint(
            here,
            state.image(),
            acknowledged.map(file -> new Acknowledgement(file, bytes, 0, told)),
            states,
            new StateChoice(run.campaign().crashStates().choice()).choose(states, StateShare.USUAL),
            List.of(),
            Optional.empty(),
            MetadataLosses.NONE,
            Optional.empty());
    try (RecordedImages places = RecordedImages.in(run.resources().area());
        CrashPoint cut = point) {
      explorer.explore(cut, places, Optional.empty());
      StateNames names = new StateNames(observation.tables(), cut, judging.identity());
      for (AdviceQuestions.Question question : advice.all()) {
        texts.add(names.id(question.culprit().state()));
        JudgedState found = results.explored().get(0).findings().get(0).state().orElseThrow();
        texts.add(
            new BlameText(question.culprit(), found.lost(), found.arrived(), true, Optional.empty())
                .remedy());
        CrashState part = question.culprit().state();
        RecoveryReads none =
            (images, asked, effort) -> Optional.of((path, offset) -> LineRead.NONE);
        RecoveryReads unknown = (images, asked, effort) -> Optional.empty();
        unread.add(unread(cut, places, none).without(part).size());
        unread.add(unread(cut, places, unknown).without(part).size());
      }
    }
  }

  private static UnreadLines unread(CrashPoint cut, RecordedImages places, RecoveryReads reads) {
    return new UnreadLines(
        cut,
        places,
        reads,
        new KnownReads(),
        Optional.empty(),
        new UnreadLines.Asker() {
          @Override
          public Verdict.Kind ask(CrashState state, Optional<ReadsWatch> watch) {
            return Verdict.Kind.CONSISTENT;
          }

          @Override
          public void countRun() {}

          @Override
          public void countWatched(ReadsWatch watch, boolean isWanted) {}
        });
  }

  /** A program that has flushed something else before. */
  private static TargetByHand.Program flushing(TargetByHand.Program rest) {
    return calls -> rest.run(calls.store(1, 9, 1).flush(2, 9).fence(3));
  }

  private StateLog log() {
    return StateLog.open(run.folder().resolve("states.jsonl"));
  }

  @Test
  void missingFlushShouldBeNamedAndAddingItAdvised() throws IOException {
    JudgedState state =
        explore(flushing(calls -> calls.store(10, 0, 1).fence(12).store(20, 1, 1).flush(21, 1)));

    assertThat(state.remedy()).contains("is not flushed before");
    assertThat(state.advice().orElseThrow())
        .isEqualTo("add a flush of its line after the store; the fence it needs already follows");
    assertThat(texts.get(0)).isEqualTo(state.id());
    assertThat(state.remedy()).startsWith(texts.get(1)).endsWith("(verified)");
  }

  @Test
  void flushBehindTheStoreThatReliesOnItShouldBeCalledTooLate() throws IOException {
    JudgedState state =
        explore(
            flushing(
                calls ->
                    calls
                        .store(10, 0, 1)
                        .store(20, 1, 1)
                        .flush(21, 1)
                        .fence(22)
                        .flush(23, 0)
                        .fence(24)
                        .flush(25, 0)));

    assertThat(state.remedy())
        .startsWith(
            "the store at work at /src/app.c:10 is flushed too late, at work at /src/app.c:23,"
                + " after the store at work at /src/app.c:20 can persist: add a flush");
  }

  @Test
  void whatComesTooLateShouldBeKnownOnceTheTraceHasIt() throws IOException {
    TargetByHand.Program program =
        calls -> calls.store(10, 0, 1).store(20, 1, 1).flush(21, 1).fence(22).flush(23, 0);
    explore(program);
    List<BlamedStore> lost = advice.notFlushed().values().iterator().next().lost();
    Observation numbers = Observation.ofNumbers();
    LatePersists late = new LatePersists(run.campaign().domain(), numbers.tables(), lost);
    assertThat(late.areDecided()).isFalse();
    assertThat(late.of(lost.get(0))).isEmpty();
    new TraceReading(run.campaign().failurePoints(), numbers)
        .read(
            TraceReader.of(run.trace(program)),
            InstrumentedRun.emptyTree(run.campaign()),
            (ordinal, stack, instruction, isNew) -> {},
            List.of(late.consumer()));

    assertThat(late.areDecided()).isTrue();
    assertThat(late.of(lost.get(0)).orElseThrow().isFlush()).isTrue();
    assertThat(late.of(lost.get(0)).orElseThrow().stack().id())
        .isEqualTo(TargetByHand.stack(23).id());
  }

  /** Its flag and its value are in one sector, and it flushes nothing before the power is cut. */
  private static final TargetByHand.Program FLUSHING_LATER =
      calls -> calls.store(10, 0, 1).store(20, 1, 1).flush(21, 1).fence(22).flush(23, 0).fence(24);

  @Test
  void stateOfAProgramThatFlushesLaterShouldNotBeSaidToNeedDaxOnly() throws IOException {
    JudgedState state = explore(FLUSHING_LATER);

    assertThat(firstFound().daxOnly()).as("as far as is known there").isTrue();
    assertThat(state.daxOnly()).isFalse();
  }

  /** Such as a run in another order of threads. */
  @Test
  void whatFlushesShouldBeKnownWithoutATraceOnceTheRunIsOver() throws IOException {
    explore(FLUSHING_LATER);
    assertThat(firstFound().remedy()).contains("is not persisted before");
    StateLog log = StateLog.open(run.folder().resolve("held.jsonl"));
    results.explored().forEach(log::add);
    AdviceCheck.sayWhatPersists(advice, log);

    JudgedState state = log.findings().get(0).state().orElseThrow();
    assertThat(state.remedy()).contains("is not flushed before");
    assertThat(state.isNotSynchronised()).isFalse();
    assertThat(state.daxOnly()).isFalse();
  }

  @Test
  void stateOfAProgramThatSynchronisesShouldBeSaidToNeedDaxOnly() throws IOException {
    assertThat(explore(calls -> calls.store(10, 0, 1).store(20, 1, 1).fence(21)).daxOnly())
        .isTrue();
  }

  private JudgedState firstFound() {
    return results.explored().get(0).findings().get(0).state().orElseThrow();
  }

  /** It flushes the line with the value at another time. */
  private static final TargetByHand.Program ONE_LINE_SHORT =
      calls ->
          calls
              .store(10, 7, 1)
              .flush(11, 6)
              .flush(11, 7)
              .fence(12)
              .store(10, 5, 1)
              .flush(11, 4)
              .fence(12)
              .store(20, 1, 1)
              .flush(21, 1);

  private static Optional<String> fifthIsBehind(FakeRecovery.Words pool) {
    return pool.at(1, 0) > pool.at(5, 0) ? Optional.of("it is behind") : Optional.empty();
  }

  @Test
  void flushThatIsTooShortShouldBeNamed() throws IOException {
    recovery = new FakeRecovery(AdviceCheckTest::fifthIsBehind);
    JudgedState state = explore(ONE_LINE_SHORT);

    assertThat(state.advice())
        .contains(
            "make the flush at work at /src/app.c:11, called from main at main.c:99, longer: it"
                + " covers 0x100 to 0x13f of pool, and misses the 8 bytes at 0x140");
    assertThat(log().findings().get(0).timeline().orElseThrow().shortFlush().get(0).line())
        .isEqualTo(11);
  }

  @Test
  void flushThatIsMeantForOthersShouldNotBeCalledTooShort() throws IOException {
    recovery = new FakeRecovery(AdviceCheckTest::fifthIsBehind);
    JudgedState state =
        explore(
            calls ->
                calls
                    .store(13, 7, 1)
                    .flush(11, 6)
                    .flush(11, 7)
                    .fence(12)
                    .store(10, 5, 1)
                    .flush(11, 4)
                    .fence(12)
                    .store(20, 1, 1)
                    .flush(21, 1));

    assertThat(state.advice().orElseThrow()).startsWith("add a flush of its line after the store");
    assertThat(log().findings().get(0).timeline().orElseThrow().shortFlush()).isEmpty();
  }

  @Test
  void shortFlushShouldBeKnownOnceTheTraceHasIt() throws IOException {
    recovery = new FakeRecovery(AdviceCheckTest::fifthIsBehind);
    JudgedState state = explore(ONE_LINE_SHORT);
    AdviceQuestions.Question question = advice.all().get(0);
    Observation numbers = Observation.ofNumbers();
    LongerFlushes longer = new LongerFlushes(numbers.tables());
    longer.ask(question, state);
    assertThat(longer.areDecided()).isFalse();
    assertThat(longer.of(question)).isEmpty();
    new TraceReading(run.campaign().failurePoints(), numbers)
        .read(
            TraceReader.of(run.trace(ONE_LINE_SHORT)),
            InstrumentedRun.emptyTree(run.campaign()),
            (ordinal, stack, instruction, isNew) -> longer.at(new Occurrence(stack.id(), 1)),
            List.of(longer.consumer()));

    assertThat(longer.areDecided()).isTrue();
    assertThat(longer.of(question).orElseThrow().size()).isEqualTo(8);
  }

  @Test
  void flushOfWhatIsStoredToItsLineLaterShouldNotBeCalledItsOwn() throws IOException {
    JudgedState state =
        explore(
            calls ->
                calls
                    .store(10, 0, 1)
                    .store(20, 1, 1)
                    .flush(21, 1)
                    .fence(22)
                    .store(23, 0, 2)
                    .flush(24, 0)
                    .fence(25));

    assertThat(state.remedy()).contains("app.c:10 is not flushed before");
  }

  /** The program has flushed nothing when the power is cut. */
  @Test
  void programThatFlushesLaterShouldNotBeToldToSynchronise() throws IOException {
    JudgedState state =
        explore(calls -> calls.store(10, 0, 1).fence(12).store(20, 1, 1).flush(21, 1));

    assertThat(state.remedy()).contains("app.c:10 is not flushed before");
    assertThat(state.advice().orElseThrow()).startsWith("add a flush of its line after the store");
    assertThat(state.isNotSynchronised()).isFalse();
  }

  @Test
  void synchronisationThatComesTooLateShouldBeNamed() throws IOException {
    JudgedState state =
        explore(calls -> calls.store(10, 0, 1).store(20, 1, 1).sync(21, 1).sync(23, 0));

    assertThat(state.remedy())
        .contains("app.c:10 is synchronised too late, at work at /src/app.c:23, after");
    assertThat(state.isNotSynchronised()).isTrue();
  }

  @Test
  void synchronisationThatFailedShouldBeNamedWithItsError() throws IOException {
    JudgedState late =
        explore(
            calls -> calls.store(10, 0, 1).sync(12, 0, 22).store(20, 1, 1).sync(21, 1).sync(23, 0));
    assertThat(late.remedy())
        .contains("app.c:10 is synchronised too late, at work at /src/app.c:23, after")
        .contains(", since the msync at work at /src/app.c:12 failed with EINVAL");

    JudgedState never =
        explore(calls -> calls.store(10, 0, 1).sync(12, 0, 5).store(20, 1, 1).sync(21, 1));
    assertThat(never.remedy())
        .contains("app.c:10 is not synchronised before")
        .contains(", since the msync at work at /src/app.c:12 failed with EIO");

    JudgedState other =
        explore(calls -> calls.store(10, 0, 1).sync(12, 1, 22).store(20, 1, 1).sync(21, 1));
    assertThat(other.remedy()).doesNotContain("failed");
  }

  /** To synchronise it sooner is no help: the file is longer as soon as it is written. */
  @Test
  void appendedDataThatTheLengthOfTheFileVouchesForShouldNotBeCalledTooLate() throws IOException {
    recovery = new FakeRecovery(AdviceCheckTest::appendedIsZero);
    TargetByHand.Program once = calls -> calls.append(20, 64, 1).sync(21, 64);
    TargetByHand.Program twice =
        calls -> calls.append(20, 64, 1).append(24, 65, 1).sync(21, 64).sync(25, 65);

    for (TargetByHand.Program program : List.of(once, twice)) {
      JudgedState state = explore(program);
      assertThat(state.remedy())
          .isEqualTo(
              "the store at work at /src/app.c:20 can be lost until it is synchronised, at work at"
                  + " /src/app.c:21, although the file is longer already: recovery must not take the"
                  + " length of the file for the end of its data");
      assertThat(state.isNotSynchronised()).isTrue();
      assertThat(state.advice()).isEmpty();
    }
  }

  /** Another mistake may refute the advice to acknowledge it later. The length is not to blame. */
  @Test
  void appendedDataThatWasAcknowledgedShouldNotBeBlamedOnTheLengthOfTheFile() throws IOException {
    acknowledged = Optional.of(Files.write(run.folder().resolve("told"), new byte[1]));
    recovery =
        new FakeRecovery(
            (pool, images) -> {
              boolean isTold = images.acknowledged().filter(now -> now.bytes() > 0).isPresent();
              return isTold ? appendedIsZero(pool) : Optional.empty();
            });
    JudgedState state =
        explore(calls -> calls.append(10, 64, 1).say("1").append(20, 65, 1).sync(21, 64));

    assertThat(state.remedy()).contains("is synchronised too late, at work at /src/app.c:21");
  }

  /** What is written has no mapping that msync could be called for. */
  @Test
  void writeThatAnotherStoreReliesOnShouldBeAdvisedAnFsync() throws IOException {
    recovery =
        new FakeRecovery(
            pool -> pool.at(1, 0) == 1 ? appendedIsZero(pool) : Optional.<String>empty());
    JudgedState state =
        explore(calls -> calls.append(10, 64, 1).store(20, 1, 1).sync(21, 1).sync(23, 64));

    assertThat(state.advice()).contains("call fsync on the file right after the store");
  }

  private static Optional<String> appendedIsZero(FakeRecovery.Words pool) {
    try {
      return pool.at(64, 0) == 0 ? Optional.of("the last record is empty") : Optional.empty();
    } catch (IndexOutOfBoundsException e) {
      return Optional.empty(); // The file is as long as it was.
    }
  }

  /** As those of a macro are: they have one source line, so they are one finding. */
  @Test
  void adviceShouldNameAllStoresOfASourceLine() throws IOException {
    TargetByHand.Program program =
        flushing(calls -> calls.store(10, 0, 1).fence(12).store(20, 1, 1).flush(21, 1));
    JudgedState first = explore(program);
    ImageStore lost = first.lost().get(0).store();
    List<StackFrame> stack = lost.stack().stream().map(frame -> at(frame, "0xabc")).toList();
    advice.addStore(first.fingerprint(), new ImageStore("pool", 0x280, 8, "01", stack));

    assertThat(explore(program).advice().orElseThrow())
        .isEqualTo(
            "add a flush after each of the 2 stores that its source line makes, such as to 0x0,"
                + " 0x280 of pool; the fence they need already follows");
  }

  private static StackFrame at(StackFrame frame, String offset) {
    return new StackFrame(frame.function(), frame.file(), frame.line(), frame.module(), offset);
  }

  /** The thread was only interrupted before it. */
  @Test
  void flushThatFollowsInItsThreadShouldNotBeAdvised() throws IOException {
    JudgedState state =
        explore(
            flushing(
                calls ->
                    calls
                        .store(10, 0, 1)
                        .storeOfThread(2, 20, 1, 1)
                        .flush(21, 1)
                        .flush(11, 0)
                        .fence(12)));

    assertThat(state.remedy())
        .contains("is flushed too late, at work at /src/app.c:11, after the store")
        .doesNotContain("verified");
    assertThat(state.advice()).isEmpty();
  }

  @Test
  void flushThatTheThreadPutsOffShouldBeAdvised() throws IOException {
    JudgedState state =
        explore(
            flushing(
                calls ->
                    calls
                        .store(10, 0, 1)
                        .storeOfThread(2, 20, 1, 1)
                        .flush(21, 1)
                        .store(13, 9, 1)
                        .flush(11, 0)
                        .fence(12)));

    assertThat(state.advice()).contains("add a flush of its line and a fence after the store");
  }

  /** Where the finding shows, a fence follows for another reason; in the time before none did. */
  @Test
  void fenceThatDoesNotAlwaysFollowShouldBeAdvisedToo() throws IOException {
    JudgedState state =
        explore(
            calls ->
                calls
                    .store(10, 0, 1)
                    .store(20, 1, 1)
                    .flush(22, 1)
                    .fence(23)
                    .flush(24, 0)
                    .fence(25)
                    .store(10, 0, 2)
                    .fence(12)
                    .store(20, 1, 2)
                    .flush(21, 1));

    assertThat(state.advice()).contains("add a flush of its line and a fence after the store");
  }

  /** Until then what was acknowledged is nowhere else, and no store that relies on it is there. */
  @Test
  void fenceThatFollowsOnlyBehindAnAcknowledgementShouldBeAdvisedToo() throws IOException {
    acknowledged = Optional.of(Files.write(run.folder().resolve("told"), new byte[1]));
    recovery =
        new FakeRecovery(
            (pool, images) -> {
              boolean isTold = images.acknowledged().filter(now -> now.bytes() > 0).isPresent();
              return pool.at(1, 0) > pool.at(0, 0)
                      || (isTold && pool.at(0, 0) == 0 && pool.at(2, 0) == 0)
                  ? Optional.of("the value is lost")
                  : Optional.empty();
            });
    explore(
        flushing(
            calls ->
                calls
                    .store(10, 0, 1)
                    .say("1")
                    .store(14, 2, 1)
                    .flush(15, 2)
                    .fence(16)
                    .store(20, 1, 1)
                    .flush(21, 1)));

    assertThat(found(EARLIER).hasCause()).isFalse();
    assertThat(found(EARLIER).fingerprint()).isEqualTo(found(AT).fingerprint());
    assertThat(found(AT).advice()).contains("add a flush of its line and a fence after the store");
  }

  private JudgedState found(Occurrence where) {
    return log().find(where).orElseThrow().findings().get(0).state().orElseThrow();
  }

  @Test
  void missingFenceShouldBeNamedAndAddingItAdvised() throws IOException {
    JudgedState state =
        explore(calls -> calls.store(10, 0, 1).flush(11, 0).store(20, 1, 1).flush(21, 1));

    assertThat(state.remedy()).contains("is not followed by a fence");
    assertThat(state.advice()).contains("add a fence after the flush");
  }

  /** Before the value is stored, recovery fails for the flag alone. */
  @Test
  void flagThatComesTooEarlyShouldBeAdvisedToComeLater() throws IOException {
    JudgedState state =
        explore(
            flushing(
                calls ->
                    calls.store(10, 1, 1).store(20, 0, 1).flush(21, 0).flush(22, 1).fence(23)));

    assertThat(state.remedy()).contains("can persist without", "which comes later");
    assertThat(state.advice().orElseThrow())
        .isEqualTo(
            "make the store that may persist alone after the other one, and after a flush and a"
                + " fence of that");
  }

  /** A value that is cleared before it is set: in the other order it would end as cleared. */
  @Test
  void storesToTheSameBytesShouldNotBeAdvisedToChangeTheirOrder() throws IOException {
    recovery =
        new FakeRecovery(
            pool -> pool.at(0, 0) == 7 ? Optional.of("it is half done") : Optional.empty());
    JudgedState state =
        explore(flushing(calls -> calls.store(10, 0, 7).store(20, 0, 5).flush(21, 0).fence(23)));

    assertThat(state.advice())
        .contains("store the final value at once; both stores change the same bytes");
  }

  /** What is used has to be within a limit: growing needs the limit first, and shrinking last. */
  @Test
  void ordersThatAreBothWrongSomewhereShouldBeAdvisedToBeOneUpdate() throws IOException {
    explore(
        flushing(
            calls ->
                calls
                    .store(10, 0, 5)
                    .store(12, 1, 5)
                    .flush(15, 0)
                    .flush(16, 1)
                    .fence(17)
                    .store(10, 0, 3)
                    .store(12, 1, 3)
                    .flush(21, 0)
                    .flush(22, 1)
                    .fence(23)));

    assertThat(remedies)
        .anySatisfy(one -> assertThat(one).contains("is flushed too late", "add a flush"))
        .anySatisfy(
            one -> assertThat(one).contains("which comes later: the other order is wrong, too"));
  }

  /** The source has the value first, and the flag is stored first. */
  @Test
  void storesInAnotherOrderThanInTheSourceShouldBeCalledSo() throws IOException {
    JudgedState state =
        explore(
            flushing(
                calls ->
                    calls.store(20, 1, 1).store(10, 0, 1).flush(21, 0).flush(22, 1).fence(23)));

    assertThat(state.remedy())
        .contains(
            "app.c:20 can persist without the store at work at /src/app.c:10, which the compiler or"
                + " a loop stores later, though its line comes first: make");
  }

  /** A loop, for example. */
  @Test
  void storesOfOneLineOfTheSourceShouldBeToldApart() throws IOException {
    JudgedState state =
        explore(
            flushing(
                calls ->
                    calls.store(10, 1, 1).store(10, 0, 1).flush(21, 0).flush(22, 1).fence(23)));

    assertThat(state.remedy())
        .startsWith(
            "the store at work at /src/app.c:10 can be lost while an earlier store there persists");
  }

  @Test
  void linesThatRecoveryDoesNotReadShouldMakeNoState() throws IOException {
    explore(calls -> calls.store(10, 0, 1).fence(12).store(20, 1, 1).flush(21, 1));

    assertThat(unread).containsExactly(0L, 1L);
  }

  @Test
  void withoutQuestionsTheTraceShouldNotBeRead() throws IOException {
    StateLog log = log();
    log.add(StateVerdicts.none(AT, true));
    new AdviceCheck(
            run.campaign(),
            run.resources(),
            Progress.SILENT,
            run.base(),
            run.folder().resolve("no trace"))
        .run(new AdviceQuestions(), log);

    assertThat(log.find(AT).orElseThrow().findings()).isEmpty();
  }

  @Test
  void adviceShouldHoldOnlyIfTheStateIsImpossibleWhereverItShowed() throws IOException {
    explore(calls -> calls.store(10, 0, 1).fence(12).store(20, 1, 1).flush(21, 1));
    AdviceQuestions.Question question = advice.all().get(0);
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages)) {
      CacheLineTracker model = new CacheLineTracker(run.campaign().domain(), state);
      AdviceTrial trial =
          new AdviceTrial(
              () -> AdviceTrial.Advice.of("nothing"),
              question,
              model,
              new WithPersists(question.codes(), WithPersists.Added.FENCE, model),
              Optional.empty());

      assertThat(trial.holding()).isEmpty();
      trial.at(AT);
      assertThat(trial.holding()).isEqualTo(AdviceTrial.Advice.of("nothing"));
    }
  }
}
