package io.powercut.orchestrator.run;

import io.powercut.image.CrashImage;
import io.powercut.image.ImageHash;
import io.powercut.instrumentation.trace.TraceTables;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.report.JudgedState;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.results.StateVerdicts;
import io.powercut.orchestrator.results.Visit;
import io.powercut.orchestrator.states.Candidate;
import io.powercut.orchestrator.states.Culprit;
import io.powercut.orchestrator.states.CulpritSearch;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PendingStore;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Judges the chosen crash states of a failure point, and finds out what is to blame for those that
 * recovery cannot cope with. Safe for use by several threads.
 */
final class StateExplorer {
  private static final int MOST_PROBES = 500;

  /** So far program order is followed back from a lost store. */
  private static final int MOST_STORES_BACK = 256;

  /** In one state. */
  private static final int MOST_MISTAKES = 8;

  /** Each of these takes as long as recovery may. */
  private static final int MOST_PROBES_OF_HANGS = 20;

  private final RunContext context;
  private final ImageJudge judge;
  private final TraceTables tables;
  private final Budget budget;
  private final KnownImages images;
  private final KnownCulprits culprits;
  private final Consumer<StateVerdicts> sink;

  /**
   * @param tables what the numbers of the moments' stores mean
   * @param images what is known of images, which this adds to
   * @param culprits the same of culprits
   * @param sink takes what was found, from several threads
   */
  StateExplorer(
      RunContext context,
      ImageJudge judge,
      TraceTables tables,
      Budget budget,
      KnownImages images,
      KnownCulprits culprits,
      Consumer<StateVerdicts> sink) {
    this.context = context;
    this.judge = judge;
    this.tables = tables;
    this.budget = budget;
    this.images = images;
    this.culprits = culprits;
    this.sink = sink;
  }

  /**
   * Judges the candidates of a moment.
   *
   * @param moment at which recovery copes with program order
   * @param places where its images are made
   */
  void explore(Moment moment, RecordedImages places) {
    Exploration exploration = new Exploration(moment, places);
    boolean complete = true;
    for (Candidate candidate : moment.candidates()) {
      context.checkInterrupted();
      if (!budget.spendState()) {
        complete = false;
        break;
      }
      exploration.judge(candidate);
    }
    sink.accept(exploration.verdicts(complete));
  }

  /** The exploration of one moment. */
  private final class Exploration {
    private final Moment moment;
    private final StateNames names;
    private final RecordedImages places;
    private final Map<String, Integer> chosen = new LinkedHashMap<>();
    private final List<Judgement> findings = new ArrayList<>();
    private final Set<String> again = new LinkedHashSet<>();
    private final Inquiry inquiry;
    private final Optional<UnreadLines> unreadLines;
    private final Optional<ExpectedDumps> expected;
    private int unread;
    private int failing;

    Exploration(Moment moment, RecordedImages places) {
      this.moment = moment;
      this.names = new StateNames(tables, moment);
      this.inquiry = new Inquiry(judge, images, moment.visit());
      this.places = places;
      this.expected = moment.expected(judge, places);
      this.unreadLines =
          context.campaign().crashStates().skipUnread()
              ? Optional.of(new UnreadLines(moment, places, new RecoveryReads(context)))
              : Optional.empty();
    }

    StateVerdicts verdicts(boolean complete) {
      return new StateVerdicts(
          moment.visit().id().toString(),
          moment.visit().number(),
          chosen,
          inquiry.recoveries(),
          unread,
          failing,
          findings,
          List.copyOf(again),
          inquiry.inconclusive(),
          complete);
    }

