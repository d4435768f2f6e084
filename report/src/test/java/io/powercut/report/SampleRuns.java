// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.analysis.PatternKind;
import io.powercut.exit.ExitCode;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.evidence.Timeline;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.facts.TraceTotals;
import io.powercut.report.facts.Untested;
import io.powercut.report.findings.Acceptance;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.rundir.OutsideWrites;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Fingerprint;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import io.powercut.tree.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs to test the forms of the report with. */
public final class SampleRuns {
  private SampleRuns() {}

  /** A run of a program without failure points. */
  public static ReportedRun nothing(Path directory) {
    return run(directory, emptyTree("nothing"), Map.of(), List.of());
  }

  /** A run in which injection and trace analysis found something, and one finding is accepted. */
  public static ReportedRun withFindings(Path directory) {
    FailurePointTree tree = emptyTree("map_workload");
    Frame main = frame("main", "/src/map_workload.c", 210);
    Frame insert = frame("btree_map_insert", "/src/btree_map.c", 300);
    Frame persist = Frame.of("libpmem.so.1", 0x1a2b, "pmem_persist", "", 0);
    CallStack first = CallStack.of(persist, insert, main);
    CallStack second = CallStack.of(insert, main);
    CallStack third = CallStack.of(main);
    tree.reach(first, Instruction.CLWB, 10);
    tree.reach(second, Instruction.SFENCE, 20);
    tree.reach(second, Instruction.SFENCE, 25);
    tree.reach(third, Instruction.MSYNC, 30);
    Judgement crashed =
        judgement(first, Verdict.Kind.CRASHED, "recovery crashed with SIGSEGV in read_value", "");
    Judgement refused =
        judgement(
            second, Verdict.Kind.UNRECOVERABLE, "recovery failed: exit 1", "key 7 is missing\n");
    Map<FailurePointId, Judgement> verdicts = new HashMap<>();
    verdicts.put(first.id(), crashed);
    verdicts.put(second.id(), refused);
    verdicts.put(third.id(), judgement(third, Verdict.Kind.CONSISTENT, "consistent", ""));
    return run(
        directory,
        tree,
        verdicts,
        List.of(
            finding(
                "CRASHED",
                Severity.BUG,
                Fingerprint.of(first, "CRASHED").toString(),
                List.of(
                    injection(first, "clwb", crashed),
                    pattern(PatternKind.NOT_PERSISTED, Severity.BUG))),
            finding(
                "OBSERVED_RACE",
                Severity.RACE,
                "eeeeeeeeeeeeeeee",
                List.of(race("observed", 10, 30, 20, Optional.empty()))),
            finding(
                "REDUNDANT_FLUSH",
                Severity.PERFORMANCE,
                "bbbbbbbbbbbbbbbb",
                List.of(pattern(PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE))),
            finding(
                "MULTI_STORE_FLUSH",
                Severity.WARNING,
                "cccccccccccccccc",
                List.of(pattern(PatternKind.MULTI_STORE_FLUSH, Severity.WARNING))),
            accepted(
                finding(
                    "UNRECOVERABLE",
                    Severity.BUG,
                    "dddddddddddddddd",
                    List.of(injection(second, "sfence", refused))))));
  }

  /**
   * A run with many failure points, all judged.
   *
   * @param failurePoints how many
   */
  public static ReportedRun large(Path directory, int failurePoints) {
    FailurePointTree tree = emptyTree("large");
    Map<FailurePointId, Judgement> verdicts = new HashMap<>();
    for (int number = 0; number < failurePoints; number++) {
      List<Frame> frames = new ArrayList<>();
      int rest = number;
      for (int depth = 0; depth < 8; depth++) {
        frames.add(
            Frame.of(
                "large",
                0x1000L * depth + 16L * (rest % 4) + (depth == 7 ? 64L * rest : 0),
                "level_%d_function_%d".formatted(depth, rest % 4),
                "/home/developer/project/src/module_%d.c".formatted(depth),
                10 * depth + rest % 4 + 1));
        rest /= 4;
      }
      Collections.reverse(frames);
      // The innermost frame tells all failure points apart.
      frames.add(0, Frame.of("large", 0x100000L + number, "pm_persist", "/src/pm.h", number + 1));
      CallStack stack = CallStack.of(frames);
      tree.reach(stack, Instruction.CLWB, number);
      Verdict.Kind kind =
          number % 1000 == 999 ? Verdict.Kind.UNRECOVERABLE : Verdict.Kind.CONSISTENT;
      verdicts.put(stack.id(), judgement(stack, kind, "as it was", ""));
    }
    return run(directory, tree, verdicts, List.of());
  }

