// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.changes.OnlyLines;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.Departure;
import io.powercut.persistency.lines.FlushEffect;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.persistency.lines.LineObserver;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, in a whole trace, what flushes or synchronises stores at last that were not when the
 * power was cut. Once something else is stored to its cache line, a flush is not meant for it.
 */
final class LatePersists implements LineObserver {
  private final TraceTables tables;

  /** With the last store to the line before the power was cut. */
  private final Map<Part, Long> awaited = new HashMap<>();

  private final Map<Part, Late> late = new HashMap<>();
  private final Map<Part, Failure> failures = new HashMap<>();
  private final TraceConsumer consumer;

  /** What a store put into a line. */
  private record Part(long ordinal, long line) {
    static Part of(BlamedStore store) {
      return new Part(store.store().ordinal(), store.line().location());
    }
  }

  /**
   * What comes too late for a store.
   *
   * @param isFlush whether it is an instruction, and not a system call
   * @param tooLate whether what relies on the store is there before; not if it is what the store
   *     itself changed at once, the length of its file
   */
  record Late(boolean isFlush, CallStack stack, boolean tooLate) {
    /** The same of a store on which nothing relies but the length of its file. */
    Late ofAppended() {
      return new Late(isFlush, stack, false);
    }
  }

  /**
   * A system call that was to persist a store, and failed.
   *
   * @param call its name
   * @param error the number of the error, not 0
   */
  record Failure(String call, int error, CallStack stack) {
    /** What the manual of the call lists it as: the errors that such calls can have. */
    String errorName() {
      return switch (error) {
        case 4 -> "EINTR";
        case 5 -> "EIO";
        case 9 -> "EBADF";
        case 12 -> "ENOMEM";
        case 16 -> "EBUSY";
        case 22 -> "EINVAL";
        case 28 -> "ENOSPC";
        case 30 -> "EROFS";
        case 122 -> "EDQUOT";
        default -> "error " + error;
      };
    }
  }

  /**
   * @param tables what the numbers of the trace mean
   * @param stores not flushed where the power was cut
   */
  LatePersists(PersistencyDomain domain, TraceTables tables, Collection<BlamedStore> stores) {
    this.tables = tables;
    stores.forEach(store -> awaited.put(Part.of(store), last(store)));
    CacheLineTracker tracker = CacheLineTracker.withoutContents(domain);
    tracker.tell(this);
    consumer = new OnlyLines(awaited.keySet().stream().map(Part::line).toList(), tracker);
  }

  private static long last(BlamedStore store) {
    return store.line().stores().stream().mapToLong(InFlightStore::ordinal).max().orElseThrow();
  }

  /** Gets the trace. */
  TraceConsumer consumer() {
    return consumer;
  }

  /** Whether nothing that comes can change the answer. */
  boolean areDecided() {
    return awaited.isEmpty();
  }

  /** What persists a store at last; nothing if nothing does. */
  Optional<Late> of(BlamedStore store) {
    return Optional.ofNullable(late.get(Part.of(store)));
  }

  /** The first call that failed to persist a store; nothing if none did. */
  Optional<Failure> failureOf(BlamedStore store) {
    return Optional.ofNullable(failures.get(Part.of(store)));
  }

  @Override
  public void failed(TraceEvent.SyncEnded ended, List<LineRange> lines) {
    TraceEvent.Sync call = ended.sync();
    awaited.keySet().stream()
        .filter(part -> part.ordinal() < call.ordinal())
        .filter(part -> lines.stream().anyMatch(range -> range.contains(part.line())))
        .forEach(
            part ->
                failures.putIfAbsent(
                    part,
                    new Failure(
                        call.kind().instruction().label(),
                        ended.error(),
                        tables.stack(call.stack()))));
  }

  /** What persists the line from now on does so for this store. */
  @Override
  public void inFlight(InFlightStore store, LineHistory line) {
    awaited
        .entrySet()
        .removeIf(
            one -> one.getKey().line() == line.location() && one.getValue() < store.ordinal());
  }

  @Override
  public void flushed(TraceEvent.Flush flush, FlushEffect effect, @Nullable LineHistory line) {
    if (line != null) {
      line.stores().stream()
          .map(store -> new Part(store.ordinal(), line.location()))
          .filter(part -> awaited.remove(part) != null)
          .forEach(
              part ->
                  late.put(part, new Late(true, tables.stack(flush.stack(), flush.site()), true)));
    }
  }

  @Override
  public boolean followsDepartures() {
    return true;
  }

  @Override
  public void departed(InFlightStore store, long line, Departure departure) {
    Part part = new Part(store.ordinal(), line);
    if (awaited.remove(part) != null
        && departure.reason() == Departure.Reason.SYNC
        && departure.stack() != 0) {
      late.put(part, new Late(false, tables.stack(departure.stack()), true));
    }
  }
}