    void judge(Candidate candidate) {
      chosen.merge(candidate.policy().toString(), 1, Integer::sum);
      CrashState read = withoutUnread(candidate.state());
      unread += read.equals(candidate.state()) ? 0 : 1;
      if (read.isProgramOrder()) {
        return;
      }
      Verdict.Kind kind = ask(read);
      failing += kind.isFinding() ? 1 : 0;
      // One state may show several mistakes: what is left without the first may fail, too.
      for (int mistake = 0; mistake < MOST_MISTAKES && kind.isFinding(); mistake++) {
        CrashState blamed = blame(new Candidate(candidate.policy(), read), kind);
        read = without(read, blamed);
        kind = read.isProgramOrder() ? Verdict.Kind.CONSISTENT : ask(read);
      }
    }

    private CrashState without(CrashState state, CrashState part) {
      Set<Long> gone =
          part.differences().stream().map(LineDifference::location).collect(Collectors.toSet());
      return CrashState.of(
          state.differences().stream().filter(line -> !gone.contains(line.location())).toList());
    }

    private CrashState withoutUnread(CrashState state) {
      try {
        return unreadLines.isPresent() ? unreadLines.get().without(state) : state;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Finds who is to blame, and returns the part of the state that shows it. */
    private CrashState blame(Candidate candidate, Verdict.Kind kind) {
      Optional<KnownCulprits.Sighting> known = culprits.find(candidate.state(), this::fails);
      if (known.isPresent()) {
        seenAgain(known.get().fingerprint());
        return known.get().part();
      }
      int probes = kind == Verdict.Kind.HUNG ? MOST_PROBES_OF_HANGS : MOST_PROBES;
      Culprit culprit =
          new CulpritSearch(moment.states(), this::fails, probes).search(candidate.state());
      if (culprit.lost().isEmpty()) {
        inquiry.note("the lost stores are not known any more");
        return culprit.state();
      }
      JudgedState state = names.judgedState(candidate, culprit, shownBefore(culprit));
      Optional<Judgement> proof = prove(culprit.state(), state);
      if (proof.isPresent()) {
        culprits.add(culprit, state.fingerprint());
        findings.add(proof.get());
      }
      return culprit.state();
    }

    /**
     * Where program order shows the same: a failure point in front of the lost stores, from whose
     * image, as from this state, they are missing, and with them nothing but what came in between.
     * Up to them recovery cannot cope.
     */
    private Optional<FailurePointId> shownBefore(Culprit culprit) {
      CrashStates states = moment.states();
      long first =
          culprit.lost().stream().mapToLong(lost -> lost.store().ordinal()).min().orElseThrow();
      if (!fails(states.before(first))) {
        return Optional.empty();
      }
      return states.lines().stream()
          .flatMap(line -> line.stores().stream())
          .map(PendingStore::ordinal)
          .filter(ordinal -> ordinal <= first)
          .distinct()
          .sorted(Comparator.reverseOrder())
          .limit(MOST_STORES_BACK)
          .flatMap(ordinal -> images.passed(hash(states.before(ordinal)), moment.visit()).stream())
          .map(Visit::id)
          .findFirst();
    }

    private ImageHash hash(CrashState state) {
      try (CrashImage image = moment.image().with(state)) {
        return image.hash();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void seenAgain(String fingerprint) {
      boolean isFoundHere =
          findings.stream()
              .flatMap(finding -> finding.state().stream())
              .anyMatch(state -> state.fingerprint().equals(fingerprint));
      if (!isFoundHere) {
        again.add(fingerprint);
      }
    }

    private boolean fails(CrashState state) {
      return ask(state).isFinding();
    }

    private Verdict.Kind ask(CrashState state) {
      try (CrashImage image = moment.image().with(state)) {
        return inquiry.ask(KnownImages.Key.of(image.hash(), moment), copies(image));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private RecordedImages.Copies copies(CrashImage image) {
      return places.of(image, moment.acknowledged()).expecting(expected);
    }

    private Optional<Judgement> prove(CrashState state, JudgedState named) {
      try (CrashImage image = moment.image().with(state)) {
        return inquiry
            .prove(
                copies(image),
                image.hash(),
                context.directory().imageDirectory(moment.visit(), named.id()))
            .map(proof -> proof.withState(named));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
