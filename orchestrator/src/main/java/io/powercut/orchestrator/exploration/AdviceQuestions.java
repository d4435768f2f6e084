// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.CrashState;
import io.powercut.report.evidence.Occurrence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The findings for which advice is to be tried once the trace is whole, and where else they showed.
 * Safe for use by several threads.
 */
public final class AdviceQuestions {
  /** Findings beyond this get no advice. */
  private static final int MOST = 256;

  /** Of one finding, besides the first. */
  private static final int MOST_SIGHTINGS = 16;

  /**
   * A finding.
   *
   * @param state the name of its state
   * @param fingerprint of the finding
   * @param flushes whether the program persists by instructions, and not by system calls
   * @param codes of the lost stores of all findings with the fingerprint: those of one line, called
   *     from several places, or compiled several times
   * @param shown where it showed, with the state that showed it; the first is where it was found
   */
  record Question(
      String state,
      String fingerprint,
      Culprit culprit,
      boolean flushes,
      Set<StoreCode> codes,
      Map<Occurrence, CrashState> shown) {
    /** Where it was found. */
    Occurrence occurrence() {
      return shown.keySet().iterator().next();
    }
  }

  private final Map<KnownCulprits.Discovery, Question> questions = new LinkedHashMap<>();

  /** By fingerprint. */
  private final Map<String, Set<StoreCode>> codes = new HashMap<>();

  /** By fingerprint, where findings showed for which no advice is tried. */
  private final Map<String, Map<Occurrence, CrashState>> unasked = new HashMap<>();

  /**
   * A finding whose lost store is proved to be a cause.
   *
   * @param flushes whether the program persists by instructions, and not by system calls
   */
  synchronized void add(
      KnownCulprits.Discovery here, String fingerprint, Culprit culprit, boolean flushes) {
    if (questions.size() < MOST) {
      Map<Occurrence, CrashState> shown = new LinkedHashMap<>();
      shown.put(here.occurrence(), culprit.state());
      questions.putIfAbsent(
          here,
          new Question(
              here.state(), fingerprint, culprit, flushes, codes(fingerprint, culprit), shown));
    }
  }

  /**
   * A finding whose advice is not tried, as recovery fails before the lost store, too. Advice for
   * the same elsewhere has to make this state impossible as well.
   */
  synchronized void addUnasked(String fingerprint, Occurrence occurrence, Culprit culprit) {
    codes(fingerprint, culprit);
    CrashState state = culprit.state();
    Map<Occurrence, CrashState> shown =
        unasked.computeIfAbsent(fingerprint, unknown -> new LinkedHashMap<>());
    if (shown.size() < MOST_SIGHTINGS && state.isFew()) {
      shown.putIfAbsent(occurrence, state);
    }
  }

  /** With those of this culprit. */
  private Set<StoreCode> codes(String fingerprint, Culprit culprit) {
    Set<StoreCode> all = codes.computeIfAbsent(fingerprint, unknown -> new HashSet<>());
    all.add(culprit.lost().get(0).store().code());
    return all;
  }

  /** The same culprit showed again. */
  synchronized void seenAgain(
      KnownCulprits.Discovery first, Occurrence occurrence, CrashState part) {
    Optional.ofNullable(questions.get(first))
        .filter(question -> question.shown().size() <= MOST_SIGHTINGS && part.isFew())
        .ifPresent(question -> question.shown().putIfAbsent(occurrence, part));
  }

  /** All of them. */
  public synchronized List<Question> all() {
    for (Question question : questions.values()) {
      unasked.getOrDefault(question.fingerprint(), Map.of()).forEach(question.shown()::putIfAbsent);
    }
    return new ArrayList<>(questions.values());
  }
}
