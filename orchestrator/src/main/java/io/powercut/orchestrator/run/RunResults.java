// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.input.FileFailure;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.code.LibrarySymbols;
import io.powercut.orchestrator.code.ProgramLines;
import io.powercut.orchestrator.injection.InjectionLogs;
import io.powercut.orchestrator.judging.Announcements;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.report.Summary;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.format.Json;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.rundir.CodeLog;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run finds: the failure-point tree and the logs of verdicts, in its directory as soon as
 * they are known. What earlier parts of an interrupted run found is in them.
 */
final class RunResults {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final Observation observation;
  private final Announcements announcements;
  private final KeptFacts facts;
  private final VerdictLog verdicts;
  private final StateLog states;
  private final RecoveryCrashLog recoveryCrashes;
  private FailurePointTree tree;

  /**
   * Opens the logs.
   *
   * @param observation what was seen of the target up to now
   * @param announcements of bugs
   * @param facts are written together with the tree
   */
  RunResults(
      Campaign campaign,
      RunDirectory directory,
      Observation observation,
      Announcements announcements,
      KeptFacts facts) {
    this.campaign = campaign;
    this.directory = directory;
    this.observation = observation;
    this.announcements = announcements;
    this.facts = facts;
    this.verdicts = VerdictLog.open(directory.verdictsFile());
    this.states = StateLog.open(directory.statesFile());
    this.recoveryCrashes = RecoveryCrashLog.open(directory.recoveryCrashFile());
    this.tree = InstrumentedRun.emptyTree(campaign);
  }

  /** The failure points, to which those that are reached are added. */
  FailurePointTree tree() {
    return tree;
  }

  /** Takes the whole tree of an earlier part. */
  void takeEarlierTree() {
    tree = directory.tree();
  }

  /** Whether neither program order nor another crash state showed a bug. */
  boolean isClean() {
    return verdicts.all().stream().noneMatch(Judgement::isBug) && states.findings().isEmpty();
  }

  /** Whether crash states behind the target's last instruction were judged. */
  boolean hasJudgedTheEnd() {
    return states.hasJudgedTheEnd();
  }

  // ------------------------------------------------------------------------- while it runs

  /** Logs verdicts of re-execution and announces bugs. */
  ResultListener ofReExecution() {
    return judgement -> {
      verdicts.add(judgement);
      announcements.judged(judgement, tree.size());
    };
  }

  /** Logs all results and announces bugs. */
  ResultListener ofRecorded(Resources resources) {
    return new ResultListener() {
      @Override
      public void judged(Judgement judgement) {
        keep(resources, judgement);
      }

      @Override
      public void explored(StateVerdicts found) {
        states.add(found);
        announcements.explored(found, tree.size());
      }

      @Override
      public void cut(RecoveryCrashVerdicts found) {
        recoveryCrashes.add(found);
      }
    };
  }

  /** Workers come with their verdicts at the same time, and two bugs write the same files. */
  private synchronized void keep(Resources resources, Judgement judgement) {
    resources.checkInterrupted();
    tree.visit(judgement.failurePointId());
    verdicts.add(judgement);
    announcements.judged(judgement, tree.size());
    if (judgement.isBug()) {
      store();
    }
  }

  /**
   * The logs for an injection that continues where an earlier part ended.
   *
   * @param keepsInconclusive whether what an earlier part could not decide is left as it is
   * @param cutsRecovery whether crashes during recovery are tried
   */
  InjectionLogs logs(Resources resources, boolean keepsInconclusive, boolean cutsRecovery) {
    Map<Occurrence, Judgement> judged =
        verdicts.all().stream()
            .filter(one -> keepsInconclusive || one.kind() != Verdict.Kind.INCONCLUSIVE)
            .collect(Collectors.toMap(Judgement::cut, Function.identity()));
    return new InjectionLogs(
        ofRecorded(resources),
        judged,
        Optional.of(states),
        Optional.of(recoveryCrashes).filter(log -> cutsRecovery));
  }

  /** A failure point that this execution did not reach keeps the verdict of an earlier part. */
  void addEarlier() {
    if (Files.exists(directory.treeFile())) {
      for (FailurePoint known : directory.tree().failurePoints()) {
        if (tree.find(known.id()).isEmpty() && verdicts.find(known.id()).isPresent()) {
          tree.reach(known.stack(), known.instruction(), known.firstOrdinal());
        }
      }
    }
    markJudged();
  }

  /** Visited is what has a verdict that decides. */
  void markJudged() {
    for (FailurePoint failurePoint : tree.failurePoints()) {
      boolean judged =
          verdicts
              .find(failurePoint.id())
              .filter(judgement -> judgement.kind() != Verdict.Kind.INCONCLUSIVE)
              .isPresent();
      if (judged) {
        tree.visit(failurePoint.id());
      } else {
        tree.forgetVisit(failurePoint.id());
      }
    }
  }

  // ------------------------------------------------------------------------- in the directory

  /** Writes the tree and the facts. */
  void store() {
    try {
      TreeFile.write(tree, directory.treeFile());
    } catch (IOException e) {
      throw new UncheckedIOException(FileFailure.at(directory.treeFile(), e));
    }
    facts.store(tree.program());
  }

  /**
   * Writes the patterns of the trace.
   *
   * @param isUnread whether recovery reads nothing of what a place stores
   */
  void storePatterns(Predicate<CallStack> isUnread) {
    Optional<PatternLog> patterns = observation.patterns(isUnread);
    patterns.ifPresent(log -> Json.write(directory.patternsFile(), log));
  }

  /** Writes what the report needs and is known at the end. */
  void storeAll() {
    new ImagesOfBugs(campaign, observation, tree, directory).storeChanges(verdicts, states);
    storeCode();
    LibrarySymbols.ofThisMachine()
        .advice(tree, storesToBlame(), observation::module)
        .ifPresent(advice -> facts.advise(Summary.WITHOUT_SYMBOLS, advice));
    ProgramLines.advice(tree, storesToBlame(), observation::module)
        .ifPresent(advice -> facts.advise(Summary.WITHOUT_LINES, advice));
    facts.filesAreWhole();
    store();
  }

  /** The sources are read while they are those of the target. */
  private void storeCode() {
    CodePlaces places = new CodePlaces(observation::module);
    Map<FailurePointId, String> code = new LinkedHashMap<>(directory.code().byFailurePoint());
    for (Judgement judgement : verdicts.all()) {
      if (judgement.isBug()) {
        FailurePointId id = judgement.failurePointId();
        tree.find(id)
            .ifPresent(
                point ->
                    code.computeIfAbsent(
                        id, unknown -> places.of(codeToFix(TargetStack.of(point.stack())))));
      }
    }
    Json.write(directory.codeFile(), new CodeLog(code));
  }

  /**
   * Only a recorded run knows what was stored where each time: to resume a re-executed one, the
   * target is not traced again.
   */
  private List<StackFrame> codeToFix(List<StackFrame> stack) {
    return campaign.injection() == InjectionMode.RECORDED
        ? observation.storing().withoutThoseThatOnlyPersist(stack)
        : stack;
  }

  private List<List<StackFrame>> storesToBlame() {
    return states.findings().stream()
        .flatMap(judgement -> judgement.state().stream())
        .flatMap(state -> Stream.concat(state.lost().stream(), state.arrived().stream()))
        .map(store -> store.store().stack())
        .toList();
  }
}
