// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Iterables;
import io.powercut.orchestrator.code.NamedStore;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
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
 * Remembers, for the first occurrence of each failure point, the last stores since the failure
 * point before it, and the first stores after it. They are kept as numbers; names are looked up for
 * those that turn out to be findings.
 */
final class RecentStores implements TraceConsumer {
  private static final int KEPT = 32;
  private static final int KEPT_BEHIND = 16;
  private static final String UNNAMED = "(a file without a name)";

  private final TraceTables tables;
  private final Map<FailurePointId, Kept> byFailurePoint = new HashMap<>();

  /** A ring of the last stores; the next one goes to {@code count % KEPT}. */
  private final Store[] ring = new Store[KEPT];

  private long count;

  /** Since the beginning of the trace. */
  private long total;

  private @Nullable Store latest;

  /** Those that did not see {@link #KEPT_BEHIND} stores yet, the oldest first. */
  private final Deque<Kept> open = new ArrayDeque<>();

  private record Store(
      long ordinal, long location, int size, int site, int stack, long first, long second) {}

  /**
   * Of a failure point.
   *
   * @param total how many stores there were before it since the beginning
   * @param latest the last of these; nothing if there was none
   * @param behind the first after it, added as they come
   */
  private record Kept(
      List<Store> stores, long more, long total, @Nullable Store latest, List<Store> behind) {}

  RecentStores(TraceTables tables) {
    this.tables = tables;
  }

  @Override
  public void store(StoreRecord record) {
    Store store =
        new Store(
            record.ordinal(),
            record.location(),
            record.size(),
            record.site(),
            record.stack(),
            record.word(0),
            record.word(Long.BYTES));
    latest = store;
    ring[(int) (count % KEPT)] = store;
    count++;
    total++;
    for (Kept kept : open) {
      kept.behind().add(store);
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

  /** A failure point was reached: what is stored from now on belongs to the next. */
  void reached(FailurePointId id, boolean isNew) {
    if (isNew) {
      int kept = (int) Math.min(count, KEPT);
      List<Store> stores = new ArrayList<>(kept);
      for (long number = count - kept; number < count; number++) {
        stores.add(ring[(int) (number % KEPT)]);
      }
      Kept now = new Kept(stores, count - kept, total, latest, new ArrayList<>());
      byFailurePoint.put(id, now);
      open.addLast(now);
    }
    count = 0;
  }

  /** The stores of a failure point, if it was reached. */
  Optional<ImageChanges> of(FailurePointId id) {
    return Optional.ofNullable(byFailurePoint.get(id))
        .map(
            kept ->
                new ImageChanges(
                    kept.stores().stream().map(this::named).toList(),
                    kept.more(),
                    Optional.empty(),
                    Optional.empty()));
  }

  /**
   * The stores between the first occurrences of two failure points.
   *
   * @param later a failure point that was first reached after the other
   * @return nothing when there are none
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
   * The stores between the first occurrence of a failure point and a later place of the trace, if
   * they are few.
   *
   * @param later where that is
   * @param ordinal of the record before which it is
   * @return nothing when there are none, or too many to be known
   */
  Optional<ImageLacks> until(FailurePointId id, Occurrence later, long ordinal) {
    Kept from = byFailurePoint.get(id);
    if (from == null) {
      return Optional.empty();
    }
    List<Store> stores = from.behind().stream().filter(store -> store.ordinal() < ordinal).toList();
    return stores.isEmpty() || stores.size() == KEPT_BEHIND
        ? Optional.empty()
        : Optional.of(lacks(from, later, stores.size(), Iterables.getLast(stores)));
  }

  private ImageLacks lacks(Kept from, Occurrence later, long number, Store last) {
    List<ImageStore> stores = from.behind().stream().limit(number).map(this::named).toList();
    return new ImageLacks(
        later.id(),
        later.number(),
        inWords(stores.get(0)),
        inWords(named(last)),
        stores,
        number - stores.size());
  }

  private static String inWords(ImageStore store) {
    return NamedStore.called(store.stack(), NamedStore.variable(store.stack()));
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
