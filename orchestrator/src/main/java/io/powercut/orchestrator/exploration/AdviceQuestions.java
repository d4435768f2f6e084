// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.changes.ShortFlushes;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.Location;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The findings for which advice is to be tried once the trace is whole, and where else they showed.
 * Safe for use by several threads.
 */
public final class AdviceQuestions {
  /** Findings beyond this get no advice. */
  private static final int MOST = 256;

  /** At so many states of one finding, recovery is asked whether another order would help. */
  private static final int MOST_ORDERS = 4;

  /** Of one finding, besides the first. */
  private static final int MOST_SIGHTINGS = 16;

  /**
   * A finding.
   *
   * @param state the name of its state
   * @param fingerprint of the finding
   * @param flushes whether instructions persist the lost store's file, and not system calls; known
   *     once the run is over
   * @param codes of the lost stores of all findings with the fingerprint: those of one line, called
   *     from several places, or compiled several times
   * @param stores of one execution of that line
   * @param shown where it showed, and what was lost there; the first is where it was found
   * @param others what else has its fingerprint: there its store was lost together with others, or
   *     something else relied on it, or no advice is tried
   */
  record Question(
      String state,
      String fingerprint,
      Culprit culprit,
      boolean flushes,
      Set<StoreCode> codes,
      StoresOfLine stores,
      Map<Occurrence, Sighting> shown,
      Map<Occurrence, List<Sighting>> others) {
    /** Where it was found. */
    Occurrence occurrence() {
      return shown.keySet().iterator().next();
    }

    /** Whether what arrived was stored before what was lost: then another order may help. */
    boolean isOrder() {
      long when = culprit.lost().get(0).store().ordinal();
      return culprit.arrived().stream().limit(1).anyMatch(there -> there.store().ordinal() < when);
    }

    /**
     * Whether recovery fails for the same two stores elsewhere since the earlier one was lost, and
     * the later one was there.
     */
    boolean isReverseOf(Question other) {
      return !other.isOrder()
          && Stream.of(other.culprit().arrived(), culprit.arrived()).noneMatch(List::isEmpty)
          && isSame(culprit.lost(), other.culprit().arrived())
          && isSame(culprit.arrived(), other.culprit().lost());
    }

    private static boolean isSame(List<BlamedStore> one, List<BlamedStore> other) {
      return one.get(0).store().code().equals(other.get(0).store().code());
    }

    /** Where the advice has to help. */
    Set<Occurrence> occurrences() {
      Set<Occurrence> all = new LinkedHashSet<>(shown.keySet());
      all.addAll(others.keySet());
      return all;
    }

    /** What was lost at an occurrence of a failure point; empty if the finding did not show. */
    List<Sighting> at(Occurrence occurrence) {
      List<Sighting> all = new ArrayList<>(others.getOrDefault(occurrence, List.of()));
      Optional.ofNullable(shown.get(occurrence)).ifPresent(all::add);
      return all;
    }

    /** All that was lost. */
    List<Sighting> sightings() {
      return occurrences().stream().flatMap(occurrence -> at(occurrence).stream()).toList();
    }

    /** Whether nothing flushes the lost store before the one that arrived, if any has to. */
    boolean lacksFlush() {
      return flushes && !isOrder() && !culprit.lost().get(0).isFlushed();
    }

    /** What its line of code made that a state has lost. */
    List<ShortFlushes.StoreInLine> lost(CrashState lost) {
      return lost.differences().stream()
          .flatMap(
              line ->
                  line.missing().stream()
                      .filter(store -> codes.contains(store.code()))
                      .map(store -> new ShortFlushes.StoreInLine(store.ordinal(), line.location())))
          .toList();
    }

    private Question of(
        IntPredicate areFlushed, Map<Occurrence, Sighting> unasked, Collection<Question> all) {
      boolean byFlush = BlameText.flushes(areFlushed, culprit);
      Map<Occurrence, List<Sighting>> others = new LinkedHashMap<>();
      addTo(others, unasked);
      if (byFlush && !isOrder()) {
        all.stream()
            .filter(other -> !other.equals(this) && other.fingerprint().equals(fingerprint))
            .forEach(other -> addTo(others, other.shown()));
      }
      return new Question(state, fingerprint, culprit, byFlush, codes, stores, shown, others);
    }

    private static void addTo(
        Map<Occurrence, List<Sighting>> others, Map<Occurrence, Sighting> shown) {
      shown.forEach(
          (occurrence, sighting) ->
              others.computeIfAbsent(occurrence, unknown -> new ArrayList<>()).add(sighting));
    }
  }

