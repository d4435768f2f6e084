// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.analysis.PatternKind;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Text;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  private static final String PROVED = "proved          ";

  @Test
  void whatTargetsPrintShouldNotCommandTheTerminal() {
    Report hostile = SampleRuns.hostile(Path.of("/runs/sample")).report();
    assertThat(hostile.findings().toString()).contains("\u001b");

    assertThat(String.join("", Summary.of(hostile, "report.html")))
        .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e]");
  }

  @Test
  void orderInWhichTheTargetFailedShouldBeNamed() {
    Report report = SampleRuns.nothing(Path.of("/runs/sample")).report();

    assertThat(Summary.of(report, "report.html"))
        .containsSequence(
            "  in 2 other orders of threads, the target failed: SIGABRT ended it",
            "    repeat it with powercut races and --set schedule.policy=delay --set schedule.seed=7"
                + " --set races.runs=1");
  }

  @Test
  void writersThatWereNotHeldShouldBeSaid() {
    Report report = SampleRuns.nothing(Path.of("/runs/sample")).report();

    assertThat(Summary.of(report, "report.html"))
        .anyMatch(
            line ->
                line.startsWith("not tried       ")
                    && line.endsWith("2 holds of a writer (races.holds)"));
  }

  @Test
  void recoveryThatRefusedACrashImageShouldNotBeCalledBlind() {
    Report report = SampleRuns.withFindings(Path.of("/runs/sample")).report();

    assertThat(report.controls().orElseThrow().isBlind()).isTrue();
    assertThat(report.controlsInWords().orElseThrow())
        .isEqualTo("recovery accepted all 1 damaged images, but not all crash images");
    assertThat(Summary.of(report, "report.html"))
        .contains("decided         every legal crash state at 3 of 5 failure points")
        .noneMatch(line -> line.contains("blind"));
  }

  @Test
  void whatARecoveryDecidedThatMayBeBlindShouldSaySo() {
    Report sample = SampleRuns.withFindings(Path.of("/runs/sample")).report();
    Report report = withoutFailures(sample, sample.outcome(), sample.controls());

    assertThat(Summary.of(report, "report.html"))
        .contains(
            "decided         every legal crash state at 3 of 5 failure points"
                + ", by a recovery that may be blind")
        .anyMatch(line -> line.startsWith("oracle control  recovery accepted all 1 damaged"))
        .noneMatch(line -> line.startsWith("proved"));
  }

  @Test
  void whatAnIncompleteRunProvesShouldNotBeCalledAll() {
    Report sample = SampleRuns.withFindings(Path.of("/runs/sample")).report();

    assertThat(Summary.of(withoutFailures(sample, outcome(true), Optional.empty()), "report.html"))
        .anyMatch(line -> line.startsWith(PROVED + "recovery succeeds after a power cut at every"));
    assertThat(Summary.of(withoutFailures(sample, outcome(false), Optional.empty()), "report.html"))
        .anyMatch(line -> line.startsWith(PROVED + "so far, recovery succeeds after"))
        .noneMatch(line -> line.contains("every failure point:"));
  }

  private static Report.Outcome outcome(boolean complete) {
    return new Report.Outcome(0, "nothing new", complete);
  }

  private static Report withoutFailures(
      Report report, Report.Outcome outcome, Optional<OracleControls> controls) {
    Report.States states = report.states().orElseThrow();
    return new Report(
        report.format(),
        report.campaign(),
        outcome,
        report.failurePoints(),
        report.images(),
        Map.of("CONSISTENT", report.images().judged(), "CRASHED", 0L),
        Optional.of(
            new Report.States(
                states.judged(),
                states.byPolicy(),
                states.left(),
                states.recoveries(),
                states.unread(),
                0,
                states.unexplored(),
                states.decided(),
                states.tested())),
        Optional.empty(),
        report.trace(),
        report.races(),
        report.dataRaces(),
        List.of(),
        report.untested(),
        report.baseline(),
        report.inconclusive(),
        controls,
        report.outside(),
        report.timings(),
        report.environment());
  }

  @Test
  void crashesShouldHaveTheirPlural() {
    assertThat(Text.counted(1, "crash")).isEqualTo("1 crash");
    assertThat(Text.counted(2, "crash")).isEqualTo("2 crashes");
    assertThat(Text.counted(2, "image")).isEqualTo("2 images");
  }

  @Test
  void whatWasSeenOnceShouldNotBeManyTimes() {
    TraceEvidence fence =
        new TraceEvidence(
            PatternKind.REDUNDANT_FENCE,
            Severity.PERFORMANCE,
            "nothing waited for it",
            List.of(
                new TraceEvidence.Place(
                    "fence",
                    "sfence",
                    List.of(new StackFrame("drain", "/src/pm.h", 9, "app", "0x10")))),
            1,
            Optional.empty(),
            "pool",
            64);
    Finding once =
        SampleRuns.finding(
            "REDUNDANT_FENCE", Severity.PERFORMANCE, "0123456789abcdef", List.of(fence));
    Report report =
        SampleRuns.with(SampleRuns.nothing(Path.of("/runs/sample")), List.of(once)).report();

    assertThat(Summary.of(report, "report.html"))
        .anyMatch(line -> line.startsWith("  performance redundant fence, 1 time, at "));
  }

  @Test
  void warningsShouldBeInALineUnlessTheyAreAskedFor() {
    Finding warning =
        SampleRuns.finding(
            "DIRTY_OVERWRITE",
            Severity.WARNING,
            "0123456789abcdef",
            List.of(SampleRuns.pattern(PatternKind.DIRTY_OVERWRITE, Severity.WARNING)));
    ReportedRun nothing = SampleRuns.nothing(Path.of("/runs/sample"));

    assertThat(Summary.of(SampleRuns.with(nothing, List.of(warning)).report(), "report.html"))
        .contains("  own code: 1 warning: report.html")
        .noneMatch(line -> line.contains("dirty overwrite"));
    List<Finding> wanted = List.of(warning.judged(true, Optional.empty()));
    assertThat(Summary.of(SampleRuns.with(nothing, wanted).report(), "report.html"))
        .anyMatch(line -> line.startsWith("  warning dirty overwrite, "));
  }

  @Test
  void racesOfOneStoreShouldBeToldOnceWithTheirNumber() {
    List<Finding> races = new ArrayList<>();
    for (int load = 0; load < 9; load++) {
      races.add(
          SampleRuns.finding(
              "CONSEQUENCE_RACE",
              Severity.RACE,
              "000000000000000" + load,
              List.of(SampleRuns.race("consequence", 10, 30, 20, Optional.empty()))));
    }
    ReportedRun nothing = SampleRuns.nothing(Path.of("/runs/sample"));
    List<String> lines = Summary.of(SampleRuns.with(nothing, races).report(), "report.html");

    assertThat(lines)
        .contains("  and 8 more loads of this store in report.html")
        .noneMatch(line -> line.startsWith("  race consequence race"));
    assertThat(lines.stream().filter(line -> line.startsWith("RACE consequence race"))).hasSize(1);
  }

  /** Such as a race, where failOn names races. */
  @Test
  void whatFailsARunShouldBeInABriefSummaryWhateverItIs() {
    Finding warning =
        SampleRuns.finding(
            "DIRTY_OVERWRITE",
            Severity.WARNING,
            "0123456789abcdef",
            List.of(SampleRuns.pattern(PatternKind.DIRTY_OVERWRITE, Severity.WARNING)));
    ReportedRun nothing = SampleRuns.nothing(Path.of("/runs/sample"));
    List<Finding> failing = List.of(warning.judged(true, Optional.empty()));

    assertThat(Summary.brief(SampleRuns.with(nothing, failing).report(), "report.html"))
        .anyMatch(line -> line.startsWith("WARNING dirty overwrite"));
    assertThat(Summary.brief(SampleRuns.with(nothing, List.of(warning)).report(), "report.html"))
        .noneMatch(line -> line.contains("dirty overwrite"));
  }

  @Test
  void countsShouldTellFailurePointsFromOccurrences() {
    Finding bug = SampleRuns.withFindings(Path.of("/runs/sample")).report().findings().get(0);
    Proof first = bug.proofs().get(0);
    List<Proof> proofs =
        List.of(
            first,
            first,
            Proof.again(first.fingerprint(), new Occurrence(first.failurePointId(), 2), List.of()),
            Proof.again(first.fingerprint(), new Occurrence(first.failurePointId(), 3), List.of()));
    Finding often = with(bug, proofs);

    assertThat(often.seenInWords()).isEqualTo("1 failure point, 3 occurrences");
    assertThat(FindingLines.of(often).get(0)).endsWith("(at 1 failure point, 3 occurrences)");
  }

  @Test
  void placesOfOtherProofsShouldBeNamed() {
    Finding bug = flood(1, List.of(new StackFrame("put", "/src/x.c", 1, "app", "")));
    Proof first = bug.proofs().get(0);
    List<Proof> proofs =
        IntStream.of(1, 2, 3, 2, 4, 5)
            .mapToObj(line -> List.of("put at /src/x.c:" + line, "never named"))
            .map(lost -> lost(first, lost))
            .toList();

    assertThat(FindingLines.of(bug)).noneMatch(line -> line.contains("other proofs"));
    assertThat(FindingLines.of(with(bug, proofs)))
        .contains(
            "  lost in other proofs: put at /src/x.c:2, put at /src/x.c:3, put at /src/x.c:4, and at"
                + " 1 more place");
    assertThat(FindingLines.of(with(bug, proofs.subList(0, 2))))
        .contains("  lost in other proofs: put at /src/x.c:2");
  }

  /** Of two fields of a cache line, the flush behind the first does not persist the second. */
  @Test
  void placesThatLackTheSameAsTheAdvisedOneShouldBeToldSo() {
    Finding first = flood(1, List.of(new StackFrame("put", "/src/x.c", 1, "app", "")));
    Finding second = flood(1, List.of(new StackFrame("put", "/src/x.c", 2, "app", "")));
    InjectionEvidence unknown = first.injection().orElseThrow();
    InjectionEvidence advised =
        unknown.withState(unknown.state().orElseThrow().withAdvice("flush it"));
    InjectionEvidence other = second.injection().orElseThrow();

    assertThat(otherPlaces(advised, other))
        .containsExactly(
            "  lost in other proofs: put at /src/x.c:2; the advice has to persist these, too");
    assertThat(otherPlaces(advised, other, "put at /src/x.c:3"))
        .containsExactly(
            "  lost in other proofs: put at /src/x.c:2, put at /src/x.c:3; the advice has to"
                + " persist put at /src/x.c:2, too");
    assertThat(otherPlaces(unknown, other))
        .containsExactly("  lost in other proofs: put at /src/x.c:2");
  }

  /** A count is stored before what it counts, and nothing flushes it: two mistakes of one store. */
  @Test
  void flushThatAStoreLacksThatIsTooEarlyShouldBeToldSo() {
    StackFrame count = new StackFrame("add", "/src/x.c", 1, "app", "");
    InjectionEvidence lost = flood(1, List.of(count)).injection().orElseThrow();
    InjectionEvidence advised =
        lost.withState(
            lost.state().orElseThrow().withRemedy("it is lost", Set.of()).withAdvice("flush it"));
    InjectionEvidence elsewhere =
        flood(1, List.of(new StackFrame("add", "/src/x.c", 2, "app", "")))
            .injection()
            .map(other -> other.withState(other.state().orElseThrow().withAdvice("flush that")))
            .orElseThrow();

    assertThat(statesShown(early("add", count), elsewhere, advised))
        .containsExactly("  crash states show: it is lost: flush it (verified)");
    assertThat(statesShown(early("add", count), elsewhere, lost)).isEmpty();
    assertThat(statesShown(early("tx_commit", count), advised)).isEmpty();
  }

  private static List<String> statesShown(InjectionEvidence... evidence) {
    Finding all =
        SampleRuns.finding("CRASHED", Severity.BUG, "0000000000000001", List.of(evidence));
    return FindingLines.of(all).stream().filter(line -> line.contains("crash states")).toList();
  }

  /**
   * In program order a store is too early, and what a function stores at the end comes too late.
   */
  private static InjectionEvidence early(String last, StackFrame early) {
    InjectionEvidence crash = flood(1, List.of(early)).injection().orElseThrow();
    StackFrame line = new StackFrame(last, "/src/x.c", 9, "app", "");
    ImageStore late =
        new ImageStore(
            "pool", 0x80, 8, "00", last.equals("add") ? List.of(line) : List.of(line, early));
    ImageLacks lacks =
        new ImageLacks(
            crash.failurePointId(), 1, "the end", null, List.of(late), 0, List.of(), false);
    ImageChanges changes =
        new ImageChanges(
            List.of(),
            0,
            Optional.of(lacks),
            Optional.of(
                new EarlyStore("it", new ImageStore("pool", 0x40, 8, "00", List.of(early)))),
            Optional.empty());
    return new InjectionEvidence(
        crash.verdict(),
        crash.failurePointId(),
        1,
        0,
        1,
        "clwb",
        List.of(early),
        "seen",
        "check",
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        changes,
        "replay",
        Optional.empty(),
        Optional.empty());
  }

  private static List<String> otherPlaces(
      InjectionEvidence first, InjectionEvidence other, String... involved) {
    Finding both =
        SampleRuns.finding("CRASHED", Severity.BUG, "0000000000000001", List.of(first, other));
    Proof proof = Proof.of("0000000000000001", other);
    List<Proof> proofs = new ArrayList<>(List.of(proof));
    for (String place : involved) {
      proofs.add(lost(proof, List.of(place)));
    }
    return FindingLines.of(with(both, proofs)).stream()
        .filter(line -> line.contains("other proofs"))
        .toList();
  }

  private static Finding with(Finding bug, List<Proof> proofs) {
    return new Finding(
        bug.kind(),
        bug.severity(),
        bug.fails(),
        bug.fingerprint(),
        List.of(),
        false,
        1,
        bug.title(),
        bug.stack(),
        bug.evidence(),
        proofs,
        Optional.empty(),
        Optional.empty());
  }

  private static Proof lost(Proof is, List<String> lost) {
    return new Proof(
        is.fingerprint(),
        is.verdict(),
        is.failurePointId(),
        is.occurrence(),
        is.order(),
        is.place(),
        lost,
        is.arrived(),
        is.state(),
        is.recoveryCrash(),
        is.message(),
        is.replay());
  }

  /** Debian's libraries have no line numbers, and many have no names of inner functions. */
  @Test
  void placeInALibraryShouldComeWithTheCallThatHasALine() {
    List<StackFrame> stack =
        List.of(
            new StackFrame("memcpy", "", 0, "libc.so.6", "0x9"),
            new StackFrame("", "", 0, "libtdb.so.1.4.8", "0xa278"),
            new StackFrame("tdb_store", "", 0, "libtdb.so.1.4.8", "0xb000"),
            new StackFrame("Put", "/usr/include/rocksdb/db.h", 404, "app", "0x1"),
            new StackFrame("main", "/src/app.c", 18, "app", "0x1"));
    List<String> lines = FindingLines.of(flood(1, stack));

    assertThat(lines.get(1))
        .startsWith(
            "  lost: libtdb.so.1.4.8+0xa278, called from main at /src/app.c:18 (8 bytes at 0x40");
    assertThat(FindingLines.of(flood(1, stack.subList(0, 2))).get(1))
        .startsWith("  lost: libtdb.so.1.4.8+0xa278 (8 bytes at 0x40");
  }

  /** Which of its calls is wrong is what its user looks for. */
  @Test
  void placeInAFunctionThatStoresForAllShouldComeWithTheCall(@TempDir Path folder)
      throws IOException {
    Path source = folder.resolve("app.c");
    Files.writeString(
        source,
        """
        void set(struct cell *cell, long value) { cell->value = value; persist(cell); }
        void take(struct pool *pool) { pool->taken = 1; pool->last = 2; persist(pool); }
        void alpha(void) { set(&pool->count, 1); take(pool); }
        """);
    String file = source.toString();
    StackFrame caller = new StackFrame("alpha", file, 3, "app", "0x3");

    assertThat(powerCut(new StackFrame("set", file, 1, "app", "0x1"), caller))
        .isEqualTo("set at " + file + ":1, called from alpha at " + file + ":3");
    assertThat(powerCut(new StackFrame("take", file, 2, "app", "0x2"), caller))
        .isEqualTo("take at " + file + ":2");
  }

  private static String powerCut(StackFrame... stack) {
    return FindingLines.of(flood(1, List.of(stack))).stream()
        .filter(line -> line.startsWith("  power cut: in "))
        .map(line -> line.replaceAll("^  power cut: in |, before .*", ""))
        .findFirst()
        .orElseThrow();
  }

  /** Everything that a line can be made of, in large numbers. */
  private static Finding flood(int number) {
    return flood(
        number,
        Collections.nCopies(
            200,
            new StackFrame("level<" + "a, ".repeat(500) + "b>(int)", "/src/x.cc", 7, "app", "")));
  }

  private static Finding flood(int number, List<StackFrame> deep) {
    ImageStore store = new ImageStore("pool", 0x40, 8, "00", deep);
    List<JudgedState.Store> stores =
        Collections.nCopies(
            1_000,
            new JudgedState.Store(store, 1, JudgedState.Missing.FLUSH, JudgedState.Role.CAUSE, ""));
    JudgedState state =
        new JudgedState(
            "0123456789abcdef",
            "persisted-only",
            "fedcba9876543210",
            List.of(),
            stores,
            stores,
            false,
            Optional.empty(),
            "remedy\n".repeat(1_000),
            Optional.empty(),
            false,
            false,
            0,
            Set.of(),
            Optional.empty(),
            List.of());
    InjectionEvidence crash =
        new InjectionEvidence(
            Verdict.Kind.CRASHED,
            FailurePointId.parse("0123456789abcdef"),
            1,
            0,
            1,
            "clwb",
            deep,
            "seen",
            "check",
            "error: it is broken\n".repeat(5_000),
            deep,
            Optional.of(new AcknowledgedOutput(20, 2, "2 put <17>\n3 put <18>")),
            Optional.empty(),
            Optional.of(state),
            Optional.of(
                new RecoveryCrash(
                    FailurePointId.parse("0123456789abcdef"), 1, "check", "sfence", deep)),
            ImageChanges.UNKNOWN,
            "/powercut/powercut replay /runs/latest 0123456789abcdef --state 0123456789abcdef",
            Optional.empty(),
            Optional.empty());
    List<Evidence> evidence = new ArrayList<>(Collections.nCopies(200, crash));
    evidence.addAll(
        Collections.nCopies(84, SampleRuns.pattern(PatternKind.NOT_PERSISTED, Severity.BUG)));
    return SampleRuns.finding(
        "CRASHED", Severity.BUG, String.format(Locale.ROOT, "%016x", number), evidence);
  }

  @Test
  void findingShouldTakeAtMostTwelveLinesHoweverMuchWasProved() {
    Report one =
        SampleRuns.with(SampleRuns.nothing(Path.of("/runs/sample")), List.of(flood(1))).report();

    List<String> lines = Summary.of(one, "report.html");
    List<String> finding = lines.subList(lines.indexOf("") + 1, lines.lastIndexOf(""));

    assertThat(finding).hasSizeBetween(10, 12);
    assertThat(finding).allMatch(line -> line.length() < 600 && line.lines().count() == 1);
    assertThat(finding.get(1)).startsWith("  lost: level<...> at /src/x.cc:7 (8 bytes at 0x40");
    assertThat(finding.get(2)).startsWith("  persisted before it: ").contains("and 999 more");
    assertThat(finding).anyMatch(line -> line.startsWith("  power cut: in "));
    assertThat(finding).anyMatch(line -> line.startsWith("  recovery said: error: it is broken"));
    assertThat(finding).anyMatch(line -> line.contains("283 more proofs of it in report.html"));
    assertThat(finding.get(finding.size() - 1)).startsWith("  replay: ");
  }

  @Test
  void campaignWithManyFindingsShouldFitIntoSomeScreens() {
    List<Finding> many = IntStream.range(0, 100).mapToObj(SummaryTest::flood).toList();
    Report report = SampleRuns.with(SampleRuns.nothing(Path.of("/runs/sample")), many).report();

    List<String> lines = Summary.of(report, "report.html");

    assertThat(lines).hasSizeLessThan(200).contains("  and 70 more in report.html");
  }
}