  /** A run of a program that tries to get its own markup into reports, and to make them large. */
  public static ReportedRun hostile(Path directory) {
    String markup =
        "</script><script>alert(1)</script><img src=x onerror=alert(2)>--><b>\"onclick=";
    String name = markup + "\u001b[31m\u202e\ud800\0";
    FailurePointTree tree = emptyTree(name);
    CallStack stack =
        CallStack.of(
            Frame.of("m" + name, 0x10, name + "x".repeat(100_000), "/src/" + name, 3),
            Frame.of("m" + name, 0x20, "main" + name, "/src/" + name, 4));
    tree.reach(stack, Instruction.CLWB, 10);
    Judgement crashed =
        judgement(
            stack,
            Verdict.Kind.CRASHED,
            name + "seen",
            "more than fits ".repeat(70_000) + name + "\nthe end: more than fits");
    Finding finding =
        finding(
            "CRASHED",
            Severity.BUG,
            Fingerprint.of(stack, "CRASHED").toString(),
            List.of(injection(stack, "clwb", crashed)));
    return run(directory, tree, Map.of(stack.id(), crashed), List.of(finding));
  }

  /** The same run with other findings. */
  public static ReportedRun with(ReportedRun run, List<Finding> findings) {
    return run(run.directory(), run.tree(), run.verdicts(), findings);
  }

  private static FailurePointTree emptyTree(String program) {
    return new FailurePointTree(program, Granularity.PERSISTENCY, ExcludedFunctions.NONE);
  }

  private static Frame frame(String function, String file, int line) {
    return Frame.of("map_workload", 0x1000L + line, function, file, line);
  }

  private static Judgement judgement(
      CallStack stack, Verdict.Kind kind, String seen, String output) {
    return new Judgement(
        stack.id(),
        1,
        0,
        kind,
        seen,
        "check",
        output,
        kind == Verdict.Kind.CRASHED
            ? List.of(new StackFrame("read_value", "/src/check.c", 58, "check", "0x1158"))
            : List.of(),
        Optional.empty(),
        kind == Verdict.Kind.CRASHED
            ? Optional.of(new AcknowledgedOutput(20, 2, "2 put <17>"))
            : Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0.01,
        Optional.empty(),
        Optional.empty());
  }

  /** A finding with the given evidence, the strongest first. */
  public static Finding finding(
      String kind, Severity severity, String fingerprint, List<Evidence> evidence) {
    Evidence strongest = evidence.get(0);
    return new Finding(
        kind,
        severity,
        severity == Severity.BUG,
        fingerprint,
        List.of(),
        false,
        strongest.count(),
        strongest.seen(),
        strongest.stack(),
        evidence,
        proofs(fingerprint, evidence),
        Optional.empty(),
        Optional.empty());
  }

  /** One for each crash, however often it is in the list. */
  private static List<Proof> proofs(String fingerprint, List<Evidence> evidence) {
    Set<Evidence> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return evidence.stream()
        .filter(InjectionEvidence.class::isInstance)
        .filter(seen::add)
        .map(crash -> Proof.of(fingerprint, (InjectionEvidence) crash))
        .toList();
  }

  private static Finding accepted(Finding finding) {
    return finding.judged(false, Optional.of(new Acceptance("only a demonstration", "2026-01-31")));
  }

  /** What a cut of the power in front of the instruction showed. */
  public static InjectionEvidence injection(
      CallStack stack, String instruction, Judgement judgement) {
    StackFrame store = new StackFrame("set_used", "/src/map.c", 28, "map_workload", "0x101c");
    return new InjectionEvidence(
        judgement.kind(),
        judgement.failurePointId(),
        1,
        0,
        1,
        instruction,
        TargetStack.of(stack),
        judgement.seen(),
        judgement.step(),
        judgement.output(),
        judgement.recoveryStack(),
        judgement.acknowledged(),
        Optional.of("images/" + judgement.failurePointId()),
        judgement.state(),
        judgement.kind() == Verdict.Kind.UNRECOVERABLE
            ? Optional.of(
                new RecoveryCrash(
                    FailurePointId.parse("0123456789abcdef"),
                    1,
                    "check",
                    "sfence",
                    TargetStack.of(stack)))
            : Optional.empty(),
        new ImageChanges(
            List.of(
                new ImageStore("pool", 0x40, 8, "0100000000000000", List.of(store)),
                new ImageStore("pool", 0x7c, 8, "ffffffffffffffff", List.of(store))),
            3,
            Optional.of(
                new ImageLacks(
                    FailurePointId.parse("fedcba9876543210"),
                    1,
                    "the store to map->used at set_used at /src/map.c:28",
                    "the store to map->valid at add at /src/map.c:31",
                    List.of(new ImageStore("pool", 0x80, 8, "0100000000000000", List.of(store))),
                    2,
                    List.of(new MetadataCall("rename", "map.new", "map", TargetStack.of(stack))),
                    false)),
            Optional.empty(),
            Optional.of(new MetadataCall("unlink", "map", "", TargetStack.of(stack)))),
        "/powercut/powercut replay /runs/map/latest " + judgement.failurePointId(),
        Optional.of(timeline(store)),
        Optional.empty());
  }

