// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import io.powercut.tree.FailurePointId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How a crash image differs from that of program order at the same failure point, and why that
 * matters.
 *
 * @param id 16 hexadecimal digits, the same for the same lines with the same contents
 * @param policy the policy that chose the state in which it was found, such as {@code
 *     one-line-lost}; it may have lost more than this one
 * @param fingerprint of the finding: of the functions that made the first lost store
 * @param lines the cache lines that are not as in program order; none when there are more than the
 *     search could tell apart, and then the state cannot be rebuilt from another recording
 * @param lost the stores whose loss recovery cannot handle, the one to look at first at the start;
 *     never empty
 * @param arrived the stores that have to persist before them for it, although they were in flight
 *     too; empty when the loss alone is enough
 * @param smallest whether none of these can be left out; else the search for it was cut short
 * @param shownBefore a failure point before the lost stores whose program-order image shows the
 *     same mistake, if there is one: 16 hexadecimal digits
 * @param remedy what is missing or misplaced, in words; of stores that are not proved to be a
 *     cause, only that they are involved
 * @param advice what to do, when it was tried on the recorded run and this state, and every other
 *     that showed the same, was not possible any more; nothing when that did not show
 * @param adviceVerified whether there is advice: no other is given
 * @param daxOnly whether it needs a cut inside a sector of 512 bytes, which only memory that is
 *     mapped directly (DAX) allows, in a program that persists by system calls alone so far; what a
 *     disk could leave in its place was tried, and recovery succeeds on it
 * @param forgotten how many more stores to these lines came before and are not known one by one, so
 *     that the cause may be among them
 * @param traits what else is known of the first lost store; empty in older runs
 * @param newName what changes a name or a size before the first lost store is persisted, such as
 *     {@code the rename to set} or {@code journal is removed}, if the advice is to synchronise its
 *     file before; nothing in other cases, and in older runs
 * @param persistedAt what persists the first lost store too late, innermost first; empty if nothing
 *     does, or that is not known, and in older runs
 */
