// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.differences;

import static java.util.Objects.requireNonNull;

import io.powercut.orchestrator.code.NamedStore;
import io.powercut.orchestrator.differences.RecentChanges.Call;
import io.powercut.orchestrator.differences.RecentChanges.Change;
import io.powercut.orchestrator.differences.RecentChanges.Kept;
import io.powercut.orchestrator.differences.RecentChanges.Store;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.Location;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What images have that those before them had not, and what they lack that later ones have: of the
 * first occurrence of each failure point, and of others that turned out to be findings.
 */
public final class KnownChanges {
  private static final String UNNAMED = "(a file without a name)";

  private final TraceTables tables;
  private final Map<Occurrence, Kept> byOccurrence = new HashMap<>();
  private final List<RecentChanges> collectors = new ArrayList<>();

  /**
   * Nothing is known at first.
   *
   * @param tables name what is known
   */
  public KnownChanges(TraceTables tables) {
    this.tables = tables;
  }

  /**
   * What adds to it: to be given the trace, each failure point before its record. The numbers in
   * the trace mean what they meant in the one whose tables this has.
   */
  public RecentChanges newCollector() {
    RecentChanges collector = new RecentChanges(byOccurrence);
    collectors.add(collector);
    return collector;
  }

  /** Whether the target changed metadata at all, in what was read for this. */
  public boolean haveCalls() {
    return collectors.stream().anyMatch(RecentChanges::sawCall);
  }

  /** What the image of an occurrence has that the failure point before it had not, if known. */
  public Optional<ImageChanges> of(Occurrence occurrence) {
    return Optional.ofNullable(byOccurrence.get(occurrence))
        .map(
            kept ->
                new ImageChanges(
                    stores(kept.changes()),
                    kept.more(),
                    Optional.empty(),
                    Optional.empty(),
                    onlyCall(kept)));
  }

  /**
   * The change of metadata that is all that changed before an occurrence, since the failure point
   * before it.
   */
  public Optional<MetadataCall> call(Occurrence occurrence) {
    return Optional.ofNullable(byOccurrence.get(occurrence)).flatMap(this::onlyCall);
  }

  private Optional<MetadataCall> onlyCall(Kept kept) {
    List<MetadataCall> calls = calls(kept.changes());
    return kept.changes().size() + kept.more() == 1 ? calls.stream().findFirst() : Optional.empty();
  }

  /**
   * The change of metadata that came first behind the failure point before an occurrence, if a
   * store was made after it. No other one is between: it would be a failure point.
   *
   * @param made a store, which is found if it is one of the last before the occurrence
   */
  public Optional<MetadataCall> callBefore(Occurrence occurrence, ImageStore made) {
    return Optional.ofNullable(byOccurrence.get(occurrence))
        .filter(kept -> calls(kept.changes()).size() <= 1)
        .filter(kept -> stores(kept.changes()).stream().anyMatch(made::overlaps))
        .map(Kept::first)
        .filter(Call.class::isInstance)
        .map(first -> named((Call) first));
  }

  /**
   * The record before which the failure point before an occurrence was; nothing if there was none,
   * or it is not known.
   */
  public Optional<Long> previous(Occurrence occurrence) {
    return Optional.ofNullable(byOccurrence.get(occurrence)).flatMap(Kept::previous);
  }

  /**
   * What changed between the first occurrences of two failure points.
   *
   * @param later a failure point that was first reached after the other
   * @return nothing when nothing did
   */
  public Optional<ImageLacks> between(FailurePointId id, FailurePointId later) {
    Occurrence first = new Occurrence(later, 1);
    Kept from = byOccurrence.get(new Occurrence(id, 1));
    Kept to = byOccurrence.get(first);
    if (from == null || to == null || to.total() <= from.total()) {
      return Optional.empty();
    }
    return Optional.of(lacks(from, first, to.total() - from.total(), requireNonNull(to.latest())));
  }

  /**
   * What changed between an occurrence and a later place of the trace, if that is little.
   *
   * @param later where that is
   * @param ordinal of the record before which it is
   * @return nothing when nothing did, or too much to be known
   */
  public Optional<ImageLacks> until(Occurrence occurrence, Occurrence later, long ordinal) {
    Kept from = byOccurrence.get(occurrence);
    if (from == null) {
      return Optional.empty();
    }
    List<Change> changes =
        from.behind().stream().filter(change -> change.ordinal() < ordinal).toList();
    return changes.isEmpty() || changes.size() == RecentChanges.KEPT_BEHIND
        ? Optional.empty()
        : Optional.of(lacks(from, later, changes.size(), changes.get(changes.size() - 1)));
  }

  /**
   * The first changes between an occurrence and a later one of which it is only known that there
   * are too many to be known.
   *
   * @param later where recovery succeeds
   */
  public Optional<ImageLacks> atLeastUntil(Occurrence occurrence, Occurrence later) {
    return Optional.ofNullable(byOccurrence.get(occurrence))
        .filter(from -> from.behind().size() == RecentChanges.KEPT_BEHIND)
        .map(
            from -> {
              ImageLacks few = lacks(from, later, from.behind().size(), from.behind().get(0));
              return few.butAtLeast();
            });
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
        calls(changes),
        false);
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

  private static String hexadecimal(Store store) {
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(store.first())
            .putLong(store.second())
            .array();
    return HexFormat.of().formatHex(bytes, 0, Math.min(store.size(), bytes.length));
  }
}
