// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.LineRead;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.reads.KnownReads;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import io.powercut.trace.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Replaces states of one moment by smaller ones that recovery cannot tell from them: a recovery
 * that reads none of the lines in which two images differ does the same on both. As in Jaaru
 * (Gorjiara, Xu and Demsky, ASPLOS 2021) what is read decides which states there are to explore;
 * here by line and by image, which needs no change of the recovery.
 */
final class UnreadLines {
  private static final CrashState PROGRAM_ORDER = CrashState.of(List.of());

  /** For fewer candidates a run that only shows reads does not pay. */
  private static final int WORTH_A_RUN = 3;

  private final CrashPoint moment;
  private final RecordedImages places;
  private final RecoveryReads recovery;
  private final KnownReads known;
  private final Effort effort;
  private final Asker asker;

  /** The lines in which candidates differ from program order, with the bytes. */
  private final Map<ImageLine, Long> asked;

  /** What recovery reads on the images of states; nothing where that cannot be found out. */
  private final Map<CrashState, Optional<ImageReads>> reads = new HashMap<>();

  /** The same as {@link #reads}, in another form, of the states of which it was wanted. */
  private final Map<CrashState, DecidingRun> runs = new LinkedHashMap<>();

  /** Has states judged. */
  interface Asker {
    /**
     * Has a state judged, unless that was done already.
     *
     * @param watch to be answered on the way
     */
    Verdict.Kind ask(CrashState state, Optional<ReadsWatch> watch);

    /** With which runs are watched that judge anyway. */
    default Effort effort() {
      return Effort.USUAL;
    }

    /**
     * What recovery reads was found out.
     *
     * @param reads the bytes of a line that it reads or tests; nothing of lines that it was not
     *     asked about
     */
    default void learned(Function<ImageLine, Optional<Long>> reads) {}

    /** Recovery ran for its reads alone. */
    void countRun();

    /**
     * Recovery was watched while it judged.
     *
     * @param isWanted whether it would have judged that state in any case
     */
    void countWatched(ReadsWatch watch, boolean isWanted);
  }

  /**
   * @param known what is known of images, which this adds to
   * @param watch of the run that judged the program-order image; nothing if there was none
   */
  UnreadLines(
      CrashPoint moment,
      RecordedImages places,
      RecoveryReads recovery,
      KnownReads known,
      Optional<ReadsWatch> watch,
      Asker asker) {
    this.moment = moment;
    this.places = places;
    this.recovery = recovery;
    this.known = known;
    this.effort = asker.effort();
    this.asker = asker;
    this.asked = asked(moment);
    watch
        .filter(ReadsWatch::isAsked)
        .ifPresent(
            seen -> {
              asker.countWatched(seen, true);
              reads.put(PROGRAM_ORDER, learn(moment.image(), seen.answer()));
            });
  }

  private Optional<ImageReads> learn(CrashImage image, Optional<ImageReads> found) {
    found.ifPresent(
        those -> {
          known.add(VerdictCache.Key.of(image.hash(), moment), asked, those);
          if (!those.isCoarse()) {
            Map<ImageLine, Long> tested = those.conditions().bytes();
            asker.learned(
                line ->
                    asked.containsKey(line)
                        ? Optional.of(
                            those.of(line.path(), line.offset()).bytes()
                                | tested.getOrDefault(line, 0L))
                        : Optional.empty());
          }
        });
    return found;
  }

  /**
   * The lines in which candidates of a moment differ from program order, with the bytes; all lines
   * of which something may be lost where it may be that all states are decided.
   */
  static Map<ImageLine, Long> asked(CrashPoint moment) {
    if (CompleteSearch.isPossible(moment.states())) {
      return allOpen(moment.states(), location -> line(moment, location));
    }
    Map<ImageLine, Long> asked = new HashMap<>();
    moment.candidates().states().stream()
        .map(Candidate::state)
        .filter(CrashState::isFew)
        .flatMap(state -> state.differences().stream())
        .forEach(
            difference ->
                asked.merge(
                    line(moment, difference.location()),
                    difference.changed(),
                    (one, more) -> one | more));
    return asked;
  }

  /** All lines of which something may be lost, with these bytes. */
  static Map<ImageLine, Long> allOpen(CrashStates states, LongFunction<ImageLine> names) {
    Map<ImageLine, Long> open = new HashMap<>();
    for (InFlightLine line : states.lines()) {
      if (line.open() != 0) {
        open.put(names.apply(line.location()), line.open());
      }
    }
    return open;
  }

  private static ImageLine line(CrashPoint moment, long location) {
    return ImageLine.of(moment.pathOf(location), Location.offset(location));
  }

  /**
   * The state with the fewest differences that recovery takes for this one: it begins with none,
   * and gets those that recovery reads on the image so far, until there are no more. It is enough
   * that the conditions of a run hold where it does not read.
   */
  CrashState without(CrashState state) throws IOException {
    CrashState part = PROGRAM_ORDER;
    while (true) {
      Optional<ImageReads> read = readsOn(part);
      if (read.isEmpty()) {
        return state;
      }
      if (decides(part, read.get(), state)) {
        return part;
      }
      List<LineDifference> lines = new ArrayList<>(part.differences());
      for (LineDifference line : state.differences()) {
        if (!part.differences().contains(line) && isSeen(line, read.get())) {
          lines.add(line);
        }
      }
      if (lines.size() == part.differences().size()) {
        return part;
      }
      if (lines.size() == state.differences().size()) {
        return state; // What it reads in there leaves nothing out.
      }
      part = CrashState.of(lines);
    }
  }

