// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static io.powercut.report.evidence.JudgedState.Missing.ATOMICITY;
import static io.powercut.report.evidence.JudgedState.Missing.FENCE;
import static io.powercut.report.evidence.JudgedState.Missing.FLUSH;
import static io.powercut.report.evidence.JudgedState.Missing.ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.powercut.analysis.PatternKind;
import io.powercut.oracle.Verdict;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.knowledge.Knowledge;
import io.powercut.report.mistakes.Crash;
import io.powercut.report.mistakes.Window;
import io.powercut.report.rundir.DataRaceLog;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is one finding, and in which order findings come. */
class FindingMergeTest {
  private static final Optional<String> NO_HASH = Optional.empty();
  private static final StackFrame MAIN = new StackFrame("main", "driver.c", 50, "app", "0x1");

  private static StackFrame frame(String function, int line) {
    return new StackFrame(function, "library.c", line, "app", "0x2");
  }

  /** In program order, at a failure point of this function, in the first window. */
  private static Crash crash(String fingerprint, String function, String id) {
    return crash(fingerprint, function, id, NO_HASH, 0, "said no in " + function);
  }

  private static Crash crash(
      String fingerprint,
      String function,
      String id,
      Optional<String> image,
      int window,
      String reason) {
    InjectionEvidence evidence = evidence(function, id, Optional.empty());
    return new Crash(
        Proof.of(fingerprint, evidence),
        List.of("former of " + function),
        evidence,
        image,
        Optional.of(10L * window + Long.parseLong(id)),
        Optional.of(new Window(window, 10L * window)),
        reason);
  }

  /** Of a state that lost a store of this function. */
  private static Crash lost(String fingerprint, String function, String id) {
    return lost(fingerprint, state(function, 10, FLUSH, Optional.empty()), id, NO_HASH, 1);
  }

  private static Crash lost(
      String fingerprint, JudgedState state, String id, Optional<String> image, int window) {
    InjectionEvidence evidence = evidence("elsewhere", id, Optional.of(state));
    return new Crash(
        Proof.of(fingerprint, evidence),
        List.of("former"),
        evidence,
        image,
        Optional.of(10L * window + Long.parseLong(id)),
        Optional.of(new Window(window, 10L * window)),
        "said no");
  }

  private static Crash atOccurrence(long occurrence, Crash crash) {
    InjectionEvidence evidence =
        evidence(
            "elsewhere",
            crash.evidence().failurePointId().toString(),
            occurrence,
            crash.evidence().state(),
            ImageChanges.UNKNOWN);
    return new Crash(
        Proof.of(crash.fingerprint(), evidence),
        crash.former(),
        evidence,
        crash.imageHash(),
        crash.ordinal(),
        crash.window(),
        crash.reason());
  }

  private static JudgedState state(
      String function, int line, JudgedState.Missing missing, Optional<String> shownBefore) {
    return new JudgedState(
        "0123456789abcdef",
        "one-line-lost",
        "fingerprint",
        List.of(),
        List.of(store(function, line, missing)),
        List.of(),
        true,
        shownBefore.map(FindingMergeTest::point),
        "flush it",
        Optional.empty(),
        false,
        false,
        0,
        Set.of(),
        Optional.empty(),
        List.of());
  }

  private static JudgedState.Store involved(JudgedState.Store store) {
    return new JudgedState.Store(
        store.store(), store.thread(), store.missing(), JudgedState.Role.INVOLVED, "");
  }

  private static JudgedState losing(JudgedState state, JudgedState.Store... stores) {
    return with(state, List.of(stores), state.arrived());
  }

  private static JudgedState arrivedBefore(JudgedState state, String function, int line) {
    return with(state, state.lost(), List.of(store(function, line, FLUSH)));
  }

  private static JudgedState with(
      JudgedState state, List<JudgedState.Store> lost, List<JudgedState.Store> arrived) {
    return new JudgedState(
        state.id(),
        state.policy(),
        state.fingerprint(),
        state.lines(),
        lost,
        arrived,
        state.smallest(),
        state.shownBefore(),
        state.remedy(),
        state.advice(),
        state.adviceVerified(),
        state.daxOnly(),
        state.forgotten(),
        state.traits(),
        state.newName(),
        state.persistedAt());
  }

  private static FailurePointId point(String number) {
    return new FailurePointId(Long.parseLong(number));
  }

  private static JudgedState.Store store(String function, int line, JudgedState.Missing missing) {
    return new JudgedState.Store(
        new ImageStore(
            "pool",
            64,
            8,
            "0100000000000000",
            List.of(
                new StackFrame("memcpy", "", 0, "libc.so.6", "0x9"), frame(function, line), MAIN)),
        1,
        missing,
        JudgedState.Role.CAUSE,
        "");
  }

  private static InjectionEvidence evidence(
      String function, String id, Optional<JudgedState> state) {
    return evidence(function, id, state, ImageChanges.UNKNOWN);
  }

  private static InjectionEvidence evidence(
      String function, String id, Optional<JudgedState> state, ImageChanges changes) {
    return evidence(function, id, 1, state, changes);
  }

  private static InjectionEvidence evidence(
      String function,
      String id,
      long occurrence,
      Optional<JudgedState> state,
      ImageChanges changes) {
    return new InjectionEvidence(
        Verdict.Kind.CRASHED,
        point(id),
        occurrence,
        0,
        1,
        "clwb",
        List.of(new StackFrame("persist", "pm.h", 4, "app", "0x3"), frame(function, 12), MAIN),
        "recovery crashed",
        "recovery",
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        state,
        Optional.empty(),
        changes,
        "replay",
        Optional.empty(),
        Optional.empty());
  }

  private static PatternLog.Pattern pattern(
      String fingerprint,
      PatternKind kind,
      Severity severity,
      String function,
      int line,
      long count) {
    return new PatternLog.Pattern(
        fingerprint,
        new TraceEvidence(
            kind,
            severity,
            "seen",
            List.of(new TraceEvidence.Place("store", "mov", List.of(frame(function, line), MAIN))),
            count,
            Optional.empty(),
            "pool",
            64));
  }

  private static List<Finding> merged(Crash... crashes) {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    List.of(crashes).forEach(merge::add);
    return merge.findings();
  }

  private static Crash with(Crash crash, InjectionEvidence evidence) {
    return new Crash(
        crash.proof(),
        crash.former(),
        evidence,
        crash.imageHash(),
        crash.ordinal(),
        crash.window(),
        crash.reason());
  }

  /** The same, where recovery succeeds without a store of that function. */
  private static Crash tooEarly(String fingerprint, String function, String id, String early) {
    return tooEarly(fingerprint, function, id, early, 10);
  }

  private static Crash tooEarly(
      String fingerprint, String function, String id, String early, int line) {
    Crash crash = crash(fingerprint, function, id);
    InjectionEvidence evidence =
        evidence(
            function,
            id,
            Optional.empty(),
            ImageChanges.UNKNOWN.withTooEarly(
                Optional.of(new EarlyStore("the store", store(early, line, FLUSH).store()))));
    return with(crash, evidence);
  }

