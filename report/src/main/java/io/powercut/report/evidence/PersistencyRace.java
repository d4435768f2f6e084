// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonValue;
import io.powercut.tree.UserCode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A persistency-induced race in the trace: a thread loads what another thread stored and has not
 * persisted (HawkSet, EuroSys 2025; Vardalith).
 *
 * @param level how much is known of it; docs/races.md explains each
 * @param end what ended the time in which a crash takes the store away
 * @param store what a crash may take away
 * @param persist what ended that time; nothing if it did not end, or that is not known
 * @param load who may read the store before
 * @param file path of the PM file, relative to the PM directory
 * @param offset of the first byte in the file
 * @param size how many bytes from there on were stored and loaded
 * @param value what was stored there, hexadecimal as a number; nothing if it is not known or more
 *     than 8 bytes
 * @param observations how often the load was seen to read what was not persisted; 0 if never
 * @param overlapped whether the regions of store and load overlapped in time, at least once
 *     (Vardalith, definitions 1 and 2)
 * @param runs in how many runs of the target it was found
 * @param searched how many runs were searched
 * @param tried at which occurrence of a failure point, behind what the reader did with it, recovery
 *     was tried without the store first; nothing if it was not tried
 * @param triedAgain at which others, when the reader had done more
 * @param held the order of threads that was made to bring it about, if there was one
 */
