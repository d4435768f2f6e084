// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.TargetStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Measures a campaign's oracle by mutation: each flush, fence and synchronisation of the target
 * that persists something is taken away by itself, in the recorded run, and recovery is asked about
 * the states that this makes possible.
 */
public final class Strength {
  private static final double NANOSECONDS = 1e9;

  private final Campaign campaign;
  private final StrengthOptions options;
  private final Mutants mutants;
  private final Progress progress;
  private final OwnFunctions functions;
  private final Map<PersistSite, MutantResult> trials = new HashMap<>();
  private int killed;

  private Strength(Campaign campaign, StrengthOptions options, Mutants mutants, Progress progress) {
    this.campaign = campaign;
    this.options = options;
    this.mutants = mutants;
    this.progress = progress;
    this.functions = new OwnFunctions(mutants.modules(), mutants.storingStacks());
  }

  /**
   * Measures a campaign.
   *
   * @throws PowercutException if the target or a control fails
   * @throws PowercutException if there is nothing of what the options ask for
   */
  public static StrengthResult of(Campaign campaign, StrengthOptions options, Progress progress) {
    long begin = System.nanoTime();
    try (Mutants mutants = Mutants.open(campaign, progress)) {
      return new Strength(campaign, options, mutants, progress).measure(begin);
    } finally {
      progress.close();
    }
  }

  private StrengthResult measure(long begin) {
    List<PersistSite> useful = mutants.sites().stream().filter(site -> site.used() > 0).toList();
    List<PersistSite> wanted = wanted(useful);
    progress.phase(
        "leaving out each of %d flushes, fences and syncs, up to %d states each"
            .formatted(wanted.size(), options.states()));
    mutants.tryEach(wanted, options.states(), options.time(), this::keep);
    List<Mutant> bugs = new ArrayList<>();
    for (PersistSite site : wanted) {
      Optional.ofNullable(trials.get(site)).ifPresent(trial -> bugs.add(bug(site, trial)));
    }
    return new StrengthResult(
        campaign.name(),
        mutants.tree().size(),
        options.states(),
        FunctionScore.of("all", bugs),
        FunctionScore.byFunction(bugs),
        bugs,
        redundant(),
        mutants.excludedSites(),
        useful.size() - wanted.size(),
        mutants.images(),
        Math.round((System.nanoTime() - begin) / NANOSECONDS * 10) / 10.0);
  }

  private List<PersistSite> wanted(List<PersistSite> useful) {
    if (useful.isEmpty()) {
      throw PowercutException.notTrustworthy(
          "no flush, fence or sync of the target persists anything, so none can be forgotten: with"
              + " domain eadr, with O_SYNC alone, or with everything excluded there is nothing to"
              + " measure.");
    }
    List<PersistSite> wanted =
        options.function().isEmpty()
            ? useful
            : useful.stream()
                .filter(site -> functions.of(site.stack()).equals(options.function().get()))
                .toList();
    if (wanted.isEmpty()) {
      TreeSet<String> known = new TreeSet<>();
      useful.forEach(site -> known.add(functions.of(site.stack())));
      throw PowercutException.usage(
          "--function: no flush, fence or sync belongs to '%s'. These functions have some: %s"
              .formatted(options.function().orElse(""), String.join(", ", known)));
    }
    return wanted.subList(0, Math.min(wanted.size(), options.limit().orElse(wanted.size())));
  }

  private void keep(PersistSite site, MutantResult trial) {
    trials.put(site, trial);
    killed += trial.killed().isPresent() ? 1 : 0;
    progress.step("mutants tried, " + killed + " killed", trials.size(), 0);
  }

  private Mutant bug(PersistSite site, MutantResult trial) {
    return new Mutant(
        site.stack().id(),
        site.instruction().label(),
        functions.of(site.stack()),
        TargetStack.of(site.stack()),
        site.count(),
        site.used(),
        outcome(trial),
        trial.occurrences(),
        trial.consistent(),
        trial.spoilt(),
        trial.inconclusive(),
        trial.killed().map(Strength::killed));
  }

  private static Outcome outcome(MutantResult trial) {
    if (trial.killed().isPresent()) {
      return Outcome.KILLED;
    }
    if (!trial.isComplete()) {
      return Outcome.NOT_JUDGED;
    }
    if (trial.occurrences() == 0) {
      return trial.makesDifference() ? Outcome.NO_COVERAGE : Outcome.EQUIVALENT;
    }
    if (trial.consistent() == 0 || trial.inconclusive() > 0) {
      return Outcome.NOT_JUDGED;
    }
    return trial.unread() == trial.consistent() ? Outcome.UNREAD : Outcome.SURVIVED;
  }

  private static Mutant.Catch killed(MutantResult.Catch killed) {
    Judgement judgement = killed.judgement();
    return new Mutant.Catch(
        killed.stack().id(),
        killed.instruction().label(),
        TargetStack.of(killed.stack()),
        killed.lines(),
        judgement.kind(),
        judgement.seen(),
        judgement.output());
  }

  private List<StrengthResult.Redundant> redundant() {
    return mutants.sites().stream()
        .filter(site -> site.used() == 0)
        .map(
            site ->
                new StrengthResult.Redundant(
                    site.instruction().label(),
                    functions.of(site.stack()),
                    TargetStack.of(site.stack()),
                    site.count()))
        .toList();
  }
}
