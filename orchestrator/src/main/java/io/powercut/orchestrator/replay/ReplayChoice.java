// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportBuilder;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a person wants to have replayed in what a run left. */
final class ReplayChoice {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final FailurePointTree tree;
  private final VerdictLog verdicts;
  private final List<Judgement> states;
  private final List<RecoveryCrashFinding> recoveryCrashes;

  /**
   * @throws PowercutException if a file of the run was damaged
   */
  ReplayChoice(Campaign campaign, RunDirectory directory, FailurePointTree tree) {
    this.campaign = campaign;
    this.directory = directory;
    this.tree = tree;
    this.verdicts = VerdictLog.open(directory.verdictsFile());
    this.states = StateLog.open(directory.statesFile()).findings();
    this.recoveryCrashes = RecoveryCrashLog.open(directory.recoveryCrashFile()).findings();
  }

  /**
   * What is to be replayed.
   *
   * @throws PowercutException if there is no such thing, or more than one
   */
  ReplayedCut choose(ReplayRequest request) {
    request.occurrence().ifPresent(ReplayChoice::requireOccurrence);
    request.order().ifPresent(this::requireOrder);
    Optional<FailurePoint> point = request.id().flatMap(this::failurePoint);
    if (point.isPresent()) {
      return at(point.get(), request);
    }
    Finding finding = request.id().map(this::finding).orElseGet(this::firstFinding);
    return of(crash(finding), request);
  }

  private static void requireOccurrence(long number) {
    if (number < 1) {
      throw PowercutException.usage(
          "--occurrence is %d, but occurrences count from 1.".formatted(number));
    }
    if (number > Integer.MAX_VALUE) {
      throw PowercutException.usage(
          "--occurrence is %d, but no occurrence above %d can be replayed."
              .formatted(number, Integer.MAX_VALUE));
    }
  }

  private void requireOrder(int order) {
    if (order != 0 && !(order > 0 && Files.exists(directory.scheduleDirectory(order)))) {
      int held = ThreadSchedules.nextHeld(directory) - 1;
      throw PowercutException.usage(
          "the run has no order %d of threads; --order takes 0, which is that of the recorded run%s."
              .formatted(order, held == 0 ? "" : ", to " + held));
    }
  }

  /** Nothing when the ID may be that of a finding. */
  private Optional<FailurePoint> failurePoint(String prefix) {
    List<FailurePoint> found =
        Stream.concat(tree.failurePoints().stream(), Stream.of(FailurePoint.END_OF_RUN))
            .filter(point -> begins(point.id().toString(), prefix))
            .toList();
    if (found.size() > 1) {
      throw PowercutException.usage(
          "the run has more than one failure point %s; \"powercut tree %s\" lists them."
              .formatted(prefix, directory.path()));
    }
    return found.stream().findFirst();
  }

  private Finding finding(String prefix) {
    List<Finding> found = findings().stream().filter(one -> isNamed(one, prefix)).toList();
    if (found.isEmpty()) {
      requireNoState(prefix);
    }
    if (found.size() != 1) {
      throw PowercutException.usage(
          ("the run has %s failure point or finding %s; \"powercut tree %s\" lists the failure"
                  + " points, the report the findings.")
              .formatted(found.isEmpty() ? "no" : "more than one", prefix, directory.path()));
    }
    return found.get(0);
  }

  /** A state belongs to a failure point, which has to be given, too. */
  private void requireNoState(String prefix) {
    states.stream()
        .filter(one -> begins(idOf(one), prefix))
        .findFirst()
        .ifPresent(
            one -> {
              throw PowercutException.usage(
                  "%s is a crash state at failure point %s; name both: powercut replay %s %2$s --state %1$s"
                      .formatted(prefix, one.failurePointId(), directory.path()));
            });
  }

  private static boolean isNamed(Finding finding, String prefix) {
    return begins(finding.fingerprint(), prefix)
        || finding.formerFingerprints().stream().anyMatch(former -> begins(former, prefix));
  }

  private Finding firstFinding() {
    return findings().stream()
        .filter(finding -> finding.injection().isPresent())
        .findFirst()
        .orElseThrow(
            () ->
                PowercutException.usage(
                    "the run has no finding to replay; give a failure point, see \"powercut tree "
                        + directory.path()
                        + "\"."));
  }

  private List<Finding> findings() {
    return ReportBuilder.build(campaign, directory).findings();
  }

  private InjectionEvidence crash(Finding finding) {
    return finding
        .injection()
        .orElseThrow(
            () ->
                PowercutException.usage(
                    "finding %s is a pattern of the trace: no crash shows it, so there is nothing to replay."
                        .formatted(finding.fingerprint())));
  }

  /** What the finding is about, if nothing else is requested. */
  private ReplayedCut of(InjectionEvidence crash, ReplayRequest request) {
    FailurePointId id = crash.failurePointId();
    FailurePoint point =
        id.equals(FailurePoint.END_OF_RUN.id())
            ? FailurePoint.END_OF_RUN
            : tree.find(id).orElseThrow();
    Optional<String> state =
        crash.state().map(JudgedState::id).or(() -> crash.lostMetadata().map(LostMetadata::id));
    Optional<String> second = crash.recoveryCrash().map(one -> one.place().toString());
    boolean isOtherwise = request.state().isPresent() || request.recoveryCrash().isPresent();
    ReplayRequest exact =
        new ReplayRequest(
            request.id(),
            request.occurrence().or(() -> Optional.of(crash.occurrence())),
            request.order().or(() -> Optional.of(crash.order())),
            isOtherwise ? request.state() : state,
            isOtherwise ? request.recoveryCrash() : second);
    return at(point, exact);
  }