public record PersistencyRace(
    Level level,
    End end,
    Step store,
    Optional<Step> persist,
    Step load,
    String file,
    long offset,
    int size,
    Optional<String> value,
    long observations,
    boolean overlapped,
    int runs,
    int searched,
    Optional<Occurrence> tried,
    List<Occurrence> triedAgain,
    Optional<HeldOrder> held)
    implements Evidence {
  /** Copies the list. Earlier versions wrote no {@code triedAgain}. */
  @SuppressWarnings("NullAway") // as old files are read
  public PersistencyRace {
    triedAgain = triedAgain == null ? List.of() : List.copyOf(triedAgain);
  }

  /** What is known of a race, the most first. */
  public enum Level {
    /** It was observed, and the reader persisted or announced something before the store was. */
    CONSEQUENCE,
    /** The load read what was not persisted. */
    OBSERVED,
    /** Nothing orders store and load, locks included. */
    REGION,
    /** No lock protects store, persist and load. */
    LOCKSET;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What ended the time in which a crash takes a store away. */
  public enum End {
    /** A persist. */
    PERSISTED,
    /** Another store over it, or its memory is gone. */
    OVERWRITTEN,
    /** Nothing, up to the end of the run. */
    NEVER;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Of two with equal evidence, the one of which a crash was tried. */
  public static final Comparator<PersistencyRace> STRONGEST_FIRST =
      Comparator.comparing(PersistencyRace::level).thenComparing(race -> race.tried().isEmpty());

  /** The end of the name of a finding's kind: {@code OBSERVED_RACE}. */
  private static final String KIND = "_RACE";

  /**
   * What to do about it, if the store is made under a lock that the reader holds, too, but is not
   * persisted under it: no other lock is needed.
   */
  public Optional<String> remedy() {
    return store.held().stream()
        .filter(lock -> load.held().stream().anyMatch(lock::excludes))
        .filter(lock -> persist.stream().noneMatch(step -> step.held().stream().anyMatch(lock::is)))
        .findFirst()
        .map(
            lock ->
                "persist it before %s %s is released, which the reader holds, too"
                    .formatted(lock.kind(), lock.address()));
  }

  /**
   * What to do about it, if the writer persists what it stored, but no lock keeps the reader from
   * coming between.
   *
   * @param isPastCache whether the store bypasses the cache: then a flush of the reader's does
   *     nothing for it
   */
  public Optional<String> remedyOfOrder(boolean isPastCache) {
    if (end != End.PERSISTED
        || store.held().stream().anyMatch(lock -> load.held().stream().anyMatch(lock::excludes))) {
      return Optional.empty();
    }
    String lock =
        store.held().stream()
            .filter(one -> !one.shared)
            .filter(
                one -> persist.stream().anyMatch(step -> step.held().stream().anyMatch(one::is)))
            .findFirst()
            .map(
                one ->
                    "let the reader take %s %s, which the writer holds"
                        .formatted(one.kind, one.address))
            .orElse("let both threads hold one lock, the writer");
    return Optional.of(
        lock
            + " until the store is persisted"
            + (isPastCache
                ? "; only the writer's own fence persists a store that bypasses the cache"
                : ", or let the reader persist what it loaded before it acts on it"));
  }

  /**
   * One thing that a thread did.
   *
   * @param thread its number, from 1
   * @param ordinal its place in the trace
   * @param stack its call stack, innermost first
   * @param held the locks that the thread held
   */
  public record Step(int thread, long ordinal, List<StackFrame> stack, List<Lock> held) {
    /** Copies the lists. */
    public Step {
      stack = List.copyOf(stack);
      held = List.copyOf(held);
    }

    /** Where, by which thread, and with which locks. */
    public String inWords() {
      return "%s, by thread %d, which holds %s"
          .formatted(
              place(stack),
              thread,
              held.isEmpty()
                  ? "no lock"
                  : held.stream().map(Lock::inWords).collect(Collectors.joining(", ")));
    }
  }

  /**
   * A lock that a thread held.
   *
   * @param kind for example {@code mutex}
   * @param address where it is, hexadecimal: in a PM file or in memory
   * @param shared whether other readers could hold it, too
   * @param acquired the call stack that acquired it; empty if it is not known
   */
  public record Lock(String kind, String address, boolean shared, List<StackFrame> acquired) {
    /** Copies the list. */
    public Lock {
      acquired = List.copyOf(acquired);
    }

    private boolean is(Lock other) {
      return kind.equals(other.kind) && address.equals(other.address);
    }

    private boolean excludes(Lock other) {
      return is(other) && !(shared && other.shared);
    }

    /** The lock, and since when it is held. */
    public String inWords() {
      return "%s %s%s%s"
          .formatted(
              kind,
              address,
              shared ? " (shared)" : "",
              acquired.isEmpty() ? "" : " since " + place(acquired));
    }
  }

  /** Where recovery was tried without the store, in the order of the trace. */
  public List<Occurrence> tries() {
    return Stream.concat(tried.stream(), triedAgain.stream()).toList();
  }

  /** The same, if a crash was tried there first; and nowhere else, if it was not known so far. */
  public PersistencyRace triedAt(Optional<Occurrence> place) {
    return place.equals(tried) ? this : triedAt(place.stream().toList());
  }

  /** The same, if a crash was tried there, in the order of the trace. */
  public PersistencyRace triedAt(List<Occurrence> places) {
    return with(runs, searched, places, held);
  }

  /** The same, if a writer was held to bring it about. */
  public PersistencyRace heldIn(HeldOrder order) {
    return with(runs, searched, tries(), Optional.of(order));
  }

  /** The same, found in so many runs of all that were searched. */
  public PersistencyRace in(int foundIn, int ofAll) {
    return with(foundIn, ofAll, tries(), held);
  }

  private PersistencyRace with(
      int foundIn, int ofAll, List<Occurrence> places, Optional<HeldOrder> order) {
    return new PersistencyRace(
        level,
        end,
        store,
        persist,
        load,
        file,
        offset,
        size,
        value,
        observations,
        overlapped,
        foundIn,
        ofAll,
        places.stream().findFirst(),
        places.stream().skip(1).toList(),
        order);
  }

  /** The kind of a finding with this evidence: {@code OBSERVED_RACE}. */
  public String kind() {
    return level.name() + KIND;
  }

  @Override
  public String seen() {
    return "%s %s what %s stored, before it is persisted"
        .formatted(
            place(load.stack()), observations > 0 ? "loads" : "may load", place(store.stack()));
  }

  /** The store, since it is usually there that a persist comes too late. */
  @Override
  public List<StackFrame> stack() {
    return store.stack();
  }

  @Override
  public long count() {
    return Math.max(1, observations);
  }

  /** The bytes, how often the load read them, and in how many runs that was found. */
  public String bytesInWords() {
    return "%d byte%s at 0x%x of %s%s%s%s"
        .formatted(
            size,
            size == 1 ? "" : "s",
            offset,
            file,
            value.map(" (%s stored)"::formatted).orElse(""),
            readInWords(),
            runsInWords());
  }

  private String readInWords() {
    if (overlapped && level == Level.REGION) {
      return ", at almost the same time";
    }
    return observations == 0
        ? ""
        : ", read %s before that".formatted(observations == 1 ? "once" : observations + " times");
  }

  private String runsInWords() {
    return searched == 1 ? "" : ", found in %d of %d runs".formatted(runs, searched);
  }

  private static String place(List<StackFrame> stack) {
    return UserCode.of(stack).map(StackFrame::text).orElse("unknown code");
  }

  @Override
  public <R> R match(
      Function<InjectionEvidence, R> injection,
      Function<TraceEvidence, R> trace,
      Function<PersistencyRace, R> race,
      Function<DataRace, R> dataRace) {
    return race.apply(this);
  }
}