  /**
   * A state that showed a finding.
   *
   * @param lost the newest of the stores to blame that it lost: {@link InFlightStore#ordinal}
   * @param there of the store that arrived without it; nothing if none has to, or it is not known
   * @param distance how many events there were from the lost store to the power cut
   * @param isOther whether program order shows another mistake there, so that advice need not help
   */
  record Sighting(CrashState state, long lost, OptionalLong there, long distance, boolean isOther) {
    /** Whether the store that arrives is lost as well here: then that is not why recovery fails. */
    boolean lacksBoth() {
      return there.isPresent()
          && state.missing().stream().anyMatch(store -> store.ordinal() == there.getAsLong());
    }
  }

  private final Map<KnownCulprits.Discovery, Question> questions = new LinkedHashMap<>();

  /** Where nothing has flushed the first lost store yet. */
  private final Map<KnownCulprits.Discovery, Culprit> notFlushed = new LinkedHashMap<>();

  /** Where only direct mapping seemed to allow a state, with the files of the lost stores. */
  private final Map<KnownCulprits.Discovery, Set<Integer>> onDaxOnly = new LinkedHashMap<>();

  private IntPredicate areFlushed = file -> false;

  /** By fingerprint. */
  private final Map<String, Set<StoreCode>> codes = new HashMap<>();

  /** By fingerprint. */
  private final Map<String, StoresOfLine> stores = new HashMap<>();

  /** How often recovery was asked for another order, by finding. */
  private final Map<KnownCulprits.Discovery, Integer> orders = new HashMap<>();

  /** Findings without a question for which it was shown where they were found. */
  private final Set<KnownCulprits.Discovery> wrongInBothOrders = new LinkedHashSet<>();

  /** The fingerprints of findings whose stores are wrong in either order somewhere in the run. */
  private final Set<String> wrongOrders = new HashSet<>();

  /** By fingerprint, where findings showed for which no advice is tried. */
  private final Map<String, Map<Occurrence, Sighting>> unasked = new HashMap<>();

  /** By finding without a cause that is proved, its fingerprint. */
  private final Map<KnownCulprits.Discovery, String> involved = new HashMap<>();

  /** A finding, with or without a cause: what the rest of the run does may say more of it. */
  synchronized void addFinding(KnownCulprits.Discovery here, JudgedState state, Culprit culprit) {
    if (state.daxOnly()) {
      onDaxOnly.put(
          here,
          culprit.lost().stream()
              .map(lost -> Location.file(lost.line().location()))
              .collect(Collectors.toSet()));
    }
    JudgedState.Store first = state.lost().get(0);
    if (notFlushed.size() < MOST && first.role() == JudgedState.Role.CAUSE && first.isUnflushed()) {
      notFlushed.put(here, culprit);
    }
  }

  /**
   * The run is over.
   *
   * @param flushed whether instructions persist a file in it
   */
  public synchronized void ended(IntPredicate flushed) {
    areFlushed = flushed;
  }

  /** Whether instructions persist the first lost store in the run, and not system calls. */
  synchronized boolean flushes(Culprit culprit) {
    return BlameText.flushes(areFlushed, culprit);
  }

  /** The findings whose first lost store nothing had flushed where they were found. */
  synchronized Map<KnownCulprits.Discovery, Culprit> notFlushed() {
    return new LinkedHashMap<>(notFlushed);
  }