  private ReplayedCut at(FailurePoint point, ReplayRequest request) {
    if (request.recoveryCrash().isPresent()) {
      return inRecovery(point, recoveryCrash(point, request));
    }
    if (request.state().isPresent()) {
      return inState(point, state(point, request), request);
    }
    Optional<Judgement> verdict = verdicts.find(point.id());
    if (request.occurrence().isPresent() || verdict.filter(Judgement::isBug).isPresent()) {
      return inProgramOrder(point, verdict.filter(one -> request.occurrence().isEmpty()), request);
    }
    Optional<Judgement> state =
        states.stream()
            .filter(one -> isAt(one, point))
            .filter(one -> isOfOrder(one, request))
            .findFirst();
    if (state.isPresent()) {
      return inState(point, state.get(), request);
    }
    return recoveryCrashes.stream()
        .filter(one -> isAt(one.judgement(), point))
        .findFirst()
        .map(one -> inRecovery(point, one))
        .orElseGet(() -> inProgramOrder(point, verdict, request));
  }

  /**
   * @param usual the verdict that counts if the request does not say more
   */
  private ReplayedCut inProgramOrder(
      FailurePoint point, Optional<Judgement> usual, ReplayRequest request) {
    Occurrence occurrence =
        new Occurrence(
            point.id(),
            request.occurrence().or(() -> usual.map(Judgement::occurrence)).orElse(1L),
            request.order().or(() -> usual.map(Judgement::order)).orElse(0));
    Optional<Judgement> judged =
        verdicts.all().stream().filter(one -> one.cut().equals(occurrence)).findFirst();
    return new ReplayedCut.InProgramOrder(point, occurrence, judged);
  }

  private static ReplayedCut inState(FailurePoint point, Judgement found, ReplayRequest request) {
    Occurrence occurrence =
        new Occurrence(point.id(), request.occurrence().orElse(found.occurrence()), found.order());
    return new ReplayedCut.InState(point, occurrence, found);
  }

  private static ReplayedCut inRecovery(FailurePoint point, RecoveryCrashFinding found) {
    return new ReplayedCut.InRecovery(
        point, new Occurrence(point.id(), found.judgement().occurrence()), found);
  }

  /** The state as it was found at the wanted occurrence, else at the first that had it. */
  private Judgement state(FailurePoint point, ReplayRequest request) {
    String prefix = request.state().orElseThrow();
    Optional<Long> occurrence = request.occurrence();
    List<Judgement> found =
        states.stream()
            .filter(one -> isAt(one, point) && begins(idOf(one), prefix))
            .filter(one -> isOfOrder(one, request))
            .toList();
    if (found.stream().map(ReplayChoice::idOf).distinct().count() != 1) {
      recoveryCrashes.stream()
          .filter(one -> found.isEmpty() && isAt(one.judgement(), point))
          .filter(one -> isOfState(one.judgement(), request.state()))
          .findFirst()
          .ifPresent(
              one -> {
                throw PowercutException.usage(
                    "state %s is one of a crash during recovery: add --recovery-crash %s."
                        .formatted(prefix, one.cut().place()));
              });
      throw notOne(
          found.size(), "state " + prefix + " at failure point", point, directory.statesFile());
    }
    return found.stream()
        .filter(one -> occurrence.isEmpty() || occurrence.get() == one.occurrence())
        .findFirst()
        .orElse(found.get(0));
  }

  private static boolean isOfOrder(Judgement state, ReplayRequest request) {
    return request.order().isEmpty() || request.order().get() == state.order();
  }

  private static String idOf(Judgement judgement) {
    return judgement.stateId().orElseThrow();
  }

  /**
   * At the first occurrence in program order, if that is a finding and the request does not say
   * otherwise.
   */
  private RecoveryCrashFinding recoveryCrash(FailurePoint point, ReplayRequest request) {
    String prefix = request.recoveryCrash().orElseThrow();
    List<RecoveryCrashFinding> all =
        recoveryCrashes.stream()
            .filter(one -> isAt(one.judgement(), point))
            .filter(one -> one.cut().place().begins(prefix.toLowerCase(Locale.ROOT)))
            .filter(one -> isOfState(one.judgement(), request.state()))
            .toList();
    List<RecoveryCrashFinding> inOrder =
        all.stream().filter(one -> one.judgement().state().isEmpty()).toList();
    List<RecoveryCrashFinding> either = inOrder.isEmpty() ? all : inOrder;
    List<RecoveryCrashFinding> first =
        either.stream().filter(one -> one.cut().occurrence() == 1).toList();
    List<RecoveryCrashFinding> found = first.isEmpty() ? either : first;
    if (found.size() != 1) {
      throw notOne(
          found.size(),
          "crash during recovery " + prefix + " on the image of failure point",
          point,
          directory.recoveryCrashFile());
    }
    return found.get(0);
  }

  private static boolean isOfState(Judgement judgement, Optional<String> prefix) {
    return prefix.isEmpty()
        || judgement.state().filter(state -> begins(state.id(), prefix.get())).isPresent();
  }

  private PowercutException notOne(int found, String what, FailurePoint point, Path file) {
    if (found == 0) {
      directory.requireWhole();
    }
    return PowercutException.usage(
        "the run has %s %s %s; %s has those of its findings."
            .formatted(found == 0 ? "no" : "more than one", what, point.id(), file));
  }

  private static boolean isAt(Judgement judgement, FailurePoint point) {
    return judgement.failurePointId().equals(point.id());
  }

  private static boolean begins(String id, String prefix) {
    return id.startsWith(prefix.toLowerCase(Locale.ROOT));
  }
}
