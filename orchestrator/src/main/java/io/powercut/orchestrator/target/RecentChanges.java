// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Iterables;
import io.powercut.orchestrator.code.NamedStore;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for the first occurrence of each failure point, the last stores and changes of
 * metadata since the failure point before it, and the first after it. They are kept as numbers;
 * names are looked up for those that turn out to be findings.
 */
final class RecentChanges implements TraceConsumer {
  private static final int KEPT = 32;
  private static final int KEPT_BEHIND = 16;
  private static final String UNNAMED = "(a file without a name)";

  private final TraceTables tables;
  private final Map<FailurePointId, Kept> byFailurePoint = new HashMap<>();

  /** A ring of the last changes; the next one goes to {@code count % KEPT}. */
  private final Change[] ring = new Change[KEPT];

  private long count;

  /** Since the beginning of the trace. */
  private long total;

  private @Nullable Change latest;

  /** Where the last failure point was reached. */
  private Optional<Long> lastPoint = Optional.empty();

  /** Those that did not see {@link #KEPT_BEHIND} changes yet, the oldest first. */
  private final Deque<Kept> open = new ArrayDeque<>();

  /** What images differ by. */
  private sealed interface Change {
    /** Its place in the trace. */
    long ordinal();
  }

  private record Store(
      long ordinal, long location, int size, int site, int stack, long first, long second)
      implements Change {}

  private record Call(TraceEvent.MetadataChange event) implements Change {
    @Override
    public long ordinal() {
      return event.ordinal();
    }
  }

  /**
   * Of a failure point.
   *
   * @param previous where the failure point before it was reached; nothing if there was none
   * @param changes the last since then
   * @param more how many more there were before these
   * @param total how many changes there were before it since the beginning
   * @param latest the last of these; nothing if there was none
   * @param behind the first after it, added as they come
   */
  private record Kept(
      Optional<Long> previous,
      List<Change> changes,
      long more,
      long total,
      @Nullable Change latest,
      List<Change> behind) {}

  RecentChanges(TraceTables tables) {
    this.tables = tables;
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
      add(new Call(change));
    }
  }

  private void add(Change change) {
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

  private static String hexadecimal(Store store) {
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(store.first())
            .putLong(store.second())
            .array();
    return HexFormat.of().formatHex(bytes, 0, Math.min(store.size(), bytes.length));
  }

  /**
   * A failure point was reached: what changes from now on belongs to the next.
   *
   * @param ordinal of the record before which it is
   */
  void reached(long ordinal, FailurePointId id, boolean isNew) {
    if (isNew) {
      int kept = (int) Math.min(count, KEPT);
      List<Change> changes = new ArrayList<>(kept);
      for (long number = count - kept; number < count; number++) {
        changes.add(ring[(int) (number % KEPT)]);
      }
      Kept now = new Kept(lastPoint, changes, count - kept, total, latest, new ArrayList<>());
      byFailurePoint.put(id, now);
      open.addLast(now);
    }
    lastPoint = Optional.of(ordinal);
    count = 0;
  }

  /** What changed before a failure point, if it was reached. */
  Optional<ImageChanges> of(FailurePointId id) {
    return Optional.ofNullable(byFailurePoint.get(id))
        .map(
            kept ->
                new ImageChanges(
                    stores(kept.changes()),
                    kept.more(),
                    Optional.empty(),
                    Optional.empty(),
                    onlyCall(kept)));
  }

  private Optional<MetadataCall> onlyCall(Kept kept) {
    List<MetadataCall> calls = calls(kept.changes());
    return kept.changes().size() + kept.more() == 1 ? calls.stream().findFirst() : Optional.empty();
  }

  /**
   * The record before which the failure point before the first occurrence of one was; nothing if
   * there was none.
   */
  Optional<Long> previous(FailurePointId id) {
    return Optional.ofNullable(byFailurePoint.get(id)).flatMap(Kept::previous);
  }

  /**
   * What changed between the first occurrences of two failure points.
   *
   * @param later a failure point that was first reached after the other
   * @return nothing when nothing did
   */
  Optional<ImageLacks> between(FailurePointId id, FailurePointId later) {
    Kept from = byFailurePoint.get(id);
    Kept to = byFailurePoint.get(later);
    if (from == null || to == null || to.total() <= from.total()) {
      return Optional.empty();
    }
    Occurrence first = new Occurrence(later, 1);
    return Optional.of(lacks(from, first, to.total() - from.total(), requireNonNull(to.latest())));
  }

  /**
   * What changed between the first occurrence of a failure point and a later place of the trace, if
   * that is little.
   *
   * @param later where that is
   * @param ordinal of the record before which it is
   * @return nothing when nothing did, or too much to be known
   */
  Optional<ImageLacks> until(FailurePointId id, Occurrence later, long ordinal) {
    Kept from = byFailurePoint.get(id);
    if (from == null) {
      return Optional.empty();
    }
    List<Change> changes =
        from.behind().stream().filter(change -> change.ordinal() < ordinal).toList();
    return changes.isEmpty() || changes.size() == KEPT_BEHIND
        ? Optional.empty()
        : Optional.of(lacks(from, later, changes.size(), Iterables.getLast(changes)));
  }

  private ImageLacks lacks(Kept from, Occurrence later, long number, Change last) {
    List<Change> changes = from.behind().stream().limit(number).toList();
    return new ImageLacks(
        later.id(),
        later.number(),
        inWords(changes.get(0)),
        inWords(last),
        stores(changes),
        number - changes.size(),
        calls(changes));
  }

  private List<ImageStore> stores(List<Change> changes) {
    return changes.stream()
        .filter(Store.class::isInstance)
        .map(change -> named((Store) change))
        .toList();
  }

  private List<MetadataCall> calls(List<Change> changes) {
    return changes.stream()
        .filter(Call.class::isInstance)
        .map(change -> named((Call) change))
        .toList();
  }

  private String inWords(Change change) {
    if (change instanceof Call call) {
      return named(call).inWords();
    }
    ImageStore store = named((Store) change);
    return NamedStore.called(store.stack(), NamedStore.variable(store.stack()));
  }

  private MetadataCall named(Call call) {
    TraceEvent.MetadataChange event = call.event();
    return new MetadataCall(
        event.kind().instruction().label(),
        event.path(),
        event.other(),
        TargetStack.of(tables.stack(event.stack(), event.site())));
  }

  private ImageStore named(Store store) {
    return new ImageStore(
        fileOf(store.location()),
        Location.offset(store.location()),
        store.size(),
        hexadecimal(store),
        stackOf(store));
  }

  private String fileOf(long location) {
    String path = tables.file(Location.file(location)).path();
    return path.isEmpty() ? UNNAMED : path;
  }

  private List<StackFrame> stackOf(Store store) {
    return TargetStack.of(tables.stack(store.stack(), store.site()));
  }
}
