// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import static io.powercut.tree.Severity.PERFORMANCE;
import static io.powercut.tree.Severity.WARNING;

import com.google.common.collect.ImmutableList;
import io.powercut.tree.Severity;
import java.util.Locale;

/** Why something is reported: each pattern with what makes it one, and the words for it. */
enum Reason {
  NOT_FLUSHED(
      PatternKind.NOT_PERSISTED,
      WARNING,
      "left %s without a flush behind the store, although each is flushed at another time in the"
          + " run; flush the line after the store, then fence",
      Role.STORE),
  NOT_SYNCHRONISED(
      PatternKind.NOT_PERSISTED,
      WARNING,
      "left %s without msync or fsync behind the store, although each is synchronised at another"
          + " time in the run; synchronise it after the store",
      Role.STORE),
  NOT_WAITED_FOR(
      PatternKind.NOT_PERSISTED,
      WARNING,
      "left %s for which nothing but msync(MS_ASYNC) or sync_file_range is called, and these persist"
          + " nothing; call msync(MS_SYNC) or fsync behind the store",
      Role.STORE),
  SYNC_FAILED(
      PatternKind.NOT_PERSISTED,
      WARNING,
      "left %s for which msync or fsync was called and failed, and so persisted nothing; check what"
          + " the call returns, and why it fails",
      Role.STORE),
  NOT_FENCED(
      PatternKind.NOT_PERSISTED,
      WARNING,
      "left %s flushed, but without a fence of the flushing thread behind the flush; put an sfence"
          + " there",
      Role.STORE,
      Role.FLUSH),
  NON_TEMPORAL_NOT_FENCED(
      PatternKind.NOT_PERSISTED,
      WARNING,
      "left %s stored past the cache, but without a fence of the storing thread behind the store;"
          + " put an sfence there",
      Role.STORE),
  NEVER_FLUSHED(
      PatternKind.TRANSIENT_DATA,
      WARNING,
      "left %s that nothing in the run flushes; flush and fence if the data must survive, else keep"
          + " them in volatile memory",
      Role.STORE),
  NEVER_SYNCHRONISED(
      PatternKind.TRANSIENT_DATA,
      WARNING,
      "left %s that nothing in the run synchronises; call msync or fsync if the data must survive,"
          + " else keep them in volatile memory",
      Role.STORE),
  NEVER_FENCED(
      PatternKind.TRANSIENT_DATA,
      WARNING,
      "left %s stored past the cache, with no fence of the storing thread behind and no flush in"
          + " the run; put an sfence behind the store if the data must survive, else keep them in"
          + " volatile memory",
      Role.STORE),
  LOCK(
      PatternKind.TRANSIENT_DATA,
      WARNING,
      "left %s as a lock of the C library stored it; no lock outlives a power cut, so initialise it"
          + " whenever the memory is opened, or keep it in volatile memory",
      Role.STORE),
  OVERWRITTEN(
      PatternKind.DIRTY_OVERWRITE,
      WARNING,
      "stored %s over bytes that were not persisted yet; persist them before, or keep what need not"
          + " survive in volatile memory",
      Role.STORE,
      Role.OVERWRITTEN_STORE),
  FLUSHED_BEFORE(
      PatternKind.REDUNDANT_FLUSH,
      PERFORMANCE,
      "flushed %s although the line was not stored to since the earlier flush; leave this flush"
          + " out",
      Role.FLUSH,
      Role.EARLIER_FLUSH),
  NOT_WRITTEN(
      PatternKind.REDUNDANT_FLUSH,
      PERFORMANCE,
      "flushed %s although the line was not stored to since its last flush, or never in this run;"
          + " leave this flush out",
      Role.FLUSH),
  VOLATILE(
      PatternKind.REDUNDANT_FLUSH,
      PERFORMANCE,
      "flushed volatile memory %s, which no flush makes persistent; leave this flush out",
      Role.FLUSH),
  ONLY_NON_TEMPORAL(
      PatternKind.REDUNDANT_FLUSH,
      PERFORMANCE,
      "flushed %s although there were only non-temporal stores in the line, which go past the"
          + " cache; a fence behind them is enough",
      Role.FLUSH),
  CACHE_IS_PERSISTENT(
      PatternKind.REDUNDANT_FLUSH,
      PERFORMANCE,
      "flushed %s although the caches survive a power cut (eADR); leave flushes out on such a"
          + " machine",
      Role.FLUSH),
  SEVERAL_STORES(
      PatternKind.MULTI_STORE_FLUSH,
      WARNING,
      "flushed %s what several places had stored; one flush is enough as long as they share a cache"
          + " line, so align what belongs together",
      Role.FLUSH,
      Role.STORE,
      Role.STORE),
  NOTHING_TO_ORDER(
      PatternKind.REDUNDANT_FENCE,
      PERFORMANCE,
      "fenced %s without a flush of persistent memory or a non-temporal store by this thread since"
          + " its fence before; leave this fence out",
      Role.FENCE),
  ONLY_CLFLUSH(
      PatternKind.REDUNDANT_FENCE,
      PERFORMANCE,
      "fenced %s behind nothing but clflush, which later stores cannot pass anyway; leave this fence"
          + " out",
      Role.FENCE),
  NO_STORE_TO_ORDER(
      PatternKind.REDUNDANT_FENCE,
      PERFORMANCE,
      "fenced %s without a store to persistent memory by this thread since its fence before; leave"
          + " this fence out",
      Role.FENCE),
  NOTHING_BUT_LOADS(
      PatternKind.REDUNDANT_FENCE,
      WARNING,
      "fenced %s without anything for persistent memory to wait for since the thread's fence"
          + " before; leave this mfence out unless it is there to order loads",
      Role.FENCE),
  SEVERAL_LINES(
      PatternKind.UNORDERED_FENCE,
      WARNING,
      "waited %s for several cache lines at a time; they may be persisted in any order, so fence in"
          + " between where the order matters",
      Role.FENCE,
      Role.FLUSH,
      Role.FLUSH),
  SEVERAL_NON_TEMPORAL(
      PatternKind.UNORDERED_FENCE,
      WARNING,
      "waited %s for several stores to one cache line, some of them past the cache; they may be"
          + " persisted in any order, so fence in between where the order matters",
      Role.FENCE,
      Role.FLUSH,
      Role.FLUSH);

