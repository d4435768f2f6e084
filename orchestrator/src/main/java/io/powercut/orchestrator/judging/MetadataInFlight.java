// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.PmState;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows which changes of metadata a power cut may still undo: those that came after everything that
 * was persisted. A file system with a journal, such as ext4 or XFS, persists such changes in their
 * order, and with them all that a call synchronises. So whatever is persisted later, by a call or
 * by instructions, persists the changes before it. POSIX promises less.
 *
 * <p>Keeps the images right before the last changes, but not of code that makes very many. Gets the
 * trace in any order with the state: a change is told before what it does.
 */
public final class MetadataInFlight implements TraceConsumer, Closeable {
  private static final int MOST = 32;
  private static final int MOST_OF_ONE_PLACE = 64;

  private final PmState state;
  private final boolean persistsAtOnce;
  private final EventGroups<IOException> events = new Events();

  /** By thread, whether its next fence persists something. */
  private final BitSet flushed = new BitSet();

  private final Deque<EarlierImage> inFlight = new ArrayDeque<>();

  /** By place in the code, how many changes there were. */
  private final Map<Integer, Integer> made = new HashMap<>();

  /** By place in the code, at how many failure points one was acknowledged and in flight. */
  private final Map<Integer, Integer> offered = new HashMap<>();

  private long changes;

  /**
   * @param state the files as they are
   * @param domain where stores to mapped files are persistent
   */
  public MetadataInFlight(PmState state, PersistencyDomain domain) {
    this.state = state;
    this.persistsAtOnce = domain == PersistencyDomain.EADR;
  }

  @Override
  public void store(StoreRecord store) {
    boolean isMapped = (store.flags() & StoreFlags.FILE_WRITE) == 0;
    if (StoreFlags.isSynchronousWrite(store.flags()) || (isMapped && persistsAtOnce)) {
      persisted(store.ordinal());
    } else if (isMapped && (store.flags() & StoreFlags.NON_TEMPORAL) != 0) {
      flushed.set(store.thread());
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    if (Location.file(location) == 0) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      persisted(ordinal);
    } else {
      flushed.set(thread);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    if (flushed.get(thread)) {
      flushed.clear(thread);
      persisted(ordinal);
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    event.dispatch(events);
  }

  private final class Events implements EventGroups<IOException> {
    @Override
    public void synchronisation(SyncEvent event) {
      if (event.persistsMetadata()) {
        persisted(event.call().ordinal());
      }
    }

    @Override
    public void metadata(TraceEvent.MetadataChange change) throws IOException {
      if (change.durable()) {
        persisted(change.ordinal());
      } else if (made.merge(place(change), 1, Integer::sum) <= MOST_OF_ONE_PLACE) {
        if (inFlight.size() == MOST) {
          inFlight.removeFirst().release();
        }
        inFlight.addLast(new EarlierImage(change, changes, state.image()));
      }
      changes++;
    }
  }

  private static int place(TraceEvent.MetadataChange change) {
    return change.stack() == 0 ? change.site() : change.stack();
  }

  /** Something is durable that was done before a record: so is every change before it. */
  private void persisted(long ordinal) {
    while (!inFlight.isEmpty() && inFlight.getFirst().change().ordinal() < ordinal) {
      inFlight.removeFirst().release();
    }
  }

  /**
   * What a power cut may undo here. It is to be tried if some of it was acknowledged, and it is
   * worth that: code that made such a change is tried at the first such failure points, and then
   * ever less often.
   *
   * @param acknowledged what the target has acknowledged
   * @return to be closed by the caller
   */
  public MetadataLosses atFailurePoint(Optional<Acknowledgement> acknowledged) {
    boolean isWanted = false;
    for (EarlierImage one : inFlight) {
      if (isAcknowledged(one.change(), acknowledged)) {
        isWanted |= Integer.bitCount(offered.merge(place(one.change()), 1, Integer::sum)) == 1;
      }
    }
    return all(isWanted);
  }

  /**
   * The same when the target has ended.
   *
   * @param acknowledged what it has acknowledged
   */
  public MetadataLosses atTheEnd(Optional<Acknowledgement> acknowledged) {
    return all(inFlight.stream().anyMatch(one -> isAcknowledged(one.change(), acknowledged)));
  }

  /**
   * What a power cut may undo here, where none of it is to be tried.
   *
   * @return to be closed by the caller
   */
  public MetadataLosses untried() {
    return all(false);
  }

  private MetadataLosses all(boolean areTried) {
    return MetadataLosses.of(List.copyOf(inFlight), changes, areTried);
  }

  /** Whether the target has acknowledged something since a change. */
  private static boolean isAcknowledged(
      TraceEvent.MetadataChange change, Optional<Acknowledgement> now) {
    return now.filter(all -> all.before(change.ordinal()).bytes() < all.bytes()).isPresent();
  }

  /**
   * The image in which a number of changes are undone.
   *
   * @return nothing if it is not kept, or a power cut cannot leave it
   */
  public Optional<EarlierImage> without(long undone) {
    return inFlight.stream().filter(one -> changes - one.number() == undone).findFirst();
  }

  @Override
  public void close() {
    inFlight.forEach(EarlierImage::release);
    inFlight.clear();
  }
}
