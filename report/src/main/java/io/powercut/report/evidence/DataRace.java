// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.tree.Severity;
import io.powercut.tree.UserCode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Two accesses of two threads to the same bytes, one of them a write, that nothing orders (KARD,
 * ASPLOS 2021; HMTRace). The program was compiled by {@code powercut cc}.
 *
 * @param detectors the algorithms that found it, in alphabetical order
 * @param confirmed whether both accesses were seen, and are no atomic ones; KARD also suspects an
 *     access to what another thread had used in the critical section that it is in. Then {@code
 *     first} is that section
 * @param size how many bytes both accesses use, from 1
 * @param memory what these bytes held at the second access, as a hexadecimal number; nothing when
 *     they were freed
 * @param object what they belong to
 * @param first the access that came first in this run
 * @param second the other one
 * @param runs in how many runs it was seen, from 1
 * @param searched how many runs there were
 */
public record DataRace(
    List<String> detectors,
    boolean confirmed,
    int size,
    Optional<String> memory,
    Thing object,
    Access first,
    Access second,
    int runs,
    int searched)
    implements Evidence {
  /** The kind of a finding in which both accesses were seen. */
  public static final String CONFIRMED = "DATA_RACE";

  /** The kind of a finding of what is only suspected. */
  public static final String UNCONFIRMED = "UNCONFIRMED_DATA_RACE";

  /** Keeps its own copy. */
  public DataRace {
    detectors = List.copyOf(detectors);
  }

  /**
   * An object of the program.
   *
   * @param name in words
   * @param allocated where it was allocated, innermost first; empty if it was not
   */
  public record Thing(String name, List<StackFrame> allocated) {
    /** Keeps its own copy. */
    public Thing {
      allocated = List.copyOf(allocated);
    }
  }

  /**
   * A lock that was held.
   *
   * @param shared whether it was held to read only
   * @param lock the lock
   * @param taken where it was taken; empty when unknown
   */
  public record HeldLock(boolean shared, Thing lock, List<StackFrame> taken) {
    /** Keeps its own copy. */
    public HeldLock {
      taken = List.copyOf(taken);
    }

    private String inWords() {
      return lock.name() + (shared ? " (shared)" : "");
    }
  }

  /**
   * One access.
   *
   * @param kind {@code read}, {@code write} or {@code free}, {@code atomic} before it if it is
   * @param size bytes
   * @param thread number of the thread in order of creation; that of main is 0
   * @param created where the thread was created; empty for that of main
   * @param stack where it happened
   * @param locks what the thread held
   */
  public record Access(
      String kind,
      int size,
      int thread,
      List<StackFrame> created,
      List<StackFrame> stack,
      List<HeldLock> locks) {
    /** Keeps its own copies. */
    public Access {
      created = List.copyOf(created);
      stack = List.copyOf(stack);
      locks = List.copyOf(locks);
    }

    private boolean changes() {
      return !kind.endsWith("read");
    }

    /** What was done, by which thread, and with which locks. */
    public String inWords() {
      return "%s of %s by thread %d, %s".formatted(kind, bytes(size), thread, locksInWords());
    }

    /** {@code without a lock}, or {@code with} those that were held. */
    public String locksInWords() {
      return locks.isEmpty()
          ? "without a lock"
          : locks.stream().map(HeldLock::inWords).collect(Collectors.joining(" and ", "with ", ""));
    }

    private String place() {
      return UserCode.of(stack).map(StackFrame::text).orElse("unknown code");
    }
  }

  /** The same, found by these algorithms. */
  public DataRace foundBy(Collection<String> all) {
    return new DataRace(
        all.stream().sorted().distinct().toList(),
        confirmed,
        size,
        memory,
        object,
        first,
        second,
        runs,
        searched);
  }

  /** The same, seen in so many runs of all. */
  public DataRace in(int seenIn, int ofAll) {
    return new DataRace(detectors, confirmed, size, memory, object, first, second, seenIn, ofAll);
  }

  /**
   * Whether {@code first} is no access, but a critical section that holds KARD's key. What was
   * found on a recording has two accesses and is not confirmed either, since code does not show
   * which plain loads and stores are atomic.
   */
  public boolean hasHolder() {
    return !confirmed && detectors.contains("kard");
  }

  /** The kind of a finding with this evidence. */
  public String kind() {
    return confirmed ? CONFIRMED : UNCONFIRMED;
  }

  /** How much it claims: what is not confirmed is a warning. */
  public Severity severity() {
    return confirmed ? Severity.RACE : Severity.WARNING;
  }

  @Override
  public String seen() {
    return confirmed
        ? "%s in %s and %s in %s use the same bytes, and nothing orders them"
            .formatted(first.kind(), first.place(), second.kind(), second.place())
        : (hasHolder()
                ? "%s in %s, while the critical section of %s may use the same object"
                : "%s in %s and an access in %s use the same bytes; nothing orders them unless they are atomic")
            .formatted(second.kind(), second.place(), first.place());
  }

  /** The write, or what was only suspected. */
  @Override
  public List<StackFrame> stack() {
    return confirmed && first.changes() ? first.stack() : second.stack();
  }

  @Override
  public long count() {
    return runs;
  }

  /** The object and the bytes, what found the race, and in how many runs. */
  public String objectInWords() {
    return "%s%s, found by %s%s"
        .formatted(
            object.name(),
            memory
                .map(
                    value ->
                        ", which held 0x%s (%s) at the second access".formatted(value, bytes(size)))
                .orElse(""),
            String.join(" and ", detectors),
            searched == 1 ? "" : " in %d of %d runs".formatted(runs, searched));
  }

  /** {@code 1 byte}, {@code 8 bytes}. */
  public static String bytes(int size) {
    return size == 1 ? "1 byte" : size + " bytes";
  }

  @Override
  public <R> R match(
      Function<InjectionEvidence, R> injection,
      Function<TraceEvidence, R> trace,
      Function<PersistencyRace, R> race,
      Function<DataRace, R> dataRace) {
    return dataRace.apply(this);
  }
}