  /**
   * The findings that seemed possible on directly mapped memory only where they were found, since
   * no instruction had persisted anything by then. The rest of the run has shown that it is what
   * the program runs on.
   */
  synchronized List<KnownCulprits.Discovery> onDaxAnyway() {
    return onDaxOnly.entrySet().stream()
        .filter(found -> found.getValue().stream().anyMatch(areFlushed::test))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A finding whose lost store is proved to be a cause. */
  synchronized void add(KnownCulprits.Discovery here, String fingerprint, Culprit culprit) {
    if (questions.size() < MOST) {
      Map<Occurrence, Sighting> shown = new LinkedHashMap<>();
      shown.put(here.occurrence(), sighting(culprit, 0, false));
      questions.putIfAbsent(
          here,
          new Question(
              here.state(),
              fingerprint,
              culprit,
              false,
              codes(fingerprint, culprit),
              stores.computeIfAbsent(fingerprint, unknown -> new StoresOfLine()),
              shown,
              Map.of()));
    }
  }

  private static Sighting sighting(Culprit culprit, long distance, boolean isOther) {
    OptionalLong there =
        culprit.arrived().stream().mapToLong(store -> store.store().ordinal()).findFirst();
    return new Sighting(culprit.state(), lost(culprit), there, distance, isOther);
  }

  private static long lost(Culprit culprit) {
    return culprit.lost().get(0).store().ordinal();
  }

  /**
   * A finding without a cause that is proved: recovery fails only if several stores are lost, such
   * as both copies of what was acknowledged. Advice for the first of them elsewhere has to make
   * this state impossible, and those in which the same shows again.
   *
   * @param isOther as for {@link #addUnasked}
   */
  synchronized void addInvolved(
      KnownCulprits.Discovery here, String fingerprint, Culprit culprit, boolean isOther) {
    addUnasked(fingerprint, here, culprit, isOther);
    if (!isOther) {
      involved.put(here, fingerprint);
    }
  }

  /**
   * A finding whose advice is not tried, as recovery fails before the lost store, too. Advice for
   * the same elsewhere has to make this state impossible as well.
   *
   * @param isOther whether program order shows another mistake there: then it is only better to
   */
  synchronized void addUnasked(
      String fingerprint, KnownCulprits.Discovery here, Culprit culprit, boolean isOther) {
    codes(fingerprint, culprit);
    long distance = here.cut() - lost(culprit);
    if (culprit.state().isFew() && makeRoom(unasked(fingerprint), here.occurrence(), distance)) {
      unasked(fingerprint).put(here.occurrence(), sighting(culprit, distance, isOther));
    }
  }

  private Map<Occurrence, Sighting> unasked(String fingerprint) {
    return unasked.computeIfAbsent(fingerprint, unknown -> new LinkedHashMap<>());
  }

  /** With those of this culprit. */
  private Set<StoreCode> codes(String fingerprint, Culprit culprit) {
    Set<StoreCode> all = codes.computeIfAbsent(fingerprint, unknown -> new HashSet<>());
    all.add(culprit.lost().get(0).store().code());
    return all;
  }

  /**
   * A store whose loss is proved to be a cause.
   *
   * @param fingerprint of the finding
   */
  synchronized void addStore(String fingerprint, ImageStore lost) {
    stores.computeIfAbsent(fingerprint, unknown -> new StoresOfLine()).add(lost);
  }

  /**
   * The same culprit showed again. Those are kept behind which the power was cut soonest: what is
   * added to persist the lost store comes too late there if it does anywhere.
   *
   * @param moment where, with the state that lost the stores of the culprit
   * @param cut the last event before the power cut
   */
  synchronized void seenAgain(
      KnownCulprits.Discovery first, CrashPoint moment, CrashState part, long cut) {
    Question question = questions.get(first);
    String fingerprint = question == null ? involved.get(first) : question.fingerprint();
    if (fingerprint == null || !part.isFew()) {
      return;
    }
    Map<Occurrence, Sighting> shown = question == null ? unasked(fingerprint) : question.shown();
    Set<StoreCode> blamed = codes.getOrDefault(fingerprint, Set.of());
    OptionalLong lost =
        part.missing().stream()
            .filter(store -> blamed.contains(store.code()))
            .mapToLong(InFlightStore::ordinal)
            .max();
    long distance = cut - lost.orElse(0);
    if (lost.isPresent() && makeRoom(shown, moment.occurrence(), distance)) {
      OptionalLong there =
          question == null
              ? OptionalLong.empty()
              : lastBefore(lost.getAsLong(), question.culprit(), moment.states());
      shown.put(moment.occurrence(), new Sighting(part, lost.getAsLong(), there, distance, false));
    }
  }

  /** Whether there is room for a sighting; one that is farther gives way to it. */
  private static boolean makeRoom(Map<Occurrence, Sighting> shown, Occurrence here, long distance) {
    Sighting same = shown.get(here);
    if (same != null || shown.size() <= MOST_SIGHTINGS) {
      return same == null || distance < same.distance();
    }
    Map.Entry<Occurrence, Sighting> farthest =
        Collections.max(
            shown.entrySet(), Comparator.comparingLong(one -> one.getValue().distance()));
    boolean isNearer = distance < farthest.getValue().distance();
    if (isNearer) {
      shown.remove(farthest.getKey());
    }
    return isNearer;
  }

  /** Of the code that made the store which arrived too early. */
  private static OptionalLong lastBefore(long lost, Culprit culprit, CrashStates states) {
    Set<StoreCode> early =
        culprit.arrived().stream()
            .limit(1)
            .map(store -> store.store().code())
            .collect(Collectors.toSet());
    return early.isEmpty()
        ? OptionalLong.empty()
        : states.sample(CrashStates.FEW_LINES).stream()
            .flatMap(line -> line.stores().stream())
            .filter(store -> store.ordinal() < lost && early.contains(store.code()))
            .mapToLong(InFlightStore::ordinal)
            .max();
  }

  /**
   * The code whose store arrived too early, if the advice is to make it later, and recovery is to
   * be asked whether that helps here, too.
   *
   * @param lost the code of the store that was lost here
   */
  synchronized Optional<StoreCode> orderToAsk(KnownCulprits.Discovery first, StoreCode lost) {
    Question question = questions.get(first);
    if (question == null
        || !question.isOrder()
        || !question.culprit().lost().get(0).store().code().equals(lost)
        || wrongOrders.contains(question.fingerprint())
        || orders.merge(first, 1, Integer::sum) > MOST_ORDERS) {
      return Optional.empty();
    }
    return question.culprit().arrived().stream().findFirst().map(there -> there.store().code());
  }

  /**
   * Somewhere in the run, the stores of a finding are wrong in the other order as well. That order
   * is not advised.
   */
  synchronized void refuteOrder(String fingerprint) {
    wrongOrders.add(fingerprint);
  }

  /**
   * Two stores of which recovery needs either if the other is there. To make the one that is lost
   * first is no help.
   */
  synchronized void addWrongInBothOrders(KnownCulprits.Discovery here) {
    wrongInBothOrders.add(here);
  }

  /** The findings of two stores that are wrong in the one order here, in the other elsewhere. */
  synchronized Set<KnownCulprits.Discovery> wrongInBothOrders() {
    Set<KnownCulprits.Discovery> all = new LinkedHashSet<>(wrongInBothOrders);
    questions.forEach(
        (here, question) -> {
          if (isWrongOrder(question)) {
            all.add(here);
          }
        });
    return all;
  }

  private boolean isWrongOrder(Question question) {
    return question.isOrder()
        && (wrongOrders.contains(question.fingerprint())
            || questions.values().stream().anyMatch(question::isReverseOf));
  }

  /** All of them. */
  synchronized List<Question> all() {
    return questions.values().stream()
        .filter(question -> !isWrongOrder(question))
        .map(
            question ->
                question.of(
                    areFlushed,
                    unasked.getOrDefault(question.fingerprint(), Map.of()),
                    questions.values()))
        .toList();
  }
}
