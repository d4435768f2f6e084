// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.FileChanges;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Hands a trace on with the files to which some code stored synchronised before names or sizes of
 * files change or the program acknowledges something, as if it called {@code fsync} there.
 */
public final class WithSyncs extends ForwardingTraceConsumer {
  /** What the calls come before. */
  public enum Before {
    /** The file that was stored to gets another name, or one more. */
    OWN_NAME,
    /** A change of names, a file that gets shorter, or that the program tells others. */
    ANNOUNCEMENT,
    /**
     * That, or a call that synchronises: what the program goes on to persist may be what relies on
     * the file.
     */
    OTHER_FILES,
    /**
     * An announcement, or a file that grows: most programs write behind its end before they tell
     * others.
     */
    ANY_CHANGE
  }

  private static final String OTHERS = "other files are changed or synchronised";

  private final Set<StoreCode> codes;
  private final long asked;
  private final Before before;
  private final FileChanges changes = new FileChanges();

  /** Those that some of the code stored to since they were synchronised here. */
  private final Set<Integer> files = new LinkedHashSet<>();

  /** That of the store that is asked about, until it is synchronised here; 0 for none. */
  private int fileOfAsked;

  private Optional<String> announcement = Optional.empty();
  private boolean isAnnouncedByChange;
  private boolean isSyncedSince;

  /**
   * @param codes whose stores are to be persisted
   * @param asked one of these stores, by {@link StoreRecord#ordinal}
   * @param next gets the trace with the calls
   */
  public WithSyncs(Set<StoreCode> codes, long asked, Before before, TraceConsumer next) {
    super(next);
    this.codes = Set.copyOf(codes);
    this.asked = asked;
    this.before = before;
  }

  /**
   * In front of what the file of the store that is asked about was synchronised, in words behind
   * "before". Nothing if it was not, or if a later call of the program synchronised something: then
   * that may be what matters.
   */
  public Optional<String> announcement() {
    boolean isCertain = before == Before.OWN_NAME || before == Before.OTHER_FILES;
    return !isCertain && isSyncedSince ? Optional.empty() : announcement;
  }

  /** The same, if it is one change of names or sizes, always in the same words. */
  public Optional<String> change() {
    return announcement().filter(text -> isAnnouncedByChange);
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    changes.store(store);
    if (codes.contains(StoreCode.of(store.stack(), store.site()))) {
      files.add(Location.file(store.location()));
    }
    if (store.ordinal() == asked) {
      fileOfAsked = Location.file(store.location());
    }
    isSyncedSince |= announcesByStore(store);
    super.store(store);
  }

  private boolean announcesByStore(StoreRecord store) {
    return isAskedMade() && store.isSynchronousWrite();
  }

  private boolean isAskedMade() {
    return fileOfAsked != 0 || announcement.isPresent();
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    Optional<FileChanges.Change> change =
        changes
            .of(event)
            .or(() -> synchronisation(event))
            .map(this::named)
            .or(() -> acknowledgement(event));
    if (change.isPresent()) {
      for (int file : Set.copyOf(files)) {
        if (isFor(change.get(), file)) {
          synchronise(file, event);
        }
      }
      if (fileOfAsked != 0 && !files.contains(fileOfAsked)) {
        fileOfAsked = 0;
        announcement = change.map(FileChanges.Change::text);
        isAnnouncedByChange = before != Before.OTHER_FILES && !isAcknowledgement(event);
      }
    }
    isSyncedSince |=
        isAskedMade() && event instanceof SyncEvent ended && ended.isGuarantee() && isOfFile(ended);
    super.event(event);
  }

  private boolean isFor(FileChanges.Change change, int file) {
    return switch (before) {
      case OWN_NAME -> change.namedFile() == file;
      case ANNOUNCEMENT, OTHER_FILES -> !change.grows();
      case ANY_CHANGE -> true;
    };
  }

  private static Optional<FileChanges.Change> acknowledgement(TraceEvent event) {
    return isAcknowledgement(event)
        ? Optional.of(new FileChanges.Change(0, "it is acknowledged"))
        : Optional.empty();
  }

  private static boolean isAcknowledgement(TraceEvent event) {
    return event instanceof TraceEvent.Output output && output.acknowledges();
  }

  private Optional<FileChanges.Change> synchronisation(TraceEvent event) {
    return before == Before.OTHER_FILES && event instanceof TraceEvent.Sync
        ? Optional.of(new FileChanges.Change(0, OTHERS))
        : Optional.empty();
  }

  /** Which of the other files it is does not matter. */
  private FileChanges.Change named(FileChanges.Change change) {
    return before == Before.OTHER_FILES
        ? new FileChanges.Change(change.namedFile(), OTHERS, change.grows())
        : change;
  }

  private static boolean isOfFile(SyncEvent ended) {
    return ended.call().kind() != SyncKind.DIRECTORY;
  }

  /** In front of an event. */
  private void synchronise(int file, TraceEvent event) throws IOException {
    TraceEvent.Sync call =
        new TraceEvent.Sync(
            event.ordinal(), event.thread(), SyncKind.FSYNC, 0, 0, Location.of(file, 0), 0);
    super.event(call);
    super.event(new TraceEvent.SyncEnded(event.ordinal(), event.thread(), call, 0));
    files.remove(file);
  }
}