  /** What is advised where something is never needed, and what else. */
  private static final String LEAVE_OUT = "; leave this ";

  private static final String NEEDED =
      "; at other times it is needed, so skip it only where it is not";

  private final PatternKind kind;
  private final Severity severity;
  private final String seen;
  private final ImmutableList<Role> roles;

  Reason(PatternKind kind, Severity severity, String seen, Role... roles) {
    this.kind = kind;
    this.severity = severity;
    this.seen = seen;
    this.roles = ImmutableList.copyOf(roles);
  }

  PatternKind kind() {
    return kind;
  }

  Severity severity() {
    return severity;
  }

  /** The roles of the places; a non-temporal store can be where a flush is named. */
  ImmutableList<Role> roles() {
    return roles;
  }

  /**
   * What was seen, so many times.
   *
   * @param isNeeded whether the flush or fence had something to do at other times
   */
  String seen(long count, boolean isNeeded) {
    boolean countsLines = kind == PatternKind.NOT_PERSISTED || kind == PatternKind.TRANSIENT_DATA;
    String said = String.format(Locale.ROOT, seen, countsLines ? lines(count) : times(count));
    int advice = said.indexOf(LEAVE_OUT);
    return isNeeded && advice >= 0 ? said.substring(0, advice) + NEEDED : said;
  }

  private static String lines(long count) {
    return count == 1 ? "1 cache line" : String.format(Locale.ROOT, "%,d cache lines", count);
  }

  private static String times(long count) {
    return count == 1 ? "once" : String.format(Locale.ROOT, "%,d times", count);
  }
}
