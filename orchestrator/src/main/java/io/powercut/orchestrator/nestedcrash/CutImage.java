// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.image.files.Removal;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.Announcements;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Recovery on one image, where it is cut and judged. For one thread. */
final class CutImage implements CutRecovery.Cuts, PassedCuts.Oracle {
  /** Of a failure point; behind them, each that is twice as late as the last. */
  private static final long FIRST_OCCURRENCES = 4;

  private final RecoveryCrashes.Scene scene;
  private final CutClaims claims;
  private final Judging judging;
  private final RecoveryCrashChoice.Chosen first;
  private final RecordedImages places;
  private final OracleSession inquiry;
  private final Optional<RecoveryStates> beside;

  /** Those that are judged in any case. */
  private final Set<CutPlace> judged = new HashSet<>();

  private final PassedCuts passed = new PassedCuts(this);
  private final Map<String, String> cuts = new LinkedHashMap<>();

  /** The crash states that are to be judged. */
  private final Map<CutPlace, Candidates> chosen = new HashMap<>();

  private final Map<String, Integer> explored = new LinkedHashMap<>();

  /** The findings of program order that findings of states are another sight of. */
  private final Map<String, String> same = new HashMap<>();

  private final List<RecoveryCrashFinding> findings = new ArrayList<>();
  private final Set<String> again = new LinkedHashSet<>();
  private final Map<String, String> failed = new LinkedHashMap<>();
  private boolean isComplete = true;
  private int failing;

  /**
   * @param places where recovery runs
   */
  CutImage(RecoveryCrashes.Scene scene, RecoveryCrashChoice.Chosen first, RecordedImages places) {
    this.scene = scene;
    this.claims = scene.claims();
    this.judging = scene.judging();
    this.first = first;
    this.places = places;
    this.inquiry = new OracleSession(judging.judge(), judging.images(), first.occurrence());
    this.beside =
        scene.states().map(options -> new RecoveryStates(scene.workplace(), judging, options));
  }