  /** A step of each kind and fate. */
  private static Timeline timeline(StackFrame at) {
    return new Timeline(
        List.of(
            step(1, Timeline.Action.STORE, Timeline.Fate.PERSISTED, "pool", 0x40, at),
            step(2, Timeline.Action.FLUSH, Timeline.Fate.NONE, "pool", 0x40, at),
            step(3, Timeline.Action.FENCE, Timeline.Fate.NONE, "", 0, at),
            step(4, Timeline.Action.STORE, Timeline.Fate.LOST, "pool", 0x48, at),
            step(5, Timeline.Action.STORE, Timeline.Fate.EARLY, "<b>dir</b>/<script>", 0, at),
            step(6, Timeline.Action.SYNC, Timeline.Fate.NONE, "", 0, at),
            step(6, Timeline.Action.METADATA, Timeline.Fate.NONE, "", 0, at),
            step(7, Timeline.Action.STORE, Timeline.Fate.IN_FLIGHT, "pool", 0x80, at)),
        12);
  }

  /** A step of thread 1; a store is one of 8 bytes. */
  public static Timeline.Event step(
      long ordinal,
      Timeline.Action kind,
      Timeline.Fate fate,
      String file,
      long offset,
      StackFrame at) {
    boolean isStore = kind == Timeline.Action.STORE;
    return new Timeline.Event(
        ordinal,
        1,
        kind,
        kind.toString(),
        fate,
        file,
        offset,
        isStore ? 8 : 0,
        isStore ? "0100000000000000" : "",
        List.of(at));
  }

  /** A pattern with two places. */
  public static TraceEvidence pattern(PatternKind pattern, Severity severity) {
    return new TraceEvidence(
        pattern,
        severity,
        "what was seen of " + pattern.name() + ", and what to do",
        List.of(
            new TraceEvidence.Place(
                "flush",
                "clwb",
                List.of(
                    new StackFrame("flush", "/src/map.c", 12, "map_workload", "0x100c"),
                    new StackFrame("main", "/src/map_workload.c", 210, "map_workload", "0x10d2"))),
            new TraceEvidence.Place(
                "earlier flush",
                "clwb",
                List.of(new StackFrame("flush", "/src/map.c", 10, "map_workload", "0x100a")))),
        17,
        severity == Severity.PERFORMANCE ? Optional.of(0.125) : Optional.empty(),
        "pool",
        0x40);
  }

  /**
   * Thread 2 stores and persists, and thread 3 loads.
   *
   * @param store when the store is in the trace
   * @param persist when it is persisted
   * @param load when it is loaded
   */
  public static PersistencyRace race(
      String level, long store, long persist, long load, Optional<Occurrence> tried) {
    PersistencyRace.Lock mutex =
        new PersistencyRace.Lock(
            "mutex",
            "0x40",
            false,
            List.of(new StackFrame("put", "/src/map.c", 29, "map_workload", "0x1029")));
    return new PersistencyRace(
        PersistencyRace.Level.valueOf(level.toUpperCase(Locale.ROOT)),
        PersistencyRace.End.PERSISTED,
        raceStep(2, store, "put", 30, List.of(mutex)),
        Optional.of(raceStep(2, persist, "put", 32, List.of())),
        raceStep(3, load, "get", 40, List.of(mutex)),
        "pool",
        0x40,
        8,
        Optional.of("0x2a"),
        load < persist ? 1 : 0,
        true,
        1,
        1,
        tried,
        List.of(),
        Optional.empty());
  }

