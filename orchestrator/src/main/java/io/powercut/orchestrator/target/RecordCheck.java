// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static java.util.Objects.requireNonNull;

import io.powercut.exit.PowercutException;
import io.powercut.image.PmState;
import io.powercut.image.StateComparison;
import io.powercut.trace.EndEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.Location;
import io.powercut.trace.ProcessEvent;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.file.PageCheck;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.Frame;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the record says with the files themselves: what a store that the recorder did not
 * see leaves would be in no image. At some fences the recorder tells what pages hold, and at the
 * end all files are read.
 *
 * <p>Gets each record after what changes the state. In doubt a file is not compared: a difference
 * has to be one.
 */
public final class RecordCheck
    implements TraceConsumer,
        EventGroups<IOException>,
        FileEvent.Visitor<IOException>,
        ProcessEvent.Visitor<IOException>,
        EndEvent.Visitor<IOException> {
  private static final int PAGE_BITS = Integer.numberOfTrailingZeros(PageCheck.PAGE_BYTES);
  private static final long NO_PAGE = -1;
  private static final String REMEDY =
      "Does a process that the target did not start write to {pm}? docs/limits.md lists what the recorder"
          + " does not see; \"injection: re-executed\" does without images from the record.";

  private final TraceTables tables;
  private final PmState state;
  private final byte[] page = new byte[PageCheck.PAGE_BYTES];

  /** By page, the instruction of the last store to it. */
  private final Long2IntOpenHashMap lastStores = new Long2IntOpenHashMap();

  /** That of the latest store, which most stores share, is not in the map yet. */
  private long latestPage = NO_PAGE;

  private int latestSite;

  /** Processes that have not told of their end. */
  private final Set<Integer> running = new HashSet<>();

  /** Files whose contents the trace does not tell, or others may change. */
  private final BitSet foreign = new BitSet();

  private @Nullable String doubt;
  private boolean isEnded;

  /**
   * @param tables fed by the same reader, before this
   * @param state changed by the same trace
   */
  public RecordCheck(TraceTables tables, PmState state) {
    this.tables = requireNonNull(tables, "tables is null");
    this.state = requireNonNull(state, "state is null");
  }

  @Override
  public void store(StoreRecord store) {
    long last = (store.location() + store.size() - 1) >>> PAGE_BITS;
    for (long stored = store.location() >>> PAGE_BITS; stored <= last; stored++) {
      if (stored != latestPage) {
        if (latestPage != NO_PAGE) {
          lastStores.put(latestPage, latestSite);
        }
        latestPage = stored;
      }
      latestSite = store.site();
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    event.dispatch(this);
  }

  @Override
  public void file(FileEvent event) throws IOException {
    event.accept(this);
  }

  @Override
  public void process(ProcessEvent event) throws IOException {
    event.accept(this);
  }

  @Override
  public void end(EndEvent event) throws IOException {
    event.accept(this);
  }

  @Override
  public void visit(TraceEvent.FileDefined defined) {
    foreign.set(defined.file(), defined.state() == TraceEvent.FileState.UNNAMED);
  }

  @Override
  public void visit(TraceEvent.FileRenamed renamed) {
    if (renamed.outside()) {
      foreign.set(renamed.file());
    }
  }

  @Override
  public void visit(TraceEvent.FileLinked linked) {}

  @Override
  public void visit(TraceEvent.FileDeleted deleted) {}

  @Override
  public void visit(TraceEvent.FileResized resized) {}

  @Override
  public void visit(TraceEvent.FileZeroed zeroed) {}

  @Override
  public void visit(TraceEvent.ProcessStarted started) {
    running.add(started.pid());
  }

  @Override
  public void visit(TraceEvent.ProgramReplaced replaced) {}

  @Override
  public void visit(TraceEvent.ProcessExited exited) {
    running.remove(exited.pid());
    if (exited.unfinished()) {
      doubt = "a system call that may store to it was cut short, or not waited for";
    }
  }

  @Override
  public void visit(TraceEvent.Ended ended) {
    isEnded = true;
  }

  /** Its processes were killed: there is no end to compare at. */
  @Override
  public void visit(TraceEvent.Stopped stopped) {}

  @Override
  public void pageChecked(TraceEvent.PageChecked checked) throws IOException {
    int file = Location.file(checked.location());
    long offset = Location.offset(checked.location());
    if (!foreign.get(file)
        && state.readWithin(file, offset, page)
        && PageCheck.hash(page) != checked.hash()) {
      throw differs(
          "in the page at 0x%x of %s the target's memory differs from the record, at record %d"
              .formatted(offset, tables.file(file).path(), checked.ordinal()),
          checked.location());
    }
  }

  /**
   * Compares all files, when the trace is over and so are the processes of the run.
   *
   * @param pm the PM directory in which they ran
   * @return what was not compared, and why, in sentences
   * @throws PowercutException if a file is not what the record says
   */
  public List<String> compare(Path pm) throws IOException {
    Optional<String> reason = reasonNotToCompare();
    if (reason.isPresent()) {
      return List.of("the record was not compared with the files: " + reason.get());
    }
    StateComparison comparison = state.compare(pm);
    if (!comparison.differences().isEmpty()) {
      StateComparison.Difference difference = comparison.differences().get(0);
      throw differs(
          "%s differs from the record at offset 0x%x: %s"
              .formatted(difference.name(), difference.offset(), difference.what()),
          Location.of(difference.file(), difference.offset()));
    }
    requireAttributes(comparison);
    List<String> notes = new ArrayList<>();
    for (StateComparison.Skipped skipped : comparison.skipped()) {
      notes.add(
          "the record was not compared with %s: %s".formatted(skipped.name(), skipped.reason()));
    }
    return notes;
  }

  private static void requireAttributes(StateComparison comparison) {
    if (!comparison.attributes().isEmpty()) {
      StateComparison.AttributeDifference difference = comparison.attributes().get(0);
      String name = difference.name().toString();
      throw PowercutException.notTrustworthy(
          "the record is not what the target did: %s has %s, according to the record %s. So a change of it was"
                  .formatted(
                      name.isEmpty() ? "{pm}" : name, difference.real(), difference.replayed())
              + " not seen, and images built from the record may be wrong. "
              + REMEDY);
    }
    if (!comparison.names().isEmpty()) {
      StateComparison.NameDifference difference = comparison.names().get(0);
      throw PowercutException.notTrustworthy(
          "the record is not what the target did: according to the record, %s and %s are two names of one file,"
                  .formatted(difference.name(), difference.other())
              + " and they are not. So a change of names was not seen, and images built from the record"
              + " may be wrong. "
              + REMEDY);
    }
  }

  private Optional<String> reasonNotToCompare() {
    if (!isEnded || !running.isEmpty()) {
      return Optional.of(
          "a process of the target was killed, as any is that still runs when its command ends."
              + " What it had left to do is not tested");
    }
    return Optional.ofNullable(doubt);
  }

  private PowercutException differs(String difference, long location) {
    return PowercutException.notTrustworthy(
        "the record is not what the target did: %s. The last recorded store to that page is %s. So a store was"
                .formatted(difference, lastStore(location))
            + " not seen, or one was recorded that did not happen, and images built from the record may be wrong. "
            + REMEDY);
  }

  private String lastStore(long location) {
    long wanted = location >>> PAGE_BITS;
    int site = wanted == latestPage ? latestSite : lastStores.get(wanted);
    if (site == 0) {
      return "none";
    }
    Frame frame = tables.frame(site);
    return frame.describe(frame.position(), false);
  }
}