  /**
   * Does it all.
   *
   * @param recorded where recovery is recorded
   */
  void cut(RecordedImages recorded) {
    try {
      scene
          .recovery()
          .follow(recorded.of(first.image(), first.acknowledged()), this)
          .ifPresent(inquiry::note);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    judging
        .results()
        .cut(
            new RecoveryCrashVerdicts(
                first.occurrence().id(),
                first.occurrence().number(),
                first.hash().toString(),
                cuts,
                explored,
                failed,
                inquiry.recoveries(),
                failing,
                findings,
                List.copyOf(again),
                inquiry.inconclusive(),
                isComplete));
  }

  @Override
  public boolean wants(CutRecovery.Point point, PmState state, Supplier<CrashStates> states)
      throws IOException {
    CutPlace place = point.place();
    if (!isTried(place.occurrence()) || !isWithin(point.stack())) {
      return false;
    }
    boolean isCut = !claims.isEnough(place) && wantsImage(place, state.hash());
    if (wantsStates(place, state, states) || isCut) {
      judged.add(place);
    }
    return true; // The others are asked about if recovery fails where it is cut next.
  }

  /** The first ones, and then fewer and fewer. */
  private static boolean isTried(long occurrence) {
    return occurrence <= FIRST_OCCURRENCES || Long.bitCount(occurrence) == 1;
  }

  /** Names of functions mean here what they mean where functions are left out. */
  private boolean isWithin(CallStack stack) {
    List<String> within = scene.section().within();
    return within.isEmpty() || ExcludedFunctions.of(within).exclude(stack);
  }

  /** One that is known to be consistent costs nothing, and shows nothing about other images. */
  private boolean wantsImage(CutPlace place, ImageHash hash) {
    return judging
            .images()
            .probe(key(hash))
            .filter(kind -> kind == Verdict.Kind.CONSISTENT)
            .isPresent()
        || claims.claim(place, hash);
  }

  private boolean wantsStates(CutPlace place, PmState state, Supplier<CrashStates> states)
      throws IOException {
    if (beside.isEmpty()) {
      return false;
    }
    beside.get().pass(place, state.hash());
    if (claims.isExploredEnough(place)) {
      return false;
    }
    Candidates candidates = beside.get().choose(beside.get().possible(states.get()));
    if (candidates.isEmpty() || !claims.claimStates(place)) {
      return false;
    }
    chosen.put(place, candidates);
    return true;
  }

  @Override
  public void take(CutRecovery.Point point, CutRecovery.Left left) throws IOException {
    scene.workplace().resources().checkInterrupted();
    if (!judging.budget().isTimeLeft()) {
      isComplete = false;
      return;
    }
    CutPlace place = point.place();
    boolean isInARow = passed.pass(point, left);
    if (!judged.contains(place) && !isInARow) {
      return;
    }
    CrashPoint cut = crashPoint(point, left);
    Optional<ReadsWatch> watch =
        beside.flatMap(states -> states.watch(cut, left.numbers().tables()));
    Verdict.Kind kind = ask(left.image(), watch);
    if (kind.isFinding()) {
      failing++;
      failed.put(place.toString(), blame(passed.failed(kind)));
    } else if (kind == Verdict.Kind.CONSISTENT && chosen.containsKey(place)) {
      add(beside.orElseThrow().explore(cut, left.numbers().tables(), places, watch), point);
    }
    cuts.put(place.toString(), left.image().hash().toString());
  }

  private CrashPoint crashPoint(CutRecovery.Point point, CutRecovery.Left left) {
    return new CrashPoint(
        first.occurrence(),
        left.image(),
        first.acknowledged(),
        beside.map(here -> here.possible(left.states())).orElse(left.states()),
        chosen.getOrDefault(point.place(), Candidates.NONE),
        left.recent(),
        Optional.empty(),
        MetadataLosses.NONE,
        Optional.of(cut(point)));
  }

  @Override
  public Verdict.Kind ask(CrashImage image) {
    return ask(image, Optional.empty());
  }

  private Verdict.Kind ask(CrashImage image, Optional<ReadsWatch> watch) {
    return inquiry.ask(key(image.hash()), places.of(image, first.acknowledged()).watching(watch));
  }

  @Override
  public Optional<Verdict.Kind> known(CrashImage image) {
    return judging.images().probe(key(image.hash()));
  }

  private VerdictCache.Key key(ImageHash hash) {
    return VerdictCache.Key.of(hash, first.acknowledged());
  }

  /** Proves what program order shows, unless it is known. */
  private String blame(PassedCuts.Passed cut) throws IOException {
    CrashImage image = cut.left().image();
    String fingerprint = inProgramOrder(cut);
    if (claims.isKnown(fingerprint)) {
      again.add(fingerprint);
      return fingerprint;
    }
    Path kept =
        scene.workplace().directory().secondImageDirectory(first.occurrence(), cut.point().place());
    Optional<Judgement> proof =
        inquiry.prove(places.of(image, first.acknowledged()), image.hash(), kept);
    if (proof.isPresent()) {
      add(fingerprint, cut.point(), proof.get(), kept);
    }
    return fingerprint;
  }

  /**
   * Adds a finding. Another image may have come to it meanwhile.
   *
   * @param kept where its image is
   */
  private void add(String fingerprint, CutRecovery.Point point, Judgement proof, Path kept)
      throws IOException {
    if (claims.isNew(fingerprint)) {
      findings.add(new RecoveryCrashFinding(fingerprint, cut(point), proof));
      announce(point, proof);
    } else {
      again.add(fingerprint);
      Removal.remove(kept);
    }
  }

  /** What a finding in program order is called where recovery is cut. */
  private String inProgramOrder(PassedCuts.Passed cut) {
    return judging
        .identity()
        .ofRecoveryCrash(
            cut.left()
                .numbers()
                .storing()
                .withoutThoseThatOnlyPersist(TargetStack.of(cut.point().stack())));
  }

  private void add(StateVerdicts verdicts, CutRecovery.Point point) throws IOException {
    explored.put(point.place().toString(), verdicts.total());
    failing += verdicts.failing();
    isComplete &= verdicts.complete();
    inquiry.add(verdicts.recoveries(), verdicts.inconclusive());
    for (Judgement found : verdicts.findings()) {
      add(found, point);
    }
    verdicts.again().forEach(name -> again.add(same.getOrDefault(name, name)));
  }

  /** A mistake that program order shows as well, where recovery is cut before, is called so. */
  private void add(Judgement found, CutRecovery.Point point) throws IOException {
    JudgedState state = found.state().orElseThrow();
    String fingerprint =
        state
            .shownBefore()
            .flatMap(passed::shown)
            .map(this::inProgramOrder)
            .orElse(state.fingerprint());
    same.put(state.fingerprint(), fingerprint);
    add(
        fingerprint,
        point,
        found,
        scene.workplace().directory().imageDirectory(first.occurrence(), state.id()));
  }

  private static RecoveryCrash cut(CutRecovery.Point point) {
    return new RecoveryCrash(
        point.stack().id(),
        point.occurrence(),
        point.step(),
        point.instruction().label(),
        TargetStack.of(point.stack()));
  }

  private void announce(CutRecovery.Point point, Judgement proof) {
    scene
        .workplace()
        .phases()
        .progress()
        .note(
            "%s after a crash during recovery at failure point %s, on the image of %s: %s%s"
                .formatted(
                    proof.kind().name().toLowerCase(Locale.ROOT),
                    point.place(),
                    proof.failurePointId(),
                    proof.seen(),
                    Announcements.message(proof)));
  }
}