  private boolean decides(CrashState part, ImageReads read, CrashState state) {
    return !read.conditions().isEmpty()
        && CompleteSearch.isPossible(moment.states())
        && DecidingRun.of(part, byLocation(read), moment.states().lines()).decides(state);
  }

  /** Whether it depends on bytes in which the line is not as in program order. */
  private boolean isSeen(LineDifference line, ImageReads read) {
    ImageLine name = line(moment, line.location());
    long bytes =
        read(line.location(), read).bytes() | read.conditions().bytes().getOrDefault(name, 0L);
    return (line.changed() & bytes) != 0;
  }

  private LineRead read(long location, ImageReads read) {
    return read.of(moment.pathOf(location), Location.offset(location));
  }

  /** What recovery reads in a state, by location; nothing if that takes a run. */
  Optional<CompleteSearch.Reads> known(CrashState state) throws IOException {
    Optional<ImageReads> found = reads.getOrDefault(state, Optional.empty());
    if (found.isEmpty()) {
      try (CrashImage image = moment.image().with(state)) {
        found = known.find(VerdictCache.Key.of(image.hash(), moment), asked);
      }
    }
    return found.map(this::byLocation);
  }

  private CompleteSearch.Reads byLocation(ImageReads found) {
    return CompleteSearch.Reads.of(found, location -> line(moment, location));
  }

  /**
   * The same, by a run if need be: one that also judges the state, if it was not judged yet.
   *
   * @param isThorough whether it runs although something is known, and with more effort
   */
  CompleteSearch.Reads find(CrashState state, boolean isThorough) throws IOException {
    Optional<ImageReads> found = isThorough ? Optional.<ImageReads>empty() : readsOn(state);
    if (found.isEmpty()) {
      try (CrashImage image = moment.image().with(state)) {
        Effort more = isThorough ? Effort.THOROUGH : effort;
        found = learn(image, judging(state, more));
        if (found.isEmpty()) {
          asker.countRun();
          found = learn(image, recovery.on(places.of(image, moment.acknowledged()), asked, more));
        }
      }
      reads.put(state, found);
    }
    return byLocation(found.orElse(ImageReads.ALL));
  }

  /**
   * A state on which recovery ran and that it cannot tell from this one; nothing if none of those
   * is known whose reads are.
   */
  Optional<CrashState> alike(CrashState state) {
    if (!state.isFew() || !CompleteSearch.isPossible(moment.states())) {
      return Optional.empty();
    }
    return runs().stream().filter(run -> run.decides(state)).map(DecidingRun::state).findFirst();
  }

  /** What recovery depended on where that is known. */
  private Collection<DecidingRun> runs() {
    List<InFlightLine> lines = moment.states().lines();
    reads.forEach(
        (state, read) ->
            read.ifPresent(
                found ->
                    runs.computeIfAbsent(
                        state, now -> DecidingRun.of(now, byLocation(found), lines))));
    return runs.values();
  }

  /** On which recovery ran, and it is known what it read. */
  List<CrashState> states() {
    return reads.entrySet().stream()
        .filter(entry -> entry.getValue().isPresent())
        .map(Map.Entry::getKey)
        .toList();
  }

  private Optional<ImageReads> readsOn(CrashState state) throws IOException {
    Optional<ImageReads> found = reads.get(state);
    if (found == null) {
      found = findReads(state);
      reads.put(state, found);
    }
    return found;
  }

  private Optional<ImageReads> findReads(CrashState state) throws IOException {
    try (CrashImage image = moment.image().with(state)) {
      Optional<ImageReads> found = known.find(VerdictCache.Key.of(image.hash(), moment), asked);
      return found.isPresent() ? found : learn(image, runFor(state, image));
    }
  }

  private Optional<ImageReads> runFor(CrashState state, CrashImage image) throws IOException {
    boolean isWatched = recovery.besideJudging(asked, effort).isPresent();
    if (isWatched && !state.isProgramOrder()) {
      return judging(state, effort);
    }
    if (isWatched && moment.candidates().states().size() < WORTH_A_RUN) {
      return Optional.empty();
    }
    asker.countRun();
    return recovery.on(places.of(image, moment.acknowledged()), asked, effort);
  }

  /** By the run that judges a state; nothing if it was judged before. */
  private Optional<ImageReads> judging(CrashState state, Effort spent) {
    Optional<ReadsWatch> watch = recovery.besideJudging(asked, spent);
    if (watch.isEmpty() || state.isProgramOrder()) {
      return Optional.empty();
    }
    asker.ask(state, watch);
    if (watch.get().isAsked()) {
      asker.countWatched(watch.get(), false);
    }
    return watch.get().answer();
  }
}