public record JudgedState(
    String id,
    String policy,
    String fingerprint,
    List<Line> lines,
    List<Store> lost,
    List<Store> arrived,
    boolean smallest,
    Optional<FailurePointId> shownBefore,
    String remedy,
    Optional<String> advice,
    boolean adviceVerified,
    boolean daxOnly,
    int forgotten,
    Set<Trait> traits,
    Optional<String> newName,
    List<StackFrame> persistedAt) {
  private static final int STORES_SHOWN = 5;

  /** Copies the lists; a former name of a policy becomes the present one. */
  public JudgedState {
    policy = PolicyName.of(policy);
    lines = List.copyOf(lines);
    lost = List.copyOf(lost);
    arrived = List.copyOf(arrived);
    traits =
        traits == null || traits.isEmpty()
            ? Set.of()
            : Collections.unmodifiableSet(EnumSet.copyOf(traits));
    newName = newName == null ? Optional.empty() : newName;
    persistedAt = persistedAt == null ? List.of() : List.copyOf(persistedAt);
  }

  /** The same with another text of what is missing, as long as there is no advice. */
  public JudgedState withRemedy(String missing, Set<Trait> known) {
    return with(missing, advice, known, newName, persistedAt, daxOnly);
  }

  /** The same where it is known what persists the first lost store too late, innermost first. */
  public JudgedState persistedAt(List<StackFrame> late) {
    return with(remedy, advice, traits, newName, late, daxOnly);
  }

  /** The same of a program that needs directly mapped memory for the lost stores in any case. */
  public JudgedState onDaxAnyway() {
    return with(remedy, advice, traits, newName, persistedAt, false);
  }

  /** The same with advice that was verified, which is shown with what is missing. */
  public JudgedState withAdvice(String verified) {
    return withAdvice(verified, Optional.empty());
  }

  /**
   * The same with advice that was verified.
   *
   * @param before what changes a name or a size, if the advice is to synchronise the file before
   */
  public JudgedState withAdvice(String verified, Optional<String> before) {
    return with(
        remedy + told(verified), Optional.of(verified), traits, before, persistedAt, daxOnly);
  }

  /** The same with what a race says is to be done, which is shown in the place of other advice. */
  public JudgedState remediedBy(String race) {
    String missing = advice.map(verified -> remedy.replace(told(verified), "")).orElse(remedy);
    return with(missing + ": " + race, advice, traits, newName, persistedAt, daxOnly);
  }

  private static String told(String verified) {
    return ": " + verified + " (verified)";
  }

  private JudgedState with(
      String shown,
      Optional<String> verified,
      Set<Trait> known,
      Optional<String> name,
      List<StackFrame> late,
      boolean isOnDaxOnly) {
    return new JudgedState(
        id,
        policy,
        fingerprint,
        lines,
        lost,
        arrived,
        smallest,
        shownBefore,
        shown,
        verified,
        verified.isPresent(),
        isOnDaxOnly,
        forgotten,
        known,
        name,
        late);
  }

  /** Whether only a fence of its own thread persists the first lost store. */
  @JsonIgnore
  public boolean isPastCache() {
    return traits.contains(Trait.PAST_CACHE);
  }

  /** Whether the first lost store lacks a system call that synchronises its file in time. */
  @JsonIgnore
  public boolean isNotSynchronised() {
    return traits.contains(Trait.NOT_SYNCHRONISED);
  }

  /** Whether that has to be a call that synchronises all of the file, such as fsync. */
  @JsonIgnore
  public boolean isWrittenOnly() {
    return isNotSynchronised() && traits.contains(Trait.WRITTEN);
  }

  /** Whether a lost store is proved to be a cause, and not only involved. */
  @JsonIgnore
  public boolean hasCause() {
    return lost.stream().anyMatch(store -> store.role() == Role.CAUSE);
  }

  /** Whether the first lost store has to persist as a whole, or together with another one. */
  @JsonIgnore
  public boolean isOfAtomicity() {
    return lost.get(0).missing() == Missing.ATOMICITY;
  }

  /** Whether the first lost store itself was torn: a part of it has to persist with another. */
  @JsonIgnore
  public boolean isTorn() {
    return traits.contains(Trait.TORN);
  }

  /**
   * Whether what has to persist as a whole may only have to persist before something that was
   * stored later, and has persisted here.
   */
  @JsonIgnore
  public boolean mayBeLate() {
    return traits.contains(Trait.MAY_BE_LATE);
  }

  /**
   * What of it a person is shown: a search that was cut short may leave thousands of stores.
   *
   * @param lost the first of them
   * @param arrived the first of them
   * @param more how many stores are left out
   */
  public record Shown(List<Store> lost, List<Store> arrived, int more) {}

  /** The stores to look at first. */
  public Shown shown() {
    List<Store> first = lost.subList(0, Math.min(STORES_SHOWN, lost.size()));
    List<Store> before = arrived.subList(0, Math.min(STORES_SHOWN, arrived.size()));
    return new Shown(first, before, lost.size() + arrived.size() - first.size() - before.size());
  }

  /**
   * A cache line.
   *
   * @param file path in the PM directory
   * @param offset of its first byte in the file
   * @param content its 64 bytes, in hexadecimal
   */
  public record Line(String file, long offset, String content) {}

  /**
   * An in-flight store.
   *
   * @param store what was stored, and where; of a store to several lines, the part in one
   * @param thread the number of the thread that stored, from 1
   * @param missing what it lacks to be safe
   * @param role what is proved of it
   * @param variable what the source assigns there, such as {@code pool->used}; empty when that is
   *     not certain. Without source, the kind of file that is stored to, such as {@code *.log}
   */
  public record Store(ImageStore store, int thread, Missing missing, Role role, String variable) {
    /** Whether no flush persists it in time. */
    @JsonIgnore
    public boolean isUnflushed() {
      return missing == Missing.FLUSH;
    }

    /** Whether it is flushed, and no fence persists it in time. */
    @JsonIgnore
    public boolean isUnfenced() {
      return missing == Missing.FENCE;
    }
  }

  /** What a store lacks to be safe. */
  public enum Missing {
    /** A flush, or a system call that synchronises its file. */
    FLUSH,
    /** A fence: it was flushed, or bypassed the cache. */
    FENCE,
    /** Stores to one line persist in their order, and it came too late. */
    ORDER,
    /** A part of it persisted, or it has to persist together with another. */
    ATOMICITY;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What else may be known of the first lost store. */
  public enum Trait {
    /** It bypasses the cache, so that only a fence of its own thread persists it. */
    PAST_CACHE,
    /** Only a system call that synchronises its file persists it, and late or never. */
    NOT_SYNCHRONISED,
    /** It was written by a system call: fsync persists it with all of its file before it. */
    WRITTEN,
    /** It was torn: a part of it has to persist with another. */
    TORN,
    /** It may only have to persist before something that was stored later, and has persisted. */
    MAY_BE_LATE;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What is proved of a store. */
  public enum Role {
    /**
     * Recovery fails when just this store is lost, with what cannot persist without it, and
     * succeeds on the state when just this is restored, with what must persist before it.
     */
    CAUSE,
    /** It has to be lost, or to be there, for recovery to fail; not more is proved. */
    INVOLVED;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
