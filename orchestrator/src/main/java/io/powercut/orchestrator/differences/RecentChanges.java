// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.differences;

import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for chosen occurrences of failure points, the last stores and changes of metadata
 * since the failure point before, and the first after. They are kept as numbers: {@link
 * KnownChanges} names them.
 */
public final class RecentChanges implements TraceConsumer {
  private static final int KEPT = 32;

  /** So many are known at most of those after. */
  static final int KEPT_BEHIND = 16;

  private final Map<Occurrence, Kept> byOccurrence;

  /** A ring of the last changes; the next one goes to {@code count % KEPT}. */
  private final Change[] ring = new Change[KEPT];

  private long count;
  private boolean sawCall;

  /** Since the beginning of the trace. */
  private long total;

  private @Nullable Change latest;

  /** Where the last failure point was reached. */
  private Optional<Long> lastPoint = Optional.empty();

  /** The first change since then. */
  private @Nullable Change first;

  /** Those that did not see {@link #KEPT_BEHIND} changes yet, the oldest first. */
  private final Deque<Kept> open = new ArrayDeque<>();

  /** What images differ by. */
  sealed interface Change {
    /** Its place in the trace. */
    long ordinal();
  }

  record Store(long ordinal, long location, int size, int site, int stack, long first, long second)
      implements Change {}

  record Call(TraceEvent.MetadataChange event) implements Change {
    @Override
    public long ordinal() {
      return event.ordinal();
    }
  }

  /**
   * Of one occurrence of a failure point.
   *
   * @param previous where the failure point before it was reached; nothing if there was none
   * @param first the first change since then; nothing if there was none
   * @param changes the last since then
   * @param more how many more there were before these
   * @param total how many changes there were before it since the beginning
   * @param latest the last of these; nothing if there was none
   * @param behind the first after it, added as they come
   */
  record Kept(
      Optional<Long> previous,
      @Nullable Change first,
      List<Change> changes,
      long more,
      long total,
      @Nullable Change latest,
      List<Change> behind) {}

  /** Puts what it remembers into a map. */
  RecentChanges(Map<Occurrence, Kept> byOccurrence) {
    this.byOccurrence = byOccurrence;
  }

  @Override
  public void store(StoreRecord record) {
    add(
        new Store(
            record.ordinal(),
            record.location(),
            record.size(),
            record.site(),
            record.stack(),
            record.word(0),
            record.word(Long.BYTES)));
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.MetadataChange change) {
      sawCall = true;
      add(new Call(change));
    }
  }

  private void add(Change change) {
    first = count == 0 ? change : first;
    latest = change;
    ring[(int) (count % KEPT)] = change;
    count++;
    total++;
    for (Kept kept : open) {
      kept.behind().add(change);
    }
    while (!open.isEmpty() && open.getFirst().behind().size() == KEPT_BEHIND) {
      open.removeFirst();
    }
  }

  /** Whether there was a change of metadata. */
  boolean sawCall() {
    return sawCall;
  }

  /**
   * A failure point was reached: what changes from now on belongs to the next.
   *
   * @param ordinal of the record before which it is
   */
  public void reached(long ordinal) {
    lastPoint = Optional.of(ordinal);
    first = null;
    count = 0;
  }

  /** The same, for an occurrence that is remembered. */
  public void reached(long ordinal, Occurrence occurrence) {
    int kept = (int) Math.min(count, KEPT);
    List<Change> changes = new ArrayList<>(kept);
    for (long number = count - kept; number < count; number++) {
      changes.add(ring[(int) (number % KEPT)]);
    }
    Kept now = new Kept(lastPoint, first, changes, count - kept, total, latest, new ArrayList<>());
    byOccurrence.put(occurrence, now);
    open.addLast(now);
    reached(ordinal);
  }
}