  /** Thread 2 writes where {@link #race} stores, and thread 3 reads where it loads. */
  public static DataRace dataRace(boolean confirmed) {
    return new DataRace(
        List.of("kard"),
        confirmed,
        8,
        Optional.of("000000000000002a"),
        new DataRace.Thing(
            "byte 8 of a block of 32 bytes that thread 0 allocated",
            List.of(new StackFrame("main", "/src/map_workload.c", 20, "map_workload", "0x1020"))),
        dataRaceAccess("write", 2, "put", 30),
        dataRaceAccess("read", 3, "get", 40),
        2,
        3);
  }

  private static DataRace.Access dataRaceAccess(
      String kind, int thread, String function, int line) {
    return new DataRace.Access(
        kind,
        8,
        thread,
        List.of(new StackFrame("main", "/src/map_workload.c", 25, "map_workload", "0x1025")),
        List.of(new StackFrame(function, "/src/map.c", line, "map_workload", "0x20" + line)),
        List.of(
            new DataRace.HeldLock(
                false,
                new DataRace.Thing("global lock_" + function, List.of()),
                List.of(
                    new StackFrame(
                        function, "/src/map.c", line - 1, "map_workload", "0x30" + line)))));
  }

  private static PersistencyRace.Step raceStep(
      int thread, long ordinal, String function, int line, List<PersistencyRace.Lock> held) {
    return new PersistencyRace.Step(
        thread,
        ordinal,
        List.of(
            new StackFrame(function, "/src/map.c", line, "map_workload", "0x10" + line),
            new StackFrame("work", "/src/map_workload.c", 90, "map_workload", "0x1090")),
        held);
  }

  private static Report.States states() {
    return new Report.States(
        24,
        Map.of("persisted-only", 4L, "one-line-lost", 20L),
        Map.of("early-eviction", 7L),
        18,
        2,
        1,
        0,
        3,
        5);
  }

  private static ReportedRun run(
      Path directory,
      FailurePointTree tree,
      Map<FailurePointId, Judgement> verdicts,
      List<Finding> findings) {
    ExitCode exit =
        findings.stream().anyMatch(Finding::fails) ? ExitCode.NEW_BUGS : ExitCode.NOTHING_NEW;
    Map<String, Long> kinds = new LinkedHashMap<>();
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      kinds.put(kind.name(), verdicts.values().stream().filter(one -> one.kind() == kind).count());
    }
    Map<String, Double> timings = new LinkedHashMap<>();
    timings.put("build", 0.4);
    timings.put("set-up", 0.1);
    timings.put("injection", 12.5);
    timings.put("total", 13.1);
    return new ReportedRun(
        new Report(
            Report.FORMAT,
            new Report.CampaignSummary(
                "sample",
                "/src/sample.yaml",
                "recorded",
                "persistency",
                "2026-01-31T12:00:00+01:00",
                "0123456789abcdef0123456789abcdef01234567",
                Optional.empty()),
            new Report.Outcome(exit.code(), exit.meaning(), true),
            new Report.FailurePoints(
                tree.failurePoints().stream().mapToLong(FailurePoint::occurrences).sum(),
                tree.size(),
                tree.size()),
            new Report.Images(verdicts.size(), verdicts.size()),
            kinds,
            tree.size() == 0 ? Optional.empty() : Optional.of(states()),
            Optional.of(new Report.RecoveryCrashes(5, 3, 9, 12, 8, 1, 0, 0)),
            Optional.of(new TraceTotals(1000, 200, 100, 25, 3)),
            Optional.of(
                new Report.Races(
                    Map.of("observed", 1L),
                    0,
                    1,
                    true,
                    List.of(
                        new FailedOrder(
                            "delay", 7, "the target failed: SIGABRT ended it, here:\n  #0  f", 2)),
                    Map.of("races.holds", 2L),
                    List.of(),
                    false)),
            Optional.of(
                new Report.DataRaces(
                    3, 0, 1, 2, List.of("a thread held more than 64 locks"), List.of("run 2: 1"))),
            findings,
            Optional.of(
                new Untested(List.of(new Untested.Function("shrink", "map_workload", false)), 3)),
            Optional.of(
                new Report.BaselineUse(
                    "/src/accepted.yaml", 1, List.of("eeeeeeeeeeeeeeee"), Map.of())),
            Map.of(),
            Optional.of(
                new OracleControls(
                    List.of(
                        new OracleControls.Damaged(
                            "the first page of each file zeroed", Verdict.Kind.CONSISTENT)))),
            Optional.of(new OutsideWrites(Map.of("/var/lib/app/index", 9L))),
            timings,
            Map.of("kernel", "Linux 6.1", "processors", "2")),
        tree,
        verdicts,
        directory);
  }
}