  /** A store that no log takes back, and that nothing flushes later either. */
  @Test
  void storeThatIsThereTooEarlyAndLostLaterShouldBeOneFinding() {
    List<Finding> findings =
        merged(
            tooEarly("a", "commit", "1", "transfer"),
            tooEarly("c", "other_commit", "2", "move", 12),
            lost("b", "transfer", "3"));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "c");
    assertThat(findings.get(0).proofs()).hasSize(2);
    assertThat(findings.get(0).title()).endsWith("; recovery succeeds without the store");
  }

  /** A counter is written before what it counts, and its file is never synchronised. */
  @Test
  void writeThatComesTooEarlyAndIsNeverSynchronisedShouldBeTwoFindings() {
    Crash early = tooEarly("a", "commit", "1", "transfer");
    JudgedState lost = state("transfer", 10, FLUSH, Optional.empty());

    List<Finding> findings =
        merged(
            early,
            lost("b", written(lost), "3", NO_HASH, 4),
            lost("b", written(lost).withAdvice("call fsync"), "4", NO_HASH, 5));

    assertThat(findings).extracting(Finding::fingerprint).containsExactlyInAnyOrder("a", "b");
    assertThat(findings).extracting(Finding::count).containsExactlyInAnyOrder(1L, 2L);
    assertThat(merged(early, lost("b", written(lost), "3", NO_HASH, 4)))
        .as("more than that is wrong")
        .hasSize(1);
    assertThat(merged(early, lost("b", mapped(lost).withAdvice("call msync"), "3", NO_HASH, 4)))
        .as("a log may cover what is mapped, and persist it")
        .hasSize(1);
  }

  /** To make it in the transaction persists it, too. */
  @Test
  void storeBehindItsTransactionThatNothingFlushesShouldBeOneFinding() {
    ImageStore later = store("count", 12, FLUSH).store();
    ImageStore end =
        new ImageStore(
            "pool", 0, 8, "00", List.of(frame("pmemobj_tx_commit", 3), frame("count", 8), MAIN));
    Crash early =
        with(
            crash("a", "count", "1"),
            evidence(
                "count",
                "1",
                Optional.empty(),
                lacking(ImageChanges.UNKNOWN, later)
                    .withTooEarly(Optional.of(new EarlyStore("the end", end)))));
    JudgedState fixed = state("count", 12, FLUSH, Optional.empty()).withAdvice("flush it");
    JudgedState other = state("count", 13, FLUSH, Optional.empty()).withAdvice("flush it");

    assertThat(merged(early, lost("b", fixed, "2", NO_HASH, 1))).hasSize(1);
    assertThat(merged(early, lost("b", other, "2", NO_HASH, 1))).hasSize(2);
  }

  /** The count of a log comes before its entry, which may also be there in part then. */
  @Test
  void storeThatIsTornBehindWhatComesTooEarlyShouldBeOneFinding() {
    Crash torn = lost("b", state("log", 12, ATOMICITY, Optional.empty()), "2", NO_HASH, 1);
    Crash elsewhere = lost("b", state("log", 13, ATOMICITY, Optional.empty()), "2", NO_HASH, 1);
    ImageStore entry = store("log", 12, FLUSH).store();
    ImageStore other = store("log", 14, FLUSH).store();

    assertThat(merged(countedEarly("log", entry), torn)).hasSize(1);
    assertThat(merged(countedEarly("log", entry), elsewhere)).hasSize(2);
    assertThat(merged(countedEarly("log", entry, other), torn)).hasSize(2);
    assertThat(merged(countedEarly("reset", entry), torn)).hasSize(2);
  }

  /** Names are copied one by one from a log that does not count any more. */
  @Test
  void storeThatIsTornAmongThoseThatProgramOrderHasInPartShouldBeOneFinding() {
    Crash torn = lost("b", state("log", 12, ATOMICITY, Optional.empty()), "2", NO_HASH, 1);
    ImageStore name = store("log", 12, FLUSH).store();
    ImageStore other = store("log", 14, FLUSH).store();

    assertThat(merged(half(name, name, name), torn)).hasSize(1);
    assertThat(merged(half(name, name, other), torn)).as("lacks another").hasSize(2);
    assertThat(merged(half(other, name, name), torn)).as("has none").hasSize(2);
    assertThat(merged(half(other, other, other), torn)).as("of another line").hasSize(2);
  }

  private static Crash half(ImageStore has, ImageStore... lacks) {
    ImageChanges changes =
        new ImageChanges(List.of(has), 0, Optional.empty(), Optional.empty(), Optional.empty());
    return with(
        crash("a", "log", "1"), evidence("log", "1", Optional.empty(), lacking(changes, lacks)));
  }

  private static ImageChanges lacking(ImageChanges changes, ImageStore... lacks) {
    return changes.withLacks(
        Optional.of(
            new ImageLacks(
                new FailurePointId(2),
                1,
                "the entry",
                "the entry",
                List.of(lacks),
                0,
                List.of(),
                false)));
  }

  private static Crash countedEarly(String function, ImageStore... lacks) {
    InjectionEvidence evidence =
        evidence(
            "log",
            "1",
            Optional.empty(),
            lacking(ImageChanges.UNKNOWN, lacks)
                .withTooEarly(
                    Optional.of(new EarlyStore("the count", store(function, 11, FLUSH).store()))));
    return with(crash("a", "log", "1"), evidence);
  }

  /** In one window, and recovery says the same of both. */
  @Test
  void imagesWithOtherStoresTooEarlyShouldBeOtherMistakes() {
    Crash one = tooEarly("a", "commit", "1", "transfer");
    Crash later = tooEarly("b", "commit_all", "2", "move", 20);
    List<Crash> crashes =
        List.of(
            at(one, 10),
            at(crash("c", "log", "3"), 20),
            at(later, 30),
            at(crash("d", "index", "4"), 40),
            at(with(one, crash("a", "commit", "1").evidence()), 50));

    assertThat(merged(crashes.toArray(Crash[]::new)))
        .extracting(Finding::fingerprint, Finding::count)
        .containsExactlyInAnyOrder(Tuple.tuple("a", 2L), Tuple.tuple("b", 2L));
    assertThat(merged(Lists.reverse(crashes).toArray(Crash[]::new)))
        .extracting(Finding::count)
        .containsExactly(2L, 2L);
  }

  /** Where the store that is too early was made, no occurrence was judged. */
  @Test
  void imageBehindAStoreKnownTooEarlyElsewhereShouldBeOneMistake() {
    Crash known = later(tooEarly("a", "commit", "1", "transfer"));
    Crash behind = at(behindStoreOf("transfer", 10, 1, crash("b", "commit_all", "2")), 20);

    assertThat(merged(known, behind)).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(merged(known, at(behind, "recovery hung")))
        .extracting(Finding::fingerprint)
        .containsExactlyInAnyOrder("a", "b");
    assertThat(merged(known, at(behindStoreOf("move", 20, 1, behind), 20))).hasSize(2);
  }

  /** There it is another operation's, which is over. */
  @Test
  void imageFurtherBehindAStoreKnownTooEarlyShouldBeAnotherMistake() {
    Crash known = later(tooEarly("a", "commit", "1", "transfer"));
    Crash behind = at(behindStoreOf("transfer", 10, 1, crash("b", "commit_all", "2")), 20);

    assertThat(merged(known, behindStoreOf("move", 20, 1, behind))).hasSize(2);
    assertThat(merged(known, behindStoreOf("move", 20, 2, behind))).hasSize(1);
    assertThat(merged(known, with(behind, new Window(1, 15)))).hasSize(2);
  }

  /** The occurrence before the state was not judged, but a later one. */
  @Test
  void stateShownByALaterOccurrenceShouldBeOneMistakeIfRecoveryDoesTheSame() {
    Crash state = at(lost("b", state("cut", 10, FLUSH, Optional.of("1")), "3", NO_HASH, 1), 20);
    Crash later = later(crash("a", "destroy", "1"));

    assertThat(merged(state, later)).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(merged(state, at(later, "recovery hung"))).hasSize(2);
  }

  /** Of the call that made the store, which made another one since. */
  @Test
  void imageInTheCallThatMadeAStoreKnownTooEarlyShouldBeOneMistake() {
    Crash known = later(tooEarly("a", "transfer", "1", "transfer"));
    Crash behind = at(behindStoreOf("transfer", 10, 1, crash("b", "transfer", "2")), 20);

    assertThat(merged(known, behindStoreOf("move", 20, 1, behind))).hasSize(1);
  }

  /** The same with one more store of a function before it. */
  private static Crash behindStoreOf(String function, int line, int thread, Crash crash) {
    List<Timeline.Event> steps =
        new ArrayList<>(crash.evidence().timeline().map(Timeline::steps).orElse(List.of()));
    ImageStore store = store(function, line, FLUSH).store();
    steps.add(
        new Timeline.Event(
            10L + steps.size(),
            thread,
            Timeline.Action.STORE,
            "store",
            Timeline.Fate.PERSISTED,
            store.file(),
            store.offset(),
            store.size(),
            store.bytes(),
            store.stack()));
    return with(crash, withTimeline(crash.evidence(), new Timeline(steps, 0)));
  }

  private static InjectionEvidence withTimeline(InjectionEvidence evidence, Timeline timeline) {
    return new InjectionEvidence(
        evidence.verdict(),
        evidence.failurePointId(),
        evidence.occurrence(),
        evidence.order(),
        evidence.count(),
        evidence.instruction(),
        evidence.stack(),
        evidence.seen(),
        evidence.step(),
        evidence.output(),
        evidence.recoveryStack(),
        evidence.acknowledged(),
        evidence.image(),
        evidence.state(),
        evidence.recoveryCrash(),
        evidence.changes(),
        evidence.replay(),
        Optional.of(timeline),
        Optional.empty());
  }

  private static Crash at(Crash crash, String reason) {
    return new Crash(
        crash.proof(),
        crash.former(),
        crash.evidence(),
        crash.imageHash(),
        crash.ordinal(),
        crash.window(),
        reason);
  }

  private static Crash later(Crash crash) {
    return with(at(crash, 110), new Window(2, 105));
  }

  private static Crash with(Crash crash, Window window) {
    return new Crash(
        crash.proof(),
        crash.former(),
        crash.evidence(),
        crash.imageHash(),
        crash.ordinal(),
        Optional.of(window),
        crash.reason());
  }

  /** Recovery crashes for it here, and complains there. */
  @Test
  void imagesWithTheSameStoreTooEarlyShouldBeOneMistake() {
    assertThat(
            merged(
                tooEarly("a", "commit", "1", "transfer"),
                tooEarly("b", "commit_all", "2", "transfer"),
                tooEarly("c", "commit", "3", "transfer", 20)))
        .extracting(Finding::fingerprint)
        .containsExactly("a", "c");
  }

  /** The power is cut in a function that many call. */
  @Test
  void imagesWithOneFingerprintAndTwoStoresTooEarlyShouldNotJoinTheMistakes() {
    assertThat(
            merged(
                tooEarly("a", "log", "1", "transfer"),
                tooEarly("b", "commit", "2", "transfer", 20),
                tooEarly("a", "log", "3", "transfer", 20)))
        .extracting(Finding::fingerprint)
        .containsExactly("a", "b");
  }

  /** Nodes are freed one by one before the root that leads to them is changed. */
  @Test
  void imagesInTheMiddleOfOneCallThatIsTooEarlyShouldBeOneMistake() {
    Crash first = inCall("a", 1, 63, "is free and in the tree", 64, true);
    Crash second = inCall("b", 2, 63, "has no keys", 64, false, stored("free", 28, 63));
    Crash otherCall = inCall("b", 2, 62, "has no keys", 64, false, stored("free", 28, 62));
    Crash otherStore = inCall("b", 2, 63, "has no keys", 65, false, stored("free", 28, 63));
    Crash more = inCall("b", 2, 63, "has no keys", 64, false, stored("count", 28, 70));
    Crash elsewhere = inCall("c", 2, 61, "is not there", 64, false, stored("free", 28, 63));
    Crash unproved = inCall("a", 1, 63, "is free and in the tree", 64, false);

    assertThat(merged(first, second)).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(merged(first, otherCall)).as("another call").hasSize(2);
    assertThat(merged(first, otherStore)).as("before another store").hasSize(2);
    assertThat(merged(first, more)).as("lacks more than the call").hasSize(2);
    assertThat(merged(first, second, elsewhere)).as("fails elsewhere, too").hasSize(3);
    assertThat(merged(unproved, second)).as("nothing is too early").hasSize(2);
  }

  /** Each of two functions that one line calls sets its flag too early. */
  @Test
  void callsOfOneLineThatAreTooEarlyShouldBeMistakesOfTheirOwn() {
    Crash first = inCall("a", 1, 63, "is not there", 64, true);
    Crash second = inCallOf("clear", "b", 2, 63, "is not there", 64, true);
    Crash again = inCall("c", 3, 63, "has no keys", 64, true);
    Crash sameWindow = inCallOf("clear", "b", 1, 63, "has no keys", 64, true);

    assertThat(merged(first, second)).hasSize(2);
    assertThat(merged(first, second, again))
        .extracting(Finding::fingerprint)
        .containsExactly("a", "b");
    assertThat(merged(first, sameWindow)).hasSize(1);
  }

  private static ImageStore stored(String function, int line, int call) {
    return new ImageStore(
        "pool", 64, 8, "00", List.of(frame(function, line), frame("commit", call), MAIN));
  }

  /** Within a call of commit's, before a store of commit's own. */
  private static Crash inCall(
      String fingerprint,
      int window,
      int call,
      String reason,
      int last,
      boolean isProved,
      ImageStore... rest) {
    return inCallOf("free", fingerprint, window, call, reason, last, isProved, rest);
  }

  private static Crash inCallOf(
      String called,
      String fingerprint,
      int window,
      int call,
      String reason,
      int last,
      boolean isProved,
      ImageStore... rest) {
    List<ImageStore> lacks = new ArrayList<>(List.of(rest));
    lacks.add(new ImageStore("pool", 0, 8, "00", List.of(frame("commit", last), MAIN)));
    ImageStore early = stored(called, called.equals("free") ? 25 : 35, call);
    ImageChanges changes =
        lacking(ImageChanges.UNKNOWN, lacks.toArray(ImageStore[]::new))
            .withTooEarly(
                isProved ? Optional.of(new EarlyStore("the store", early)) : Optional.empty());
    InjectionEvidence made = evidence("free", String.valueOf(window), Optional.empty(), changes);
    InjectionEvidence evidence =
        new InjectionEvidence(
            made.verdict(),
            made.failurePointId(),
            made.occurrence(),
            made.order(),
            made.count(),
            made.instruction(),
            early.stack(),
            made.seen(),
            made.step(),
            made.output(),
            made.recoveryStack(),
            made.acknowledged(),
            made.image(),
            made.state(),
            made.recoveryCrash(),
            changes,
            made.replay(),
            made.timeline(),
            made.lostMetadata());
    Crash crash = crash(fingerprint, "free", String.valueOf(window));
    return new Crash(
        crash.proof(),
        crash.former(),
        evidence,
        Optional.empty(),
        Optional.of(10L * window),
        Optional.of(new Window(window, 10L * window - 5)),
        reason);
  }

  private static Crash at(Crash crash, long ordinal) {
    return new Crash(
        crash.proof(),
        crash.former(),
        crash.evidence(),
        crash.imageHash(),
        Optional.of(ordinal),
        Optional.of(new Window(1, 0)),
        "recovery said no");
  }

  /** Two mistakes beside one flag, which a function sets for all. */
  @Test
  void statesWithoutACauseShouldEachGoToTheCauseOfTheirOwnStore() {
    JudgedState state = state("set_flag", 10, FLUSH, Optional.empty());
    JudgedState.Store flag = involved(store("set_flag", 10, FLUSH));
    JudgedState.Store one = involved(store("put", 20, FLUSH));
    JudgedState.Store other = involved(store("increment", 30, FLUSH));

    List<Finding> findings =
        merged(
            lost("a", state("put", 20, FLUSH, Optional.empty()), "1", NO_HASH, 1),
            lost("b", state("increment", 30, FLUSH, Optional.empty()), "2", NO_HASH, 1),
            lost("both", losing(state, flag, one), "3", NO_HASH, 1),
            lost("both", losing(state, flag, other), "4", NO_HASH, 2));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "b");
    assertThat(findings).extracting(Finding::count).containsExactly(2L, 2L);
  }

  /** Each of two functions sets a flag at the wrong time. */
  @Test
  void storeOfAHelperShouldBeTheSameForOneOfItsCallersOnly() {
    Crash early = tooEarly("a", "commit", "1", "transfer");
    JudgedState state = state("transfer", 10, FLUSH, Optional.empty());
    JudgedState.Store store = state.lost().get(0);
    ImageStore at = store.store();
    List<StackFrame> stack = List.of(frame("transfer", 10), frame("move", 40), MAIN);
    JudgedState ofAnother =
        losing(
            state,
            new JudgedState.Store(
                new ImageStore(at.file(), at.offset(), at.size(), at.bytes(), stack),
                1,
                JudgedState.Missing.FLUSH,
                JudgedState.Role.CAUSE,
                ""));

    assertThat(merged(early, lost("b", ofAnother, "3", NO_HASH, 1)))
        .extracting(Finding::fingerprint)
        .containsExactly("a", "b");
  }

  /** All functions of a library are called by the one function of a driver in another file. */
  @Test
  void functionsOfALibraryShouldBeFindingsOfTheirOwn() {
    List<Finding> findings =
        merged(
            crash("a", "insert", "1"),
            crash("b", "delete", "2"),
            lost("c", "insert", "3"),
            lost("d", "resize", "4"),
            lost("e", "lookup", "5"));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void crashesWithOneFingerprintShouldBeOneFindingThatHoldsAllOfThem() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(crash("a", "update", "1", NO_HASH, 0, "no key 1"));
    merge.add(crash("a", "update", "2", NO_HASH, 5, "no key 2"));
    merge.add(lost("b", "other", "3"));
    merge.addAgain(
        Proof.again("b", new Occurrence(point("4"), 2), List.of(frame("third", 7), MAIN)));
    merge.addAgain(
        Proof.again("b", new Occurrence(point("4"), 3), List.of(frame("third", 7), MAIN)));
    List<Finding> findings = merge.findings();

    assertThat(findings).extracting(Finding::count).containsExactly(2L, 2L);
    assertThat(findings.get(0).proofs())
        .extracting(Proof::failurePointId)
        .containsExactly(point("1"), point("2"));
    assertThat(findings.get(0).evidence()).extracting(Evidence::count).containsExactly(2L);
    assertThat(findings.get(0).formerFingerprints()).containsExactly("former of update");
    assertThat(findings.get(1).proofs())
        .extracting(proof -> proof.failurePointId().value() + " " + proof.occurrence())
        .containsExactly("3 1", "4 2", "4 3");
  }

  @Test
  void crashesOfOneStoreThroughSeveralCallersShouldEachBeEvidence() {
    List<Crash> crashes = new ArrayList<>();
    for (String caller : List.of("put", "get", "put", "remove")) {
      Crash crash = lost("a", "update", "1");
      JudgedState state = crash.evidence().state().orElseThrow();
      JudgedState.Store store = state.lost().get(0);
      ImageStore at = store.store();
      List<StackFrame> stack = List.of(frame("update", 10), frame(caller, 20), MAIN);
      JudgedState other =
          new JudgedState(
              state.id(),
              state.policy(),
              state.fingerprint(),
              List.of(),
              List.of(
                  new JudgedState.Store(
                      new ImageStore(at.file(), at.offset(), at.size(), at.bytes(), stack),
                      1,
                      JudgedState.Missing.FLUSH,
                      JudgedState.Role.CAUSE,
                      "")),
              List.of(),
              true,
              Optional.empty(),
              "",
              Optional.empty(),
              false,
              false,
              0,
              Set.of(),
              Optional.empty(),
              List.of());
      crashes.add(lost("a", other, Integer.toString(crashes.size() + 1), NO_HASH, 1));
    }
    List<Finding> findings = merged(crashes.toArray(Crash[]::new));

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).evidence()).extracting(Evidence::count).containsExactly(2L, 1L, 1L);
    assertThat(findings.get(0).proofs()).hasSize(4);
  }

  @Test
  void whatRecoveryDoesAlikeInOneWindowShouldBeOneFinding() {
    List<Finding> findings =
        merged(
            crash("c", "third", "3", NO_HASH, 0, "lost N keys"),
            crash("a", "first", "1", NO_HASH, 0, "lost N keys"),
            crash("b", "second", "2", NO_HASH, 0, "lost N keys"),
            crash("d", "second", "2", NO_HASH, 0, "crashed in check"),
            crash("e", "fourth", "4", NO_HASH, 1, "lost N keys"));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "d", "e");
    assertThat(findings.get(0).proofs())
        .extracting(Proof::fingerprint)
        .containsExactly("a", "b", "c");
  }

  @Test
  void whatRepeatsInALaterWindowShouldBeTheSameFinding() {
    List<Finding> findings =
        merged(
            crash("a", "first", "1", NO_HASH, 0, "lost N keys"),
            crash("b", "second", "2", NO_HASH, 0, "lost N keys"),
            crash("b", "second", "2", NO_HASH, 1, "lost N keys"),
            crash("c", "third", "3", NO_HASH, 1, "lost N keys"));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(findings.get(0).count()).isEqualTo(3);
  }

  @Test
  void missingFlushThatACrashShowsTooShouldBeOneFindingWithTwoPiecesOfEvidence() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(lost("a", "update", "1"));
    merge.add(pattern("b", PatternKind.NOT_PERSISTED, Severity.BUG, "update", 10, 7));

    Finding only = merge.findings().get(0);
    assertThat(merge.findings()).hasSize(1);
    assertThat(only.kind()).isEqualTo("CRASHED");
    assertThat(only.fingerprint()).isEqualTo("a");
    assertThat(only.count()).isEqualTo(1);
    assertThat(only.evidence()).hasSize(2);
    assertThat(only.patterns()).hasSize(1);
  }

  @Test
  void patternOnAnotherLineOrOfPerformanceShouldStayAFindingOfItsOwn() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(lost("a", "update", "1"));
    merge.add(pattern("b", PatternKind.NOT_PERSISTED, Severity.BUG, "update", 11, 1));
    merge.add(pattern("c", PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE, "update", 10, 1));

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a", "b", "c");
  }

  private static PatternLog.Pattern at(StackFrame innermost, int line, PatternKind kind) {
    PatternLog.Pattern sample = pattern("b", kind, Severity.WARNING, "update", line, 1);
    List<StackFrame> stack = List.of(innermost, frame("update", line), MAIN);
    TraceEvidence seen = sample.evidence();
    return new PatternLog.Pattern(
        "b",
        new TraceEvidence(
            seen.pattern(),
            seen.severity(),
            seen.seen(),
            List.of(new TraceEvidence.Place("store", "mov", stack)),
            seen.count(),
            Optional.empty(),
            "pool",
            64));
  }

  /** A library does much with its own data for a call that also stores what is lost. */
  @ParameterizedTest
  @EnumSource(names = {"DIRTY_OVERWRITE", "MULTI_STORE_FLUSH"})
  void patternOfStatesShouldBePartOfWhatLosesTheSameStore(PatternKind kind) {
    StackFrame same = new StackFrame("memcpy", "", 0, "libc.so.6", "0x9");
    StackFrame other = new StackFrame("", "", 0, "liblog.so.1", "0x7");
    Crash state = lost("a", "update", "1");

    assertThat(with(state, at(same, 10, kind))).containsExactly("a");
    assertThat(with(state, at(other, 10, kind))).containsExactly("a", "b");
    assertThat(with(state, at(same, 11, kind))).containsExactly("a", "b");
    assertThat(with(crash("a", "update", "1"), at(same, 12, kind))).containsExactly("a", "b");
  }

  @Test
  void unorderedFenceShouldBePartOfACrashState() {
    PatternLog.Pattern fence = at(frame("update", 10), 10, PatternKind.UNORDERED_FENCE);
    PatternLog.Pattern behind = at(frame("update", 12), 12, PatternKind.UNORDERED_FENCE);

    assertThat(with(lost("a", "update", "1"), fence)).containsExactly("a");
    assertThat(with(crash("a", "update", "1"), behind)).containsExactly("a", "b");
  }

  private static List<String> with(Crash crash, PatternLog.Pattern pattern) {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(crash);
    merge.add(pattern);
    return merge.findings().stream().map(Finding::fingerprint).toList();
  }

  @Test
  void patternsWithOneFingerprintShouldBeOneFindingWithACount() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(pattern("b", PatternKind.REDUNDANT_FENCE, Severity.PERFORMANCE, "other", 10, 3));
    merge.add(pattern("b", PatternKind.REDUNDANT_FENCE, Severity.PERFORMANCE, "other", 10, 4));

    assertThat(merge.findings()).extracting(Finding::count).containsExactly(7L);
    assertThat(merge.findings().get(0).evidence()).hasSize(2);
    assertThat(merge.findings().get(0).title()).isEqualTo("7 times in 2 ways; the first: seen");
  }

  @Test
  void stateThatProgramOrderLeavesInTheSameWindowShouldBeEvidenceOfThatFinding() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    JudgedState state = state("put", 10, FLUSH, Optional.empty());
    merge.add(crash("a", "update", "1", Optional.of("image"), 1, "no"));
    merge.add(lost("b", state, "2", Optional.of("image"), 1));
    merge.add(lost("c", state, "3", Optional.of("another"), 1));
    merge.add(lost("d", state, "4", Optional.of("image"), 3));
    merge.add(lost("e", state, "5", Optional.of("image"), 0));
    merge.addAgain(Proof.again("b", new Occurrence(point("6"), 1), List.of()));

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("a", "c", "d");
    assertThat(merge.findings()).extracting(Finding::count).containsExactly(4L, 1L, 1L);
    assertThat(merge.findings().get(0).evidence()).hasSize(3);
  }

  /** At one failure point a mistake of program order hides it. */
  @Test
  void whatWasSeenAgainShouldGoToTheFindingThatIsCalledSo() {
    JudgedState state = state("put", 10, FLUSH, Optional.empty());
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(crash("a", "update", "1", Optional.of("image"), 1, "no"));
    merge.add(lost("b", state, "2", Optional.of("image"), 1));
    merge.add(lost("b", state.withAdvice("flush it"), "3", Optional.of("another"), 2));
    merge.addAgain(Proof.again("b", new Occurrence(point("6"), 1), List.of()));

    assertThat(merge.findings())
        .extracting(Finding::fingerprint, Finding::count)
        .containsExactlyInAnyOrder(Tuple.tuple("a", 2L), Tuple.tuple("b", 2L));
  }

  @Test
  void statesOfOneMistakeShouldBeOneFindingInWhateverOrderTheyCome() {
    Crash known = lost("b", state("put", 10, FLUSH, Optional.of("1")), "2", NO_HASH, 2);
    Crash unknown = lost("b", "put", "3");
    Crash shown = crash("a", "update", "1");
    for (List<Crash> order :
        List.of(List.of(shown, known, unknown), List.of(unknown, known, shown))) {
      List<Finding> findings = merged(order.toArray(Crash[]::new));

      assertThat(findings).extracting(Finding::fingerprint).containsExactly("a");
      assertThat(findings.get(0).count()).isEqualTo(3);
      assertThat(findings.get(0).kind()).isEqualTo("CRASHED");
    }
  }

  /** A whole run has the later occurrence as a further proof only. */
  @Test
  void findingOfPartsShouldBeCalledAfterAFirstOccurrence() {
    Crash later = atOccurrence(5, lost("b", "put", "2"));
    Crash first = lost("b", "put", "3");

    List<Finding> findings = merged(later, first);

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).injection().orElseThrow().failurePointId())
        .isEqualTo(first.evidence().failurePointId());
    assertThat(findings.get(0).proofs()).hasSize(2);
  }

  /** Who has no DAX would put a finding aside that begins with what no disk leaves. */
  @Test
  void findingShouldBeCalledAfterWhatADiskLeavesToo() {
    JudgedState state = state("put", 10, FLUSH, Optional.empty());
    Crash torn = lost("b", onDaxOnly(state), "2", NO_HASH, 1);
    Crash onDisk = atOccurrence(5, lost("b", state, "3", NO_HASH, 1));

    List<Finding> findings = merged(torn, onDisk);

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).daxOnly()).isFalse();
    assertThat(findings.get(0).injection().orElseThrow().failurePointId())
        .isEqualTo(onDisk.evidence().failurePointId());
  }

  private static JudgedState onDaxOnly(JudgedState state) {
    return new JudgedState(
        state.id(),
        state.policy(),
        state.fingerprint(),
        state.lines(),
        state.lost(),
        state.arrived(),
        state.smallest(),
        state.shownBefore(),
        state.remedy(),
        state.advice(),
        state.adviceVerified(),
        true,
        state.forgotten(),
        state.traits(),
        state.newName(),
        state.persistedAt());
  }

  /** A helper that stores and persists one word is where all of these lose their store. */
  @Test
  void statesOfOneHelperShouldGoWithTheFindingOfProgramOrderThatShowsThem() {
    List<Finding> findings =
        merged(
            crash("a", "open", "1"),
            crash("b", "move", "2", NO_HASH, 3, "another reason"),
            lost("s", state("set", 51, FLUSH, Optional.of("1")), "3", NO_HASH, 1),
            lost("s", state("set", 52, FLUSH, Optional.of("2")), "4", NO_HASH, 4),
            lost("s", state("set", 52, FLUSH, Optional.empty()), "5", NO_HASH, 5),
            lost("s", state("set", 53, FLUSH, Optional.empty()), "6", NO_HASH, 6));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "b", "s");
    assertThat(findings)
        .extracting(finding -> finding.proofs().stream().map(Proof::failurePointId).toList())
        .containsExactly(
            List.of(point("1"), point("3")),
            List.of(point("2"), point("4"), point("5")),
            List.of(point("6")));
  }

  /** Two callers of a helper make mistakes: what the helper stored then is lost alike. */
  @Test
  void statesThatAreAlikeShouldNotJoinWhatProgramOrderTellsApart() {
    JudgedState first = state("put", 10, ATOMICITY, Optional.of("1"));
    JudgedState second = at(704, state("put", 11, ATOMICITY, Optional.of("2")));

    List<Finding> findings =
        merged(
            crash("x", "open", "1"),
            crash("y", "move", "2", NO_HASH, 3, "another reason"),
            lost("a", arrivedBefore(first, "put", 12), "3", NO_HASH, 1),
            lost("b", arrivedBefore(second, "put", 12), "4", NO_HASH, 4));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("x", "y");
    assertThat(findings).extracting(Finding::count).containsExactly(2L, 2L);
  }

  @Test
  void partsOfWhatHasToPersistAsAWholeShouldBeOneFinding() {
    List<Finding> findings =
        merged(
            lost("a", state("put", 10, ATOMICITY, Optional.empty()), "1", NO_HASH, 1),
            lost("b", state("put", 10, ATOMICITY, Optional.empty()), "2", NO_HASH, 1),
            lost("c", state("put", 11, ATOMICITY, Optional.empty()), "3", NO_HASH, 1),
            lost("d", state("put", 10, FLUSH, Optional.empty()), "4", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "c", "d");
  }

  /** Two operations that forget a snapshot each show it with the flag of one log. */
  @Test
  void storesThatAreTornFromOneFlagShouldBeFindingsOfTheirOwnUnlessTheyAreAlike() {
    JudgedState first = state("put", 10, ATOMICITY, Optional.empty());
    JudgedState inItsLine = state("put", 11, ATOMICITY, Optional.empty());
    JudgedState second = state("get", 12, ATOMICITY, Optional.empty());
    JudgedState flag = state("commit", 20, ATOMICITY, Optional.empty());

    List<Finding> findings =
        merged(
            lost("a", arrivedBefore(first, "commit", 20), "1", NO_HASH, 1),
            lost("b", arrivedBefore(second, "commit", 20), "2", NO_HASH, 1),
            lost("c", arrivedBefore(flag, "get", 12), "3", NO_HASH, 1),
            lost("d", arrivedBefore(inItsLine, "commit", 20), "4", NO_HASH, 1),
            lost("e", arrivedBefore(first, "commit", 21), "5", NO_HASH, 1),
            lost("f", at(704, arrivedBefore(inItsLine, "commit", 20)), "6", NO_HASH, 1));

    assertThat(findings)
        .extracting(finding -> finding.proofs().stream().map(Proof::failurePointId).toList())
        .containsExactlyInAnyOrder(
            List.of(point("1"), point("4"), point("5"), point("6")),
            List.of(point("2"), point("3")));
  }

  /** A record is filled in by one line of a helper, and its caller adds the checksum. */
  @Test
  void whatOneLineStoresInPiecesShouldBeOneFindingWithWhateverItIsTornFrom() {
    JudgedState fields = arrivedBefore(state("fill", 10, ATOMICITY, Optional.empty()), "fill", 10);
    JudgedState sum = arrivedBefore(state("put", 20, ATOMICITY, Optional.empty()), "fill", 10);
    JudgedState other = arrivedBefore(state("put", 20, ATOMICITY, Optional.empty()), "fill", 11);

    assertThat(merged(lost("a", sum, "1", NO_HASH, 1), lost("b", fields, "2", NO_HASH, 1)))
        .hasSize(1);
    assertThat(merged(lost("a", other, "1", NO_HASH, 1), lost("b", fields, "2", NO_HASH, 1)))
        .hasSize(2);
  }

  /** All parts of what one function stores belong together, wherever they are. */
  @Test
  void partsOfOneFunctionShouldBeOneFindingAcrossLines() {
    JudgedState first = state("put", 10, ATOMICITY, Optional.empty());
    JudgedState second = at(704, state("put", 11, ATOMICITY, Optional.empty()));

    List<Finding> near =
        merged(
            lost("a", arrivedBefore(first, "put", 12), "1", NO_HASH, 1),
            lost("b", arrivedBefore(second, "put", 12), "2", NO_HASH, 1));
    List<Finding> apart =
        merged(
            lost("a", arrivedBefore(first, "commit", 20), "1", NO_HASH, 1),
            lost("b", arrivedBefore(second, "commit", 20), "2", NO_HASH, 1));

    assertThat(near).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  /** With what a torn store is there says nothing of what to do. */
  @Test
  void tornStoreShouldBeOneFindingWithWhateverItIsThere() {
    JudgedState torn = torn(state("put", 10, ATOMICITY, Optional.empty()));

    List<Finding> findings =
        merged(
            lost("a", arrivedBefore(torn, "get", 20), "1", NO_HASH, 1),
            lost("b", arrivedBefore(torn, "commit", 30), "2", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a");
  }

  /** Its flag has persisted, so losing all of it is as good as what was there before. */
  @Test
  void storeThatSeemsTornBehindItsFlagShouldBePartOfTheMissingFlush() {
    JudgedState seems = seemsTorn(state("put", 10, ATOMICITY, Optional.empty()));
    JudgedState is = torn(state("put", 10, ATOMICITY, Optional.empty()));
    JudgedState late = state("put", 10, FLUSH, Optional.empty());

    List<Finding> findings =
        merged(
            lost("a", seems, "1", NO_HASH, 1),
            lost("b", late.withAdvice("flush it"), "2", NO_HASH, 1));
    List<Finding> without =
        merged(lost("a", seems, "1", NO_HASH, 1), lost("b", late, "2", NO_HASH, 1));
    List<Finding> apart =
        merged(
            lost("a", is, "1", NO_HASH, 1),
            lost("b", late.withAdvice("flush it"), "2", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("b");
    assertThat(findings.get(0).proofs()).hasSize(2);
    assertThat(without).extracting(Finding::fingerprint).containsExactly("a", "b");
    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  /** All of it is written by one line of a helper, so that each could be a part of the other. */
  @Test
  void storeThatSeemsTornShouldNotHoldTheMissingFlushThatItIsAPartOf() {
    JudgedState seems = seemsTorn(state("write", 10, ATOMICITY, Optional.empty()));
    JudgedState late = state("write", 10, FLUSH, Optional.empty());

    List<Finding> findings =
        merged(
            lost("a", arrivedBefore(seems, "write", 10), "1", NO_HASH, 1),
            lost("b", arrivedBefore(late, "write", 10).withAdvice("flush it"), "2", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("b");
    assertThat(findings.get(0).proofs()).hasSize(2);
  }

  private static JudgedState at(long offset, JudgedState state) {
    JudgedState.Store is = state.lost().get(0);
    ImageStore store = is.store();
    return losing(
        state,
        new JudgedState.Store(
            new ImageStore(store.file(), offset, store.size(), store.bytes(), store.stack()),
            is.thread(),
            is.missing(),
            is.role(),
            is.variable()));
  }

  private static JudgedState torn(JudgedState state) {
    return state.withRemedy("it can be torn", Set.of(JudgedState.Trait.TORN));
  }

  /** What may only come too late. */
  private static JudgedState seemsTorn(JudgedState state) {
    return state.withRemedy(
        "it can be torn", Set.of(JudgedState.Trait.TORN, JudgedState.Trait.MAY_BE_LATE));
  }

  /** At first it only seems that one has to be persisted before the other. */
  @Test
  void storesThatNeedBothOrdersShouldBeOneFindingOfBoth() {
    JudgedState first = state("put", 10, FLUSH, Optional.empty());
    JudgedState both = state("put", 20, ATOMICITY, Optional.empty());

    List<Finding> findings =
        merged(
            lost("a", arrivedBefore(first, "put", 20), "1", NO_HASH, 1),
            lost("b", arrivedBefore(both, "put", 10), "2", NO_HASH, 1),
            lost("a", arrivedBefore(first, "put", 30), "3", NO_HASH, 1),
            lost("c", first, "4", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(findings)
        .filteredOn(finding -> finding.fingerprint().equals("b"))
        .flatExtracting(Finding::proofs)
        .extracting(Proof::failurePointId)
        .containsExactly(point("2"), point("1"));
  }

  /**
   * A page and its checksum are rewritten in place, and the first page looks empty in one order.
   */
  @Test
  void orderOfWhatOneLineStoresInPiecesShouldBePartOfWhatTheyAreTornFrom() {
    JudgedState pieces = arrivedBefore(state("fill", 10, FLUSH, Optional.empty()), "fill", 10);
    JudgedState sum = arrivedBefore(state("put", 20, ATOMICITY, Optional.empty()), "fill", 10);
    JudgedState other = arrivedBefore(state("put", 20, ATOMICITY, Optional.empty()), "fill", 11);

    assertThat(merged(lost("a", pieces, "1", NO_HASH, 1), lost("b", sum, "2", NO_HASH, 1)))
        .extracting(Finding::fingerprint)
        .containsExactly("b");
    assertThat(merged(lost("a", pieces, "1", NO_HASH, 1), lost("b", other, "2", NO_HASH, 1)))
        .extracting(Finding::fingerprint)
        .containsExactlyInAnyOrder("a", "b");
  }

  /** A log entry that is not there yet only hurts since an older store is never flushed. */
  @Test
  void whatIsLostTogetherWithAProvedCauseShouldBePartOfItsFinding() {
    JudgedState.Store log = involved(store("log", 10, ATOMICITY));
    JudgedState.Store known = involved(store("put", 10, FLUSH));
    JudgedState.Store other = involved(store("put", 11, FLUSH));
    JudgedState alone = state("put", 10, FLUSH, Optional.empty());

    List<Finding> findings =
        merged(
            lost("a", losing(alone, log, known), "1", NO_HASH, 1),
            lost("b", alone, "2", NO_HASH, 1),
            lost("c", losing(alone, involved(store("get", 9, ORDER)), other), "3", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("b", "c");
    assertThat(findings.get(0).proofs()).hasSize(2);
  }

  /** An amount is taken before that is logged: later it is the entry's count that is lost, too. */
  @Test
  void whatIsLostTogetherWithAStoreThatComesTooLateShouldBePartOfItsFinding() {
    JudgedState tooLate =
        arrivedBefore(state("transfer", 10, ORDER, Optional.empty()), "transfer", 9);
    JudgedState.Store late = involved(store("transfer", 10, FLUSH));
    JudgedState.Store first = involved(store("transfer", 9, FLUSH));
    JudgedState.Store count = involved(store("log", 30, FLUSH));
    Crash cause = lost("a", tooLate, "1", NO_HASH, 1);

    assertThat(merged(cause, lost("b", losing(tooLate, late, count), "2", NO_HASH, 1)))
        .extracting(Finding::fingerprint)
        .containsExactly("a");
    assertThat(merged(cause, lost("b", losing(tooLate, late, first), "2", NO_HASH, 1))).hasSize(2);
    assertThat(merged(cause, lost("b", losing(tooLate, count), "2", NO_HASH, 1))).hasSize(2);
  }

  /** Two buffers are flushed, and the fence after both is missing. */
  @Test
  void storesOfOneFunctionThatLackTheSameFenceShouldBeOneFinding() {
    JudgedState first = state("put", 10, FENCE, Optional.empty());
    JudgedState second = state("put", 11, FENCE, Optional.empty());
    JudgedState elsewhere = state("get", 12, FENCE, Optional.empty());

    List<Finding> findings =
        merged(
            lost("a", arrivedBefore(first, "put", 20), "1", NO_HASH, 1),
            lost("b", arrivedBefore(second, "put", 20), "2", NO_HASH, 1),
            lost("c", arrivedBefore(second, "put", 30), "3", NO_HASH, 1),
            lost("d", arrivedBefore(elsewhere, "put", 20), "4", NO_HASH, 1),
            lost("e", second, "5", NO_HASH, 1));

    assertThat(findings).extracting(Finding::fingerprint).containsExactly("a", "c", "d", "e");
  }

  /** Each of two branches flushes its buffer, and lacks a fence of its own. */
  @Test
  void storesThatAreNeverInFlightTogetherShouldLackAFenceEach() {
    Crash one =
        lost(
            "a",
            arrivedBefore(state("put", 10, FENCE, Optional.empty()), "put", 20),
            "1",
            NO_HASH,
            1);
    Crash other =
        lost(
            "b",
            arrivedBefore(state("put", 11, FENCE, Optional.empty()), "put", 20),
            "2",
            NO_HASH,
            1);

    List<Finding> apart =
        merged(
            withTimeline(
                one, step(5, Timeline.Fate.PERSISTED, 11), step(6, Timeline.Fate.LOST, 10)),
            withTimeline(other, step(9, Timeline.Fate.LOST, 11)));
    List<Finding> together =
        merged(
            withTimeline(
                one, step(6, Timeline.Fate.LOST, 10), step(7, Timeline.Fate.IN_FLIGHT, 11)),
            withTimeline(other, step(7, Timeline.Fate.LOST, 11)));

    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
  }

  /** What takes a line of its own in one instance shares one in another. */
  @Test
  void instancesOfATemplateShouldLackOneFence() {
    Crash small = unfenced("a", "Log<int>::put", 11, "1");
    Crash large = unfenced("b", "Log<std::array<long, 9>>::put", 10, "2");
    Crash other = unfenced("b", "Queue<int>::put", 10, "2");
    Timeline.Event[] steps = {
      step(6, Timeline.Fate.LOST, 10), step(7, Timeline.Fate.IN_FLIGHT, 11)
    };

    assertThat(
            merged(
                withTimeline(small, step(3, Timeline.Fate.LOST, 11)), withTimeline(large, steps)))
        .extracting(Finding::fingerprint)
        .containsExactly("a");
    assertThat(
            merged(
                withTimeline(small, step(3, Timeline.Fate.LOST, 11)), withTimeline(other, steps)))
        .describedAs("another class")
        .hasSize(2);
    assertThat(
            merged(
                withTimeline(small, step(3, Timeline.Fate.LOST, 11)),
                withTimeline(large, step(6, Timeline.Fate.LOST, 10))))
        .describedAs("another branch")
        .hasSize(2);
    assertThat(merged(small, large)).describedAs("nothing is known").hasSize(2);
  }

  private static Crash unfenced(String fingerprint, String function, int line, String id) {
    JudgedState state = state(function, line, FENCE, Optional.empty());
    return lost(fingerprint, arrivedBefore(state, function, 20), id, NO_HASH, 1);
  }

  /** A drawing has few lines, so it does not show all that is in flight. */
  @Test
  void storesThatAreInFlightTogetherShouldBeOneFindingIfTheDrawingLeavesOneOut() {
    Crash one =
        lost(
            "a",
            arrivedBefore(state("put", 10, FENCE, Optional.empty()), "put", 20),
            "1",
            NO_HASH,
            1);
    Crash other =
        lost(
            "b",
            arrivedBefore(state("put", 11, FENCE, Optional.empty()), "put", 20),
            "2",
            NO_HASH,
            1);
    Timeline.Event last = step(8, Timeline.Fate.IN_FLIGHT, 19);

    List<Finding> together =
        merged(
            withTimeline(one, step(6, Timeline.Fate.LOST, 10), last),
            withTimeline(other, step(7, Timeline.Fate.LOST, 11), last));
    List<Finding> apart =
        merged(
            withTimeline(one, step(6, Timeline.Fate.LOST, 10), last),
            withTimeline(other, step(17, Timeline.Fate.LOST, 11)));

    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  /** What several functions stored is flushed by one loop, and the fence behind it is missing. */
  @Test
  void storesThatOneLoopFlushesShouldLackOneFence() {
    Crash one =
        lost(
            "a",
            arrivedBefore(state("put", 10, FENCE, Optional.empty()), "commit", 20),
            "1",
            NO_HASH,
            1);
    Crash other =
        lost(
            "b",
            arrivedBefore(state("get", 11, FENCE, Optional.empty()), "commit", 20),
            "2",
            NO_HASH,
            1);
    Timeline.Event first = step(6, Timeline.Fate.LOST, 10);
    Timeline.Event second = stepOf("get", 7, Timeline.Fate.LOST, 11);
    Timeline.Event loop = flush(8, frame("commit", 15));

    List<Finding> together =
        merged(
            withTimeline(one, first, stepOf("get", 7, Timeline.Fate.IN_FLIGHT, 11), loop),
            withTimeline(other, second, loop));
    List<Finding> apart =
        merged(
            withTimeline(
                one,
                first,
                stepOf("get", 7, Timeline.Fate.IN_FLIGHT, 11),
                flush(8, frame("write_out", 5), frame("put", 12))),
            withTimeline(other, second, flush(8, frame("write_out", 5), frame("get", 13))));

    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  /** Who commits flushes what is new by a loop, and lacks the fence before the root. */
  @Test
  void storesThatOneLoopFlushesForTwoCallersShouldLackOneFence() {
    JudgedState one = arrivedBefore(state("put", 10, FENCE, Optional.empty()), "commit", 20);
    JudgedState other = arrivedBefore(state("get", 11, FENCE, Optional.empty()), "commit", 20);
    Crash inserted = lost("a", called("insert", one), "1", NO_HASH, 1);
    Crash erased = lost("b", called("erase", other), "2", NO_HASH, 1);
    Timeline.Event first = step(6, Timeline.Fate.LOST, 10);
    Timeline.Event second = stepOf("get", 17, Timeline.Fate.LOST, 11);
    StackFrame loop = frame("flush_all", 5);

    List<Finding> together =
        merged(
            withTimeline(inserted, first, flush(8, loop, frame("commit", 15), frame("insert", 50))),
            withTimeline(erased, second, flush(18, loop, frame("commit", 15), frame("erase", 50))));
    List<Finding> elsewhere =
        merged(
            withTimeline(inserted, first, flush(8, loop, frame("commit", 15), frame("insert", 50))),
            withTimeline(erased, second, flush(18, loop, frame("commit", 16), frame("erase", 50))));
    List<Finding> byCallers =
        merged(
            withTimeline(inserted, first, flush(8, loop, frame("insert", 49))),
            withTimeline(erased, second, flush(18, loop, frame("erase", 49))));

    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(elsewhere).extracting(Finding::fingerprint).containsExactly("a", "b");
    assertThat(byCallers).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  /** A tree is copied by functions that flush, and their caller lacks the fence before the root. */
  @Test
  void storesOfFunctionsThatOneCallsShouldLackOneFence() {
    Crash node = beforeRoot("a", "put", 10, frame("commit", 14));
    Crash split = beforeRoot("b", "get", 11, frame("commit", 15));
    Crash own = beforeRoot("c", "commit", 16);
    Crash ofOther = beforeRoot("b", "get", 11, frame("other", 15));
    Timeline.Event first = step(6, Timeline.Fate.LOST, 10);
    Timeline.Event second = stepOf("get", 7, Timeline.Fate.LOST, 11);
    Timeline.Event third = stepOf("commit", 8, Timeline.Fate.LOST, 16);
    Timeline.Event besideFirst = stepOf("get", 7, Timeline.Fate.IN_FLIGHT, 11);
    Timeline.Event besideSecond = stepOf("commit", 8, Timeline.Fate.IN_FLIGHT, 16);

    assertThat(
            merged(
                withTimeline(node, first, besideFirst),
                withTimeline(split, second, besideSecond),
                withTimeline(own, third)))
        .hasSize(1);
    assertThat(
            merged(
                withTimeline(node, first),
                withTimeline(split, stepOf("get", 17, Timeline.Fate.LOST, 11))))
        .hasSize(2);
    assertThat(merged(withTimeline(node, first, besideFirst), withTimeline(ofOther, second)))
        .hasSize(2);
  }

  /**
   * Data are flushed, and who commits them flushes its log, and lacks the fence before its mark.
   */
  @Test
  void storesOfAFunctionAndOfOneThatItCallsShouldLackOneFence() {
    Crash log = beforeRoot("a", "commit", 18, frame("put", 15));
    Crash data = beforeRoot("b", "put", 10);
    Crash called = with(data, calledFrom(frame("put", 15), data));
    Crash calledLog = with(log, calledFrom(frame("put", 15), log));
    Crash ofOther = with(data, calledFrom(frame("get", 15), data));
    Timeline.Event first = step(6, Timeline.Fate.LOST, 10);
    Timeline.Event second = stepOf("commit", 7, Timeline.Fate.LOST, 18);
    Timeline.Event besideFirst = stepOf("commit", 7, Timeline.Fate.IN_FLIGHT, 18);

    assertThat(merged(withTimeline(calledLog, second), withTimeline(called, first, besideFirst)))
        .hasSize(1);
    assertThat(merged(withTimeline(calledLog, second), withTimeline(ofOther, first, besideFirst)))
        .hasSize(2);
  }

  /** The caller of both stores, too, and the mark is set by a third function. */
  @Test
  void storesOfAFunctionAndOfOneThatItCallsShouldLackOneFenceBeforeAThird() {
    Crash own = before("mark", beforeRoot("a", "append", 10));
    Crash called = before("mark", beforeRoot("b", "stream", 11, frame("append", 12)));
    Crash ofOther = before("mark", beforeRoot("b", "stream", 11, frame("other", 12)));
    Timeline.Event first = stepOf("append", 6, Timeline.Fate.LOST, 10);
    Timeline.Event second = stepOf("stream", 7, Timeline.Fate.LOST, 11);
    Timeline.Event beside = stepOf("stream", 7, Timeline.Fate.IN_FLIGHT, 11);

    assertThat(merged(withTimeline(own, first, beside), withTimeline(called, second))).hasSize(1);
    assertThat(merged(withTimeline(own, first, beside), withTimeline(ofOther, second))).hasSize(2);
    assertThat(merged(withTimeline(own, first), withTimeline(called, second))).hasSize(2);
  }

  private static Crash before(String function, Crash crash) {
    JudgedState state = crash.evidence().state().orElseThrow();
    JudgedState.Store there =
        at(state.arrived().get(0), List.of(frame(function, 20), frame("append", 13), MAIN));
    JudgedState changed = with(state, state.lost(), List.of(there));
    return lost(crash.fingerprint(), changed, "1", NO_HASH, 1);
  }

  /** With the store that is there too early made by who was called so. */
  private static InjectionEvidence calledFrom(StackFrame caller, Crash crash) {
    JudgedState state = crash.evidence().state().orElseThrow();
    JudgedState.Store there = state.arrived().get(0);
    List<StackFrame> calls = List.of(there.store().stack().get(1), caller, MAIN);
    JudgedState changed = with(state, state.lost(), List.of(at(there, calls)));
    return lost(
            crash.fingerprint(),
            changed,
            "1" + state.lost().get(0).store().stack().get(0).line(),
            NO_HASH,
            1)
        .evidence();
  }

  private static Crash beforeRoot(
      String fingerprint, String function, int line, StackFrame... callers) {
    JudgedState alone = arrivedBefore(state(function, line, FENCE, Optional.empty()), "commit", 20);
    List<StackFrame> calls = new ArrayList<>(List.of(frame(function, line)));
    calls.addAll(List.of(callers));
    calls.add(MAIN);
    JudgedState state = with(alone, List.of(at(alone.lost().get(0), calls)), alone.arrived());
    return lost(fingerprint, state, String.valueOf(line), NO_HASH, 1);
  }

  private static JudgedState.Store at(JudgedState.Store one, List<StackFrame> calls) {
    ImageStore store = one.store();
    return new JudgedState.Store(
        new ImageStore(store.file(), store.offset(), store.size(), store.bytes(), calls),
        one.thread(),
        one.missing(),
        one.role(),
        one.variable());
  }

  private static JudgedState called(String caller, JudgedState state) {
    JudgedState.Store there = state.arrived().get(0);
    List<StackFrame> calls = List.of(there.store().stack().get(1), frame(caller, 50), MAIN);
    return with(state, state.lost(), List.of(at(there, calls)));
  }

  /** A function that lacks a fence is inlined into two callers. */
  @Test
  void storesThatLackTheSameFenceForTwoCallersShouldBeOneFinding() {
    JudgedState first = arrivedBefore(state("put", 10, FENCE, Optional.empty()), "put", 20);
    JudgedState second = arrivedBefore(state("put", 11, FENCE, Optional.empty()), "put", 20);
    JudgedState later = arrivedBefore(state("put", 11, FENCE, Optional.empty()), "get", 20);

    assertThat(
            merged(
                lost("a", called("once", first), "1", NO_HASH, 1),
                lost("b", called("twice", second), "2", NO_HASH, 1)))
        .extracting(Finding::fingerprint)
        .containsExactly("a");
    assertThat(
            merged(
                lost("a", called("once", first), "1", NO_HASH, 1),
                lost("b", called("twice", later), "2", NO_HASH, 1)))
        .extracting(Finding::fingerprint)
        .containsExactly("a", "b");
  }

  /** Another mistake hides what relies on the second of two stores that one call flushed. */
  @Test
  void storeThatLacksAKnownFenceShouldBePartOfItsFinding() {
    Crash known =
        withTimeline(
            lost(
                "a",
                arrivedBefore(state("put", 10, FENCE, Optional.empty()), "put", 20),
                "1",
                NO_HASH,
                1),
            step(6, Timeline.Fate.LOST, 10),
            step(7, Timeline.Fate.IN_FLIGHT, 11),
            flush(8, frame("put", 12)));
    Crash hidden = lost("b", state("put", 11, FENCE, Optional.empty()), "2", NO_HASH, 1);

    List<Finding> together =
        merged(
            withTimeline(hidden, step(7, Timeline.Fate.LOST, 11), flush(8, frame("put", 12))),
            known);
    List<Finding> apart =
        merged(
            withTimeline(hidden, step(7, Timeline.Fate.LOST, 11), flush(8, frame("put", 13))),
            known);

    Crash later =
        lost(
            "b",
            arrivedBefore(state("put", 11, FENCE, Optional.empty()), "put", 21),
            "3",
            NO_HASH,
            1);
    List<Finding> withLater =
        merged(
            known,
            withTimeline(later, step(9, Timeline.Fate.LOST, 11), flush(10, frame("put", 12))));

    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(withLater).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(apart).extracting(Finding::fingerprint).containsExactlyInAnyOrder("a", "b");
  }

  /** The target has answered too early: no store did harm. */
  @Test
  void storesThatOneCallFlushedBeforeTheSameAnswerShouldLackOneFence() {
    Crash one =
        withTimeline(
            lost("a", state("put", 10, FENCE, Optional.empty()), "1", NO_HASH, 1),
            step(6, Timeline.Fate.LOST, 10),
            flush(8, frame("put", 12)));
    Crash other = lost("b", state("put", 11, FENCE, Optional.empty()), "1", NO_HASH, 1);
    Crash elsewhere = lost("b", state("put", 11, FENCE, Optional.empty()), "2", NO_HASH, 1);
    Timeline.Event step = step(7, Timeline.Fate.LOST, 11);

    assertThat(merged(one, withTimeline(other, step, flush(8, frame("put", 12))))).hasSize(1);
    assertThat(merged(one, withTimeline(other, step, flush(8, frame("put", 13))))).hasSize(2);
    assertThat(merged(one, withTimeline(elsewhere, step, flush(8, frame("put", 12))))).hasSize(2);
  }

  private static Timeline.Event flush(long ordinal, StackFrame... calls) {
    List<StackFrame> stack = new ArrayList<>(List.of(calls));
    stack.add(MAIN);
    return new Timeline.Event(
        ordinal, 1, Timeline.Action.FLUSH, "clwb", Timeline.Fate.NONE, "pool", 64, 0, "", stack);
  }

  /** A function fills in an entry of one line, and the flush after that is missing. */
  @Test
  void storesOfOneFunctionToOneLineThatLackAFlushShouldBeOneFinding() {
    Crash first = lost("a", state("put", 10, FLUSH, Optional.empty()), "1", NO_HASH, 1);
    Crash second = lost("b", state("put", 11, FLUSH, Optional.empty()), "2", NO_HASH, 1);
    Timeline.Event alone = step(9, Timeline.Fate.LOST, 11);

    List<Finding> together =
        merged(
            withTimeline(
                first, step(6, Timeline.Fate.LOST, 10), step(7, Timeline.Fate.IN_FLIGHT, 11)),
            withTimeline(second, alone));
    List<Finding> apart =
        merged(
            withTimeline(
                first,
                step(6, Timeline.Fate.LOST, 10),
                fence(7),
                step(8, Timeline.Fate.IN_FLIGHT, 11)),
            withTimeline(second, alone));
    List<Finding> persisted =
        merged(
            withTimeline(
                first,
                step(5, Timeline.Fate.PERSISTED, 11),
                fence(6),
                step(7, Timeline.Fate.LOST, 10)),
            withTimeline(second, alone));

    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
    assertThat(together.get(0).proofs()).hasSize(2);
    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
    assertThat(persisted).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  private static JudgedState notSynchronised(int line) {
    return state("put", line, FLUSH, Optional.empty())
        .withRemedy(
            "line " + line + " is synchronised too late",
            Set.of(JudgedState.Trait.NOT_SYNCHRONISED));
  }

  /** One call of msync is missing between a record of several lines and its mark. */
  @Test
  void storesOfOneFunctionThatLackTheSameCallShouldBeOneFinding() {
    Crash first = lost("a", arrivedBefore(notSynchronised(10), "put", 20), "1", NO_HASH, 1);
    Crash second = lost("b", arrivedBefore(notSynchronised(11), "put", 20), "2", NO_HASH, 1);
    Crash before = lost("b", arrivedBefore(notSynchronised(11), "put", 30), "2", NO_HASH, 1);
    Timeline.Event early = step(6, Timeline.Fate.LOST, 10);
    Timeline.Event late = inNextLine(step(7, Timeline.Fate.LOST, 11));
    Timeline.Event besideEarly = inNextLine(step(7, Timeline.Fate.IN_FLIGHT, 11));

    List<Finding> together =
        merged(withTimeline(first, early, besideEarly), withTimeline(second, late));
    List<Finding> branches =
        merged(withTimeline(first, early), withTimeline(second, step(17, Timeline.Fate.LOST, 11)));
    List<Finding> otherMark =
        merged(withTimeline(first, early, besideEarly), withTimeline(before, late));

    assertThat(together).hasSize(1);
    assertThat(together.get(0).title()).startsWith("line 11 ");
    assertThat(branches).hasSize(2);
    assertThat(otherMark).hasSize(2);
  }

  /** What three functions wrote to a file is not synchronised before the mark of a fourth one. */
  @Test
  void whatFunctionsWroteToOneFileShouldBeOneFindingIfOneOfThemIsAlwaysLast() {
    Crash put = lost("a", beforeMark(written(state("put", 10, FLUSH, Optional.empty()))), "1");
    Crash name = lost("b", beforeMark(written(state("name", 11, FLUSH, Optional.empty()))), "2");
    Crash mapped = lost("b", beforeMark(mapped(state("name", 11, FLUSH, Optional.empty()))), "2");
    Crash followed = followedBy("name", 11, put);
    Crash alone = lost("a", state(put), "3");

    List<Finding> together = merged(followed, name);

    assertThat(together).hasSize(1);
    assertThat(together.get(0).title()).startsWith("line 11 is written");
    assertThat(merged(followed, mapped)).hasSize(2);
    assertThat(merged(followed, alone, name)).hasSize(2);
    assertThat(merged(put, name)).hasSize(2);
  }

  /** Of what one of them wrote, program order shows another mistake, too. */
  @Test
  void whatIsFixedBySynchronisationShouldNotBePartOfWhatProgramOrderShows() {
    Crash inOrder = crash("c", "commit", "9");
    Crash put = lost("a", beforeMark(written(state("put", 10, FLUSH, Optional.of("9")))), "1");
    Crash name = lost("b", beforeMark(written(state("name", 11, FLUSH, Optional.empty()))), "2");
    Crash fixed = lost("b", state(name).withAdvice("call fsync"), "2");

    assertThat(merged(inOrder, followedBy("name", 11, put), fixed))
        .extracting(Finding::fingerprint)
        .containsExactlyInAnyOrder("b", "c");
    assertThat(merged(inOrder, followedBy("name", 11, put), name)).hasSize(1);
  }

  private static Crash followedBy(String function, int line, Crash crash) {
    List<List<StackFrame>> written = List.of(List.of(frame(function, line), MAIN));
    return with(crash, new Timeline(List.of(), 0, List.of(), written, List.of()));
  }

  private static Crash lost(String fingerprint, JudgedState state, String id) {
    return lost(fingerprint, state, id, NO_HASH, 1);
  }

  private static JudgedState state(Crash crash) {
    return crash.evidence().state().orElseThrow();
  }

  private static JudgedState beforeMark(JudgedState state) {
    return arrivedBefore(state, "commit", 20);
  }

  private static JudgedState written(JudgedState state) {
    return state.withRemedy(
        "line %d is written".formatted(state.lost().get(0).store().stack().get(1).line()),
        Set.of(JudgedState.Trait.NOT_SYNCHRONISED, JudgedState.Trait.WRITTEN));
  }

  private static JudgedState mapped(JudgedState state) {
    return state.withRemedy("it is mapped", Set.of(JudgedState.Trait.NOT_SYNCHRONISED));
  }

  /** A commit stores its mark, and then synchronises what others have written. */
  @Test
  void storesThatOneCallPersistsBehindItsOwnStoreShouldBeOneFinding() {
    StackFrame sync = frame("sync", 5);
    List<StackFrame> late = List.of(sync, frame("commit", 30), MAIN);
    List<StackFrame> ofAnother = List.of(sync, frame("checkpoint", 40), MAIN);
    List<StackFrame> elsewhere = List.of(sync, frame("commit", 50), MAIN);
    JudgedState first = arrivedBefore(notSynchronised(10), "commit", 20).persistedAt(late);
    JudgedState second = arrivedBefore(state("remove", 15, FLUSH, Optional.empty()), "commit", 20);

    assertThat(merged(first, second.persistedAt(late))).hasSize(1);
    assertThat(merged(first, second.persistedAt(ofAnother))).hasSize(2);
    assertThat(merged(first, second.persistedAt(elsewhere))).hasSize(2);
    assertThat(merged(first.persistedAt(ofAnother), second.persistedAt(ofAnother))).hasSize(2);
    assertThat(merged(first, second)).hasSize(2);
  }

  /** It clears its log, and then flushes what it stored under the log, one by one. */
  @Test
  void storesOfOneCallThatItPersistsBehindItsOwnStoreShouldBeOneFinding() {
    JudgedState first = state("transfer", 10, FLUSH, Optional.empty());
    JudgedState second = state("transfer", 11, FLUSH, Optional.empty());
    List<StackFrame> one = List.of(frame("flush", 5), frame("transfer", 30), MAIN);
    List<StackFrame> other = List.of(frame("flush", 5), frame("transfer", 31), MAIN);

    assertThat(
            merged(
                arrivedBefore(first, "transfer", 20).persistedAt(one),
                arrivedBefore(second, "transfer", 20).persistedAt(other)))
        .hasSize(1);
    assertThat(
            merged(
                arrivedBefore(first, "transfer", 20).persistedAt(one),
                arrivedBefore(second, "transfer", 21).persistedAt(other)))
        .hasSize(2);
  }

  private static List<Finding> merged(JudgedState one, JudgedState other) {
    return merged(lost("a", one, "1", NO_HASH, 1), lost("b", other, "2", NO_HASH, 1));
  }

  private static JudgedState beforeName(int line, String newName) {
    return notSynchronised(line).withAdvice("call fsync before " + newName, Optional.of(newName));
  }

  /** A file is written in two steps, and not synchronised before the rename. */
  @Test
  void storesOfOneFunctionThatLackACallBeforeTheSameRenameShouldBeOneFinding() {
    Crash first = lost("a", beforeName(10, "the rename to set"), "1", NO_HASH, 1);
    Crash second = lost("b", beforeName(11, "the rename to set"), "2", NO_HASH, 1);
    Crash other = lost("b", beforeName(11, "the rename to log"), "2", NO_HASH, 1);
    Crash told =
        lost("b", notSynchronised(11).withAdvice("call fsync before it is told"), "2", NO_HASH, 1);

    assertThat(merged(first, second)).hasSize(1);
    assertThat(merged(first, other)).hasSize(2);
    assertThat(merged(first, told)).hasSize(2);
  }

  private static JudgedState tooLate(JudgedState state, int line) {
    return state.persistedAt(
        List.of(new StackFrame("msync", "", 0, "libc.so.6", "0x9"), frame("commit", line)));
  }

  /** A log is deleted between two stores that it protects, and both are synchronised then. */
  @Test
  void storesThatOneCallSynchronisesBehindOneChangeShouldBeOneFinding() {
    Crash before = lost("a", tooLate(beforeName(10, "log is removed"), 20), "1", NO_HASH, 1);
    Crash behind = lost("b", tooLate(notSynchronised(11), 20), "2", NO_HASH, 1);
    Crash elsewhere = lost("b", tooLate(notSynchronised(11), 21), "2", NO_HASH, 1);
    Crash other = lost("b", tooLate(beforeName(11, "mark is removed"), 20), "2", NO_HASH, 1);
    Crash told =
        lost(
            "b",
            tooLate(notSynchronised(11).withAdvice("call fsync before it is told"), 20),
            "2",
            NO_HASH,
            1);

    assertThat(merged(before, behind)).hasSize(1);
    assertThat(merged(behind, lost("c", tooLate(notSynchronised(12), 20), "3", NO_HASH, 1)))
        .hasSize(2);
    assertThat(merged(before, elsewhere)).hasSize(2);
    assertThat(merged(before, other)).hasSize(2);
    assertThat(merged(before, told)).hasSize(2);
  }

  /** Entries move from line to line, and one is put beside the last of them: two flushes. */
  @Test
  void storeThatIsAlsoLostWithoutTheOtherShouldLackAFlushOfItsOwn() {
    JudgedState moved = state("put", 10, FLUSH, Optional.empty());
    Crash beside = lost("a", moved, "1", NO_HASH, 1);
    Crash without = lost("a", moved, "2", NO_HASH, 1);
    Crash put = lost("b", state("put", 11, FLUSH, Optional.empty()), "3", NO_HASH, 1);
    Timeline.Event first = step(6, Timeline.Fate.LOST, 10);
    Timeline.Event then = step(7, Timeline.Fate.IN_FLIGHT, 11);
    Timeline.Event before = step(5, Timeline.Fate.IN_FLIGHT, 10);
    Timeline.Event alone = step(9, Timeline.Fate.LOST, 11);

    List<Finding> apart =
        merged(
            withTimeline(beside, first, then),
            withTimeline(without, first),
            withTimeline(put, before, alone));
    List<Finding> together =
        merged(withTimeline(beside, first, then), withTimeline(put, before, alone));

    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
    assertThat(together).extracting(Finding::fingerprint).containsExactly("a");
  }

  /** What is there too early came before the place behind which a flush could be for both. */
  @Test
  void flushBehindWhatIsThereTooEarlyShouldNotBeTheSame() {
    Crash first = lost("a", state("put", 10, FLUSH, Optional.empty()), "1", NO_HASH, 1);
    Crash second = lost("b", state("put", 11, FLUSH, Optional.empty()), "2", NO_HASH, 1);

    List<Finding> apart =
        merged(
            withTimeline(
                first,
                step(6, Timeline.Fate.LOST, 10),
                step(7, Timeline.Fate.EARLY, 20),
                step(8, Timeline.Fate.IN_FLIGHT, 11)),
            withTimeline(second, step(8, Timeline.Fate.LOST, 11)));

    assertThat(apart).extracting(Finding::fingerprint).containsExactly("a", "b");
  }

  /** No snapshot covers two words of one line, so nothing flushes them either. */
  @Test
  void storeBesideOneThatIsTooEarlyShouldBeThatMistake() {
    Crash early = tooEarly("a", "open", "1", "put");
    JudgedState unflushed = state("put", 11, FLUSH, Optional.empty()).withAdvice("flush it");
    Timeline.Event first = step(6, Timeline.Fate.IN_FLIGHT, 10);
    Timeline.Event second = step(8, Timeline.Fate.LOST, 11);
    Crash lost = lost("b", unflushed, "2", NO_HASH, 1);
    Crash fenced =
        lost("b", state("put", 11, FENCE, Optional.empty()).withAdvice("x"), "2", NO_HASH, 1);

    assertThat(merged(early, withTimeline(lost, first, second)))
        .extracting(Finding::fingerprint)
        .containsExactly("a");
    assertThat(merged(early, withTimeline(lost, first, second), withTimeline(lost, second)))
        .extracting(Finding::fingerprint)
        .containsExactly("a");
    assertThat(merged(early, withTimeline(lost, first, fence(7), second)))
        .extracting(Finding::fingerprint)
        .containsExactlyInAnyOrder("a", "b");
    assertThat(merged(early, withTimeline(fenced, first, second)))
        .extracting(Finding::fingerprint)
        .containsExactlyInAnyOrder("a", "b");
  }

  private static Timeline.Event fence(long ordinal) {
    Timeline.Event store = step(ordinal, Timeline.Fate.NONE, 12);
    return new Timeline.Event(
        ordinal,
        1,
        Timeline.Action.FENCE,
        "sfence",
        Timeline.Fate.NONE,
        "",
        0,
        0,
        "",
        store.stack());
  }

  private static Timeline.Event step(long ordinal, Timeline.Fate fate, int line) {
    return stepOf("put", ordinal, fate, line);
  }

  private static Timeline.Event stepOf(
      String function, long ordinal, Timeline.Fate fate, int line) {
    return new Timeline.Event(
        ordinal,
        1,
        Timeline.Action.STORE,
        "mov",
        fate,
        "pool",
        64,
        8,
        "01",
        List.of(frame(function, line), MAIN));
  }

  /** One flush behind the last store to an object of several lines is missing. */
  @Test
  void whatTheSameCallStoredToARunOfLinesShouldLackOneFlush() {
    Crash first = lost("a", state("put", 10, FLUSH, Optional.empty()), "1", NO_HASH, 1);
    Crash last = lost("b", state("seal", 5, FLUSH, Optional.empty()), "2", NO_HASH, 2);
    Crash unlike = lost("a", state("put", 10, FLUSH, Optional.empty()), "3", NO_HASH, 3);
    Timeline.Event step = step(1, Timeline.Fate.LOST, 10);
    List<StackFrame> called = List.of(frame("seal", 5), frame("put", 14), MAIN);
    List<StackFrame> beside = List.of(frame("seal", 5), MAIN);

    assertThat(merged(withBehind(first, step, List.of(called)), last)).hasSize(1);
    assertThat(merged(withBehind(first, step, List.of(beside)), last)).hasSize(2);
    assertThat(
            merged(
                withBehind(first, step, List.of(called)),
                last,
                withBehind(unlike, step, List.of())))
        .hasSize(2);
  }

  /** What follows is known of the recorded order of threads alone. */
  @Test
  void otherOrderOfThreadsShouldNotSeparateWhatOneCallStored() {
    Crash first = lost("a", state("put", 10, FLUSH, Optional.empty()), "1", NO_HASH, 1);
    Crash last = lost("b", state("put", 14, FLUSH, Optional.empty()), "2", NO_HASH, 2);
    Timeline.Event step = step(1, Timeline.Fate.LOST, 10);
    Crash recorded = withBehind(first, step, List.of(List.of(frame("put", 14), MAIN)));
    Crash held = inOrder(1, first);

    assertThat(merged(recorded, last, held)).hasSize(1);
    assertThat(merged(held, last, recorded)).hasSize(1);
    assertThat(merged(recorded, last, inOrder(0, first))).hasSize(2);
  }

  private static Crash inOrder(int order, Crash crash) {
    InjectionEvidence is = crash.evidence();
    InjectionEvidence evidence =
        new InjectionEvidence(
            is.verdict(),
            is.failurePointId(),
            is.occurrence(),
            order,
            is.count(),
            is.instruction(),
            is.stack(),
            is.seen(),
            is.step(),
            is.output(),
            is.recoveryStack(),
            is.acknowledged(),
            is.image(),
            is.state(),
            is.recoveryCrash(),
            is.changes(),
            is.replay(),
            is.timeline(),
            Optional.empty());
    return with(crash, evidence);
  }

  /** The same in the line behind it. */
  private static Timeline.Event inNextLine(Timeline.Event step) {
    return new Timeline.Event(
        step.ordinal(),
        step.thread(),
        step.kind(),
        step.instruction(),
        step.fate(),
        step.file(),
        step.offset() + 64,
        step.size(),
        step.bytes(),
        step.stack());
  }

  /** The next store is there too early. */
  private static Crash withTimeline(Crash crash, Timeline.Event... before) {
    List<Timeline.Event> steps = new ArrayList<>(List.of(before));
    steps.add(step(before[before.length - 1].ordinal() + 1, Timeline.Fate.EARLY, 20));
    return with(crash, new Timeline(steps, 0));
  }

  @Test
  void storesThatOneFlushMissesShouldBeOneMistake() {
    Crash put = lost("a", state("put", 10, FLUSH, Optional.empty()), "1", NO_HASH, 1);
    Crash copy = lost("b", state("copy", 20, FLUSH, Optional.empty()), "2", NO_HASH, 2);
    Crash missed = withShortFlush(put, frame("node_flush", 42), MAIN);

    assertThat(merged(missed, withShortFlush(copy, frame("node_flush", 42), MAIN))).hasSize(1);
    assertThat(merged(missed, withShortFlush(copy, frame("node_flush", 43), MAIN))).hasSize(2);
    assertThat(merged(missed, copy)).hasSize(2);
  }

  /** Where the source is not known, the size may come from them. */
  @Test
  void callersOfWhatFlushesTooLittleShouldBeDifferentMistakes() {
    Crash put = lost("a", state("put", 10, FLUSH, Optional.empty()), "1", NO_HASH, 1);
    Crash copy = lost("b", state("copy", 20, FLUSH, Optional.empty()), "2", NO_HASH, 2);
    Crash missed = withShortFlush(put, frame("flush_some", 42), frame("one", 5), MAIN);
    StackFrame other = frame("other", 6);

    assertThat(merged(missed, withShortFlush(copy, frame("flush_some", 42), other, MAIN)))
        .hasSize(2);
  }

  private static Crash withShortFlush(Crash crash, StackFrame... flush) {
    return with(crash, new Timeline(List.of(), 0).withShortFlush(List.of(flush)));
  }

  /** Others stored to the same run of lines after it. */
  private static Crash withBehind(Crash crash, Timeline.Event step, List<List<StackFrame>> behind) {
    return with(crash, new Timeline(List.of(step), 0, behind, List.of(), List.of()));
  }

  private static Crash with(Crash crash, Timeline timeline) {
    InjectionEvidence is = crash.evidence();
    InjectionEvidence evidence =
        new InjectionEvidence(
            is.verdict(),
            is.failurePointId(),
            is.occurrence(),
            is.order(),
            is.count(),
            is.instruction(),
            is.stack(),
            is.seen(),
            is.step(),
            is.output(),
            is.recoveryStack(),
            is.acknowledged(),
            is.image(),
            is.state(),
            is.recoveryCrash(),
            is.changes(),
            is.replay(),
            Optional.of(timeline),
            Optional.empty());
    return with(crash, evidence);
  }

  @Test
  void whatToMendFirstShouldComeFirst() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(pattern("warning", PatternKind.DIRTY_OVERWRITE, Severity.WARNING, "a", 1, 99));
    merge.add(pattern("seldom", PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE, "b", 1, 2));
    merge.add(pattern("often", PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE, "c", 1, 20));
    merge.add(pattern("lost", PatternKind.NOT_PERSISTED, Severity.BUG, "d", 1, 100));
    merge.add(crash("crash", "update", "1"));

    assertThat(FindingMerge.sorted(merge.findings()))
        .extracting(Finding::fingerprint)
        .containsExactly("crash", "lost", "often", "seldom", "warning");
  }

  @Test
  void acceptedFindingsShouldComeLast() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(crash("crash", "update", "1"));
    merge.add(pattern("warning", PatternKind.DIRTY_OVERWRITE, Severity.WARNING, "a", 1, 1));
    List<Finding> findings = merge.findings();
    Finding accepted =
        findings.get(0).judged(false, Optional.of(new Acceptance("known", "2026-01-31")));

    assertThat(FindingMerge.sorted(List.of(accepted, findings.get(1))))
        .extracting(Finding::fingerprint)
        .containsExactly("warning", "crash");
  }

  @Test
  void provedCauseShouldComeInFrontOfWhatIsOnlyInvolved() {
    JudgedState cause = state("cause", 10, FLUSH, Optional.empty());
    JudgedState.Store lost = store("involved", 20, FLUSH);
    JudgedState.Store involvedStore =
        new JudgedState.Store(
            lost.store(), lost.thread(), lost.missing(), JudgedState.Role.INVOLVED, "");
    JudgedState involved =
        new JudgedState(
            cause.id(),
            cause.policy(),
            cause.fingerprint(),
            List.of(),
            List.of(involvedStore),
            List.of(),
            true,
            Optional.empty(),
            "is involved",
            Optional.empty(),
            false,
            false,
            0,
            Set.of(),
            Optional.empty(),
            List.of());

    assertThat(
            FindingMerge.sorted(
                merged(
                    lost("1-involved", involved, "1", NO_HASH, 1),
                    lost("2-cause", cause, "2", NO_HASH, 2))))
        .extracting(Finding::fingerprint)
        .containsExactly("2-cause", "1-involved");
  }

  private static RaceLog.Found race(String fingerprint, Optional<Occurrence> tried) {
    return new RaceLog.Found(fingerprint, SampleRuns.race("consequence", 10, 30, 20, tried));
  }

  /** A state that lost the store of {@link #race}, in which recovery failed at the occurrence 1. */
  private static Crash raced(String id) {
    StackFrame put = new StackFrame("put", "/src/map.c", 30, "map_workload", "0x1030");
    JudgedState state = state("put", 30, FLUSH, Optional.empty());
    ImageStore lost = state.lost().get(0).store();
    return lost(
        "raced",
        new JudgedState(
            state.id(),
            state.policy(),
            state.fingerprint(),
            state.lines(),
            List.of(
                new JudgedState.Store(
                    new ImageStore(
                        lost.file(), lost.offset(), lost.size(), lost.bytes(), List.of(put)),
                    2,
                    JudgedState.Missing.FLUSH,
                    JudgedState.Role.CAUSE,
                    "")),
            List.of(),
            true,
            Optional.empty(),
            "flush it",
            Optional.empty(),
            false,
            false,
            0,
            Set.of(),
            Optional.empty(),
            List.of()),
        id,
        NO_HASH,
        1);
  }

  @Test
  void raceShouldBePartOfTheBugThatRecoveryShowedWhereItWasTried() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(raced("7"));
    merge.add(race("r", Optional.of(new Occurrence(point("7"), 1))));

    Finding bug = merge.findings().get(0);

    assertThat(merge.findings()).hasSize(1);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.races()).hasSize(1);
  }

  @Test
  void raceShouldBePartOfTheBugThatShowsOnceItsReaderHasDoneMore() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(raced("7"));
    RaceLog.Found race = race("r", Optional.empty());
    merge.add(
        new RaceLog.Found(
            "r",
            race.evidence()
                .triedAt(List.of(new Occurrence(point("8"), 1), new Occurrence(point("7"), 1)))
                .triedAt(Optional.of(new Occurrence(point("8"), 1)))));

    assertThat(merge.findings()).hasSize(1);
    assertThat(merge.findings().get(0).races()).hasSize(1);
  }

  @Test
  void bugOfARaceShouldSayWhatToDoAboutTheRaceInsteadOfOtherAdvice() {
    Crash advised = raced("7");
    JudgedState state = advised.evidence().state().orElseThrow().withAdvice("add a flush");
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(lost("raced", state, "7", NO_HASH, 1));
    merge.add(race("r", Optional.of(new Occurrence(point("7"), 1))));
    merge.add(race("another", Optional.of(new Occurrence(point("7"), 1))));

    Finding bug = merge.findings().get(0);

    assertThat(bug.races()).hasSize(2);
    assertThat(bug.title())
        .isEqualTo(
            "flush it: persist it before mutex 0x40 is released, which the reader holds, too");
    assertThat(bug.injection().orElseThrow().title()).isEqualTo(bug.title());
    assertThat(bug.fingerprint()).isEqualTo("raced");
  }

  /**
   * Its own thread made the store that persisted too early, so its lock has nothing to do with it.
   */
  @Test
  void bugWithinOneThreadShouldKeepItsOwnAdvice() {
    JudgedState state = raced("7").evidence().state().orElseThrow();
    JudgedState.Store lost = state.lost().get(0);
    JudgedState ofOneThread = with(state, state.lost(), List.of(lost));
    JudgedState ofTwo = with(state, state.lost(), List.of(store("get", 20, FLUSH)));

    assertThat(titleOfRaced(ofOneThread)).isEqualTo("flush it");
    assertThat(titleOfRaced(ofTwo)).contains("before mutex 0x40 is released");
  }

  /**
   * Nothing is to be added in the writer: what is missing is a lock, or a flush of the reader's.
   */
  @Test
  void bugOfARaceWithoutACommonLockShouldSayHowToKeepTheReaderAway() {
    JudgedState state = raced("7").evidence().state().orElseThrow();
    PersistencyRace race = race("r", Optional.of(new Occurrence(point("7"), 1))).evidence();
    PersistencyRace.Step reader = new PersistencyRace.Step(3, 50, race.load().stack(), List.of());
    PersistencyRace.Step free = new PersistencyRace.Step(2, 30, race.store().stack(), List.of());

    assertThat(titleOfRaced(state, with(race, race.store(), race.store(), reader)))
        .isEqualTo(
            "flush it: let the reader take mutex 0x40, which the writer holds until the store is"
                + " persisted, or let the reader persist what it loaded before it acts on it");
    assertThat(titleOfRaced(state, with(race, free, free, reader)))
        .startsWith("flush it: let both threads hold one lock, the writer until the store is");
    assertThat(titleOfRaced(bypassing(state), with(race, free, free, reader)))
        .isEqualTo(
            "it bypasses the cache and lacks a fence: let both threads hold one lock, the writer"
                + " until the store is persisted; only the writer's own fence persists a store"
                + " that bypasses the cache");
    assertThat(titleOfRaced(state.withAdvice("now"), with(race, free, free, reader)))
        .isEqualTo("flush it: now (verified)");
  }

  private static JudgedState bypassing(JudgedState state) {
    return state.withRemedy(
        "it bypasses the cache and lacks a fence", Set.of(JudgedState.Trait.PAST_CACHE));
  }

  private static PersistencyRace with(
      PersistencyRace race,
      PersistencyRace.Step store,
      PersistencyRace.Step persist,
      PersistencyRace.Step load) {
    return new PersistencyRace(
        race.level(),
        race.end(),
        store,
        Optional.of(persist),
        load,
        race.file(),
        race.offset(),
        race.size(),
        race.value(),
        race.observations(),
        race.overlapped(),
        race.runs(),
        race.searched(),
        race.tried(),
        race.triedAgain(),
        race.held());
  }

  private static String titleOfRaced(JudgedState state) {
    return titleOfRaced(state, race("r", Optional.of(new Occurrence(point("7"), 1))).evidence());
  }

  private static String titleOfRaced(JudgedState state, PersistencyRace race) {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(lost("raced", state, "7", NO_HASH, 1));
    merge.add(new RaceLog.Found("r", race));
    return merge.findings().get(0).title();
  }

  @Test
  void raceThatWasNotTriedWhereRecoveryFailedShouldStayARace() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(raced("7"));
    merge.add(race("untried", Optional.empty()));
    merge.add(race("elsewhere", Optional.of(new Occurrence(point("8"), 1))));

    assertThat(merge.findings()).hasSize(3);
    assertThat(merge.findings().subList(1, 3))
        .extracting(Finding::severity)
        .containsOnly(Severity.RACE);
  }

  /** A crash was tried for it elsewhere: there its reader had not stored yet what does harm. */
  @Test
  void raceShouldBePartOfABugWithWhatAnotherThreadStored() {
    JudgedState state = raced("7").evidence().state().orElseThrow();
    JudgedState.Store lost = state.lost().get(0);
    JudgedState.Store ofReader = store("get", 20, FLUSH);
    assertThat(ofReader.thread()).isNotEqualTo(lost.thread());

    assertThat(withRaceTriedElsewhere(state, "consequence", ofReader)).hasSize(1);
    assertThat(withRaceTriedElsewhere(state, "observed", ofReader)).hasSize(2);
    assertThat(withRaceTriedElsewhere(state, "consequence", lost)).hasSize(2);
  }

  @Test
  void crashThatShowsARaceShouldCountAsTriedForIt() {
    JudgedState state = raced("7").evidence().state().orElseThrow();
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    JudgedState shown = with(state, state.lost(), List.of(store("get", 20, FLUSH)));
    merge.add(lost("raced", shown, "7", NO_HASH, 1));
    merge.add(race("r", Optional.empty()));

    Report.Races totals = RaceTotals.of(RaceLog.of(true, List.of()), merge.findings());

    assertThat(totals.confirmed()).isEqualTo(1);
    assertThat(totals.tried()).isEqualTo(1);
  }

  @Test
  void confirmedShouldNotBeSaidOfRacesThatWereTriedInVain() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(race("r", Optional.of(new Occurrence(point("8"), 1))));

    Report.Races totals = RaceTotals.of(RaceLog.of(true, List.of()), merge.findings());

    assertThat(totals.tried()).isEqualTo(1);
    assertThat(totals.unconfirmedInWords())
        .isEqualTo(": where that was tried, recovery succeeds if nothing but their store is lost");
  }

  private static List<Finding> withRaceTriedElsewhere(
      JudgedState state, String level, JudgedState.Store arrived) {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(lost("raced", with(state, state.lost(), List.of(arrived)), "7", NO_HASH, 1));
    merge.add(
        new RaceLog.Found(
            "r", SampleRuns.race(level, 10, 30, 20, Optional.of(new Occurrence(point("8"), 1)))));
    return merge.findings();
  }

  @Test
  void otherStoreThatWasLostThereShouldNotConfirmARace() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(lost("another", "insert", "7"));
    merge.add(race("r", Optional.of(new Occurrence(point("7"), 1))));

    assertThat(merge.findings()).hasSize(2);
  }

  @Test
  void racesBetweenTheSamePlacesShouldBeOneOfTheStrongestEvidence() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(race("r", Optional.empty()));
    merge.add(new RaceLog.Found("r", SampleRuns.race("lockset", 10, 30, 50, Optional.empty())));

    Finding race = merge.findings().get(0);

    assertThat(merge.findings()).hasSize(1);
    assertThat(race.kind()).isEqualTo("CONSEQUENCE_RACE");
    assertThat(race.count()).isEqualTo(2);
    assertThat(race.evidence()).hasSize(2);
  }

  @Test
  void dataRaceOfTheSameStoreAndLoadShouldBePartOfThePersistencyRace() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(race("r", Optional.empty()));
    merge.add(new DataRaceLog.Found("d", SampleRuns.dataRace(true)));

    assertThat(merge.findings())
        .singleElement()
        .satisfies(
            found -> assertThat(found.kinds()).containsExactly("CONSEQUENCE_RACE", "DATA_RACE"));
  }

  @Test
  void dataRaceOfOtherPlacesShouldBeItsOwnFinding() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(new RaceLog.Found("r", SampleRuns.race("lockset", 10, 30, 50, Optional.empty())));
    DataRace race = SampleRuns.dataRace(true);
    merge.add(new DataRaceLog.Found("d", race));
    DataRace elsewhere =
        new DataRace(
            race.detectors(),
            true,
            8,
            race.memory(),
            race.object(),
            race.first(),
            race.first(),
            1,
            1);
    merge.add(new DataRaceLog.Found("e", elsewhere));

    assertThat(merge.findings()).extracting(Finding::fingerprint).containsExactly("r", "e");
  }

  @Test
  void suspicionShouldBeAWarningAndPartOfNothing() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(race("r", Optional.empty()));
    merge.add(new DataRaceLog.Found("d", SampleRuns.dataRace(false)));

    assertThat(merge.findings())
        .extracting(Finding::severity)
        .containsExactly(Severity.RACE, Severity.WARNING);
  }

  @Test
  void racesShouldComeBehindBugsAndBeforeTheRest() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(
        new PatternLog.Pattern(
            "p", SampleRuns.pattern(PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE)));
    merge.add(race("r", Optional.empty()));
    merge.add(crash("c", "insert", "1"));

    assertThat(FindingMerge.sorted(merge.findings()))
        .extracting(Finding::severity)
        .containsExactly(Severity.BUG, Severity.RACE, Severity.PERFORMANCE);
  }

  @Test
  void raceWithTheStrongestEvidenceShouldComeFirstHoweverOftenOthersWereSeen() {
    FindingMerge merge = new FindingMerge(Knowledge.of(List.of()));
    merge.add(race("consequence", Optional.empty()));
    for (int way = 0; way < 3; way++) {
      merge.add(
          new RaceLog.Found("observed", SampleRuns.race("observed", 10, 30, 20, Optional.empty())));
    }

    assertThat(FindingMerge.sorted(merge.findings()))
        .extracting(Finding::fingerprint)
        .containsExactly("consequence", "observed");
  }
}
