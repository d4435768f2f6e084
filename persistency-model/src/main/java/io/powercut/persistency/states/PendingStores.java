package io.powercut.persistency.states;

import static java.util.Objects.requireNonNull;

import io.powercut.instrumentation.trace.FenceKind;
import io.powercut.instrumentation.trace.FlushKind;
import io.powercut.instrumentation.trace.Location;
import io.powercut.instrumentation.trace.StoreFlags;
import io.powercut.instrumentation.trace.SyncKind;
import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.instrumentation.trace.TraceEvent;
import io.powercut.persistency.PersistencyDomain;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.ObjectIterator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows a trace and keeps, for each cache line, what a power cut could take away: the stores that
 * are not guaranteed to have persisted, in order, and what was there before them. The rules are
 * those of {@linkplain io.powercut.persistency.states the package}.
 *
 * <p>Memory is bounded by what is pending, and that by a limit: a line with very many pending
 * stores forgets those in the middle, and when there are too many in all, the lines that were not
 * stored to for longest count as guaranteed. {@link CrashStates#isComplete} says so; states that
 * are not possible never appear. Not safe for use by several threads; the snapshots are.
 */
public final class PendingStores implements TraceConsumer {
  private static final int MOST_STORES = 1 << 19;

  /** What msync synchronises at least. */
  private static final long PAGE = 4096;

  private static final long WHOLE_FILE = 1L << Location.OFFSET_BITS;

  private final PersistencyDomain domain;
  private final PmContents contents;
  private final int mostStores;
  private final TracedFiles files = new TracedFiles();

  /** By location; those that were stored to last are last. */
  private final Long2ObjectLinkedOpenHashMap<LineHistory> lines =
      new Long2ObjectLinkedOpenHashMap<>();

  private final List<@Nullable WaitingLines> threads = new ArrayList<>();
  private final byte[] lineBytes = new byte[LineWords.LINE];
  private int stores;
  private boolean hasForgottenLines;

  /**
   * Begins in front of a trace's first record.
   *
   * @param contents the files as the records before the current one left them: who changes them by
   *     the same trace must get each record after this
   */
  public PendingStores(PersistencyDomain domain, PmContents contents) {
    this(domain, contents, MOST_STORES);
  }

  PendingStores(PersistencyDomain domain, PmContents contents, int mostStores) {
    this.domain = requireNonNull(domain, "domain is null");
    this.contents = requireNonNull(contents, "contents is null");
    this.mostStores = mostStores;
  }

  /** What a power cut right now, behind the last record told, may leave. */
  public CrashStates crashStates() {
    List<PendingLine> pending = new ArrayList<>(lines.size());
    for (LineHistory line : lines.values()) {
      if (files.isFound(Location.file(line.location()))) {
        pending.add(line.snapshot());
      }
    }
    pending.sort(Comparator.comparingLong(PendingLine::location));
    return new CrashStates(pending, !hasForgottenLines);
  }

  /**
   * Whether a flush right now would bring a store nearer to being guaranteed.
   *
   * @param location what is flushed
   */
  public boolean hasUseForFlush(int thread, long location) {
    LineHistory line = domain == PersistencyDomain.EADR ? null : lines.get(lineOf(location));
    return line != null && line.hasUseForFlush(thread);
  }

  /** Whether a fence of the thread right now would guarantee something. */
  public boolean hasUseForFence(int thread) {
    return !thread(thread).isEmpty();
  }

  private WaitingLines thread(int number) {
    while (threads.size() <= number) {
      threads.add(null);
    }
    WaitingLines known = threads.get(number);
    if (known == null) {
      known = new WaitingLines();
      threads.set(number, known);
    }
    return known;
  }

  private static long lineOf(long location) {
    return location & -LineWords.LINE;
  }

  @Override
  public void store(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset)
      throws IOException {
    WaitingLines waiting = thread(thread);
    long event = waiting.event(ordinal, flags);
    int file = Location.file(location);
    if (files.isGone(file)) {
      return;
    }
    // What lies behind the file's end, in its last page, is in no file.
    long end = location + Math.min(size, files.size(file) - Location.offset(location));
    for (long from = location; from < end; from = lineOf(from) + LineWords.LINE) {
      int length = (int) (Math.min(end, lineOf(from) + LineWords.LINE) - from);
      boolean isNonTemporal = (flags & StoreFlags.NON_TEMPORAL) != 0;
      LineHistory line = lines.getAndMoveToLast(lineOf(from));
      if (line == null) {
        if (domain == PersistencyDomain.EADR && !isNonTemporal) {
          continue;
        }
        line = begin(lineOf(from));
      }
      PendingStore store =
          new PendingStore(
              event,
              isNonTemporal ? 0 : line.groupOf(event),
              thread,
              flags,
              site,
              stack,
              (int) (from - lineOf(from)),
              length,
              bytes,
              offset + (int) (from - location));
      add(line, store, waiting);
    }
  }

  private LineHistory begin(long location) throws IOException {
    contents.read(Location.file(location), Location.offset(location), lineBytes);
    LineHistory line = new LineHistory(location, lineBytes);
    lines.put(location, line);
    return line;
  }

  private void add(LineHistory line, PendingStore store, WaitingLines waiting) {
    change(line, changed -> changed.add(store));
    if (store.isNonTemporal()) {
      if (line.storedPastCache(store.thread())) {
        waiting.add(line);
      }
    } else if (domain == PersistencyDomain.EADR) {
      change(line, changed -> changed.guarantee(store::equals));
    }
    // Never this line: the rest of the store may be in the next record.
    while (stores > mostStores && lines.size() > 1) {
      hasForgottenLines = true;
      drop(lines.get(lines.firstLongKey()));
    }
  }

  private interface Change {
    void on(LineHistory line);
  }

  private void change(LineHistory line, Change change) {
    int before = line.size();
    change.on(line);
    stores += line.size() - before;
    if (line.isEmpty()) {
      drop(line);
    }
  }

  /** Nothing of the line is pending any more. */
  private void drop(LineHistory line) {
    stores -= line.size();
    lines.remove(line.location());
    line.forEachWait(thread -> thread(thread).remove(line));
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    LineHistory line = domain == PersistencyDomain.EADR ? null : lines.get(lineOf(location));
    if (line == null) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      change(line, LineHistory::writeBack);
    } else if (line.flush(thread, ordinal)) {
      thread(thread).add(line);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    for (LineHistory line : thread(thread).take()) {
      change(line, changed -> changed.fence(thread));
    }
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.Sync sync) {
      synchronise(sync);
    } else if (event instanceof TraceEvent.FileDefined defined) {
      files.define(defined);
    } else if (event instanceof TraceEvent.FileResized resized) {
      files.resize(resized.file(), resized.size());
      zero(resized.file(), resized.size(), WHOLE_FILE);
    } else if (event instanceof TraceEvent.FileZeroed zeroed) {
      zero(zeroed.file(), zeroed.offset(), zeroed.offset() + zeroed.length());
    } else if (event instanceof TraceEvent.FileLinked linked && !linked.outside()) {
      files.name(linked.file());
    } else if (event instanceof TraceEvent.FileRenamed renamed && renamed.outside()) {
      lose(renamed.file());
    } else if (event instanceof TraceEvent.FileDeleted deleted
        && deleted.file() != 0
        && !deleted.hasOtherNames()) {
      lose(deleted.file());
    }
  }

  private void synchronise(TraceEvent.Sync sync) {
    if (sync.kind() == SyncKind.SYNC) {
      List.copyOf(lines.values()).forEach(this::drop);
      return;
    }
    if (sync.kind() == SyncKind.MSYNC_ASYNC || sync.kind() == SyncKind.SYNC_FILE_RANGE) {
      return;
    }
    int file = Location.file(sync.location());
    long from = Location.offset(sync.location());
    long to = sync.length() == 0 ? WHOLE_FILE : from + sync.length();
    long end = sync.kind() == SyncKind.MSYNC ? (to + PAGE - 1) / PAGE * PAGE : to;
    linesIn(file, from, end).forEach(this::drop);
  }

  private void lose(int file) {
    files.lose(file);
    linesIn(file, 0, WHOLE_FILE).forEach(this::drop);
  }

  /** A range reads as zero from now on. */
  private void zero(int file, long from, long to) {
    for (LineHistory line : linesIn(file, from, to)) {
      long start = Location.offset(line.location());
      int begin = (int) Math.max(0, from - start);
      int end = (int) Math.min(LineWords.LINE, to - start);
      change(line, changed -> changed.zero(LineWords.bytes(begin, end)));
    }
  }

  /** The pending lines that a range touches; its end is exclusive. */
  private List<LineHistory> linesIn(int file, long from, long to) {
    List<LineHistory> found = new ArrayList<>();
    if (from >= to) {
      return found;
    }
    long first = lineOf(Location.of(file, from));
    long last = lineOf(Location.of(file, to - 1));
    if ((last - first) / LineWords.LINE < lines.size()) {
      for (long location = first; location <= last; location += LineWords.LINE) {
        LineHistory line = lines.get(location);
        if (line != null) {
          found.add(line);
        }
      }
      return found;
    }
    ObjectIterator<LineHistory> all = lines.values().iterator();
    while (all.hasNext()) {
      LineHistory line = all.next();
      if (line.location() >= first && line.location() <= last) {
        found.add(line);
      }
    }
    return found;
  }
}
