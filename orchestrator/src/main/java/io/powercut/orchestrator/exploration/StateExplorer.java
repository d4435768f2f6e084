// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import com.google.common.collect.Lists;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.timeline.Happening;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.AcknowledgedOutput.EarlyOutput;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Timeline;
import io.powercut.report.identity.FailureReason;
import io.powercut.trace.replay.TraceTables;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Judges the chosen crash states of a failure point, and finds out what is to blame for those that
 * recovery cannot handle. Safe for use by several threads.
 */
public final class StateExplorer {
  /** So many failures for one reason are explained. */
  private static final int MOST_ALIKE = 4;

  /** So many with those that come after another store: recovery may say the same of many bugs. */
  private static final int MOST_AFTER_OTHER_STORES = 12;

  private final MomentBlame.Knowledge knowledge;
  private final Pruning.Both pruning;
  private final Searches searches;

  /** By what recovery said, how many failures there were, and which stores came right before. */
  private final Map<String, Alike> alike = new ConcurrentHashMap<>();

  /** Failures for one reason. */
  private static final class Alike {
    private final Set<Integer> stores = new HashSet<>();
    private int count;

    synchronized boolean isToExplain(int lastStore) {
      boolean isOther = stores.size() < MOST_AFTER_OTHER_STORES && stores.add(lastStore);
      return ++count <= MOST_ALIKE || isOther;
    }
  }

  /**
   * @param workplace where images of bugs go
   * @param options how states are explored
   * @param tables what the numbers of the moments' stores mean
   * @param culprits what is known of them, which this adds to
   * @param advice gets the findings for which advice can be tried
   */
  public StateExplorer(
      Workplace workplace,
      Judging judging,
      StateOptions options,
      TraceTables tables,
      KnownCulprits culprits,
      AdviceQuestions advice) {
    this.knowledge = new MomentBlame.Knowledge(workplace, judging, tables, culprits, advice);
    this.pruning = Pruning.Both.of(options);
    this.searches = options.searches();
  }

  /**
   * Whether there is something to explore at a moment: candidates, or other states by which all may
   * be decided.
   *
   * @param states that are possible there
   * @param losses that are to be tried
   */
  public boolean explores(CrashStates states, Candidates candidates, MetadataLosses losses) {
    return !losses.isEmpty() || exploresStates(states, candidates);
  }

  /** The same of a moment. */
  public boolean explores(CrashPoint moment) {
    return explores(moment.states(), moment.candidates(), moment.losses());
  }

  private boolean exploresStates(CrashStates states, Candidates candidates) {
    return !candidates.isEmpty()
        || (searches.isWanted() && !states.isEmpty() && CompleteSearch.isPossible(states));
  }

  /**
   * Judges the candidates of a moment, and others by which all states are decided.
   *
   * @param moment at which recovery succeeds on program order
   * @param places where its images are made
   * @param watch what {@link #watch} wanted of the run that judged program order; nothing if there
   *     was none
   */
  public void explore(CrashPoint moment, RecordedImages places, Optional<ReadsWatch> watch) {
    Judging judging = knowledge.judging();
    Exploration exploration = new Exploration(moment, places, knowledge, pruning, searches, watch);
    boolean complete = true;
    for (Candidate candidate : moment.candidates().states()) {
      knowledge.workplace().resources().checkInterrupted();
      if (!judging.budget().spendState()) {
        complete = false;
        break;
      }
      exploration.judge(candidate);
    }
    complete = complete && exploration.judgeLosses();
    judging.results().explored(exploration.verdicts(complete, exploration.decidesAll()));
  }

  /**
   * What is worth to be known of the run that judges program order at a moment: which of the lines
   * it reads in which candidates differ. Nothing if that is not used.
   */
  public Optional<ReadsWatch> watch(CrashPoint moment) {
    boolean isSearched = searches.isOpen(moment.occurrence());
    // To decide moments alone it is watched only as long as it need not pay.
    boolean isUseful =
        exploresStates(moment.states(), moment.candidates())
            && (!moment.candidates().isEmpty() || pruning.at(isSearched).isWantedForItself());
    return isUseful
        ? pruning
            .at(isSearched)
            .reads()
            .flatMap(
                reads ->
                    reads.besideJudging(
                        UnreadLines.asked(moment), isSearched ? Effort.FOLLOWED : Effort.USUAL))
        : Optional.empty();
  }

  /**
   * A bug in program order with what happened before, and with a store that is in flight there and
   * without which recovery succeeds, if there is one. Of many that fail for one reason, only the
   * first are explained, and the first after some other stores.
   *
   * @param bug what recovery made of the program-order image there
   */
  public Judgement explained(CrashPoint moment, RecordedImages places, Judgement bug) {
    if (!alike
        .computeIfAbsent(FailureReason.inDetail(bug), unknown -> new Alike())
        .isToExplain(lastStore(moment))) {
      return bug;
    }
    Judgement drawn = bug.withTimeline(new Timelines(knowledge.tables(), moment).ofProgramOrder());
    if (!knowledge.judging().budget().isLeft()) {
      return drawn;
    }
    MomentOracle oracle = new MomentOracle(moment, places, knowledge.judging());
    MomentBlame blame =
        new MomentBlame(moment, knowledge, oracle, state -> oracle.ask(state).isFinding());
    Optional<EarlyOutput> output =
        new OutputBlame(moment, knowledge.tables(), oracle).tooEarly(bug.kind());
    Judgement told = output.map(drawn::withTooEarly).orElse(drawn);
    return output.filter(EarlyOutput::proved).isPresent()
        ? told
        : told.withTooEarly(blame.tooEarly(bug.kind()));
  }

  /** The instruction that stored last before a moment; 0 if none is known. */
  private static int lastStore(CrashPoint moment) {
    return Lists.reverse(moment.recent()).stream()
        .filter(happening -> happening.kind() == Timeline.Action.STORE)
        .mapToInt(Happening::site)
        .findFirst()
        .orElse(0);
  }
}
