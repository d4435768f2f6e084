// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import io.powercut.trace.AllocationEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.LockEvent;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;

/** Prints a trace, one line for each record: for debugging and for people. */
public final class TraceDump
    implements TraceConsumer,
        SyncEvent.Visitor<IOException>,
        LockEvent.Visitor<IOException>,
        AllocationEvent.Visitor<IOException> {
  private static final int BYTES_SHOWN = 16;

  private final Appendable target;
  private final TraceTables tables;
  private final EventGroups<IOException> withForms = new WithForms();
  private boolean isShown;

  /**
   * @param tables fed by the same reader, before this
   */
  public TraceDump(Appendable target, TraceTables tables) {
    this.target = target;
    this.tables = tables;
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    byte[] data = new byte[Math.min(store.size(), BYTES_SHOWN)];
    store.bytes().get(store.offset(), data);
    String kind =
        StoreFlags.instruction(store.flags()).label()
            + attribute(store.flags())
            + (store.hasMore() ? " (more follows)" : "");
    instruction(
        store.ordinal(),
        store.thread(),
        kind,
        store.site(),
        store.stack(),
        String.format(
            " %s %d bytes: %s%s",
            Location.toString(store.location()),
            store.size(),
            HexFormat.of().formatHex(data),
            store.size() > BYTES_SHOWN ? "..." : ""));
  }

  private static String attribute(int flags) {
    if (StoreFlags.isSynchronousWrite(flags)) {
      return " synchronous";
    }
    if (StoreFlags.isZeroed(flags)) {
      return " of zeros";
    }
    return (flags & StoreFlags.LOCKED) == 0 ? "" : " locked";
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    String where = " " + Location.toString(location);
    instruction(ordinal, thread, kind.instruction().label(), site, stack, where);
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    instruction(ordinal, thread, kind.instruction().label(), site, stack, "");
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size)
      throws IOException {
    String attribute =
        ((flags & TraceEvent.Load.LOCKED) == 0 ? "" : " locked")
            + ((flags & TraceEvent.Load.KERNEL) == 0 ? "" : " by the kernel");
    instruction(
        ordinal,
        thread,
        "load" + attribute,
        site,
        stack,
        " " + Location.toString(location) + " " + size + " bytes");
  }

  private void instruction(
      long ordinal, int thread, String kind, int site, int stack, String details)
      throws IOException {
    line(
        ordinal,
        thread,
        kind
            + details
            + (site == 0 ? "" : " in " + tables.frame(site))
            + (stack == 0 ? "" : ", stack " + stack + " " + tables.recordedId(stack)));
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    isShown = false;
    event.dispatch(withForms);
    if (!isShown) {
      line(event.ordinal(), event.thread(), event.toString());
    }
  }

  /** The groups that are shown in a form of their own. */
  private final class WithForms implements EventGroups<IOException> {
    @Override
    public void synchronisation(SyncEvent event) throws IOException {
      isShown = true;
      event.accept(TraceDump.this);
    }

    @Override
    public void range(TraceEvent.RangeDeclared event) throws IOException {
      isShown = true;
      TraceDump.this.instruction(
          event.ordinal(),
          event.thread(),
          event.kind().name().toLowerCase(Locale.ROOT) + " range",
          event.site(),
          0,
          " " + Location.toString(event.location()) + " " + event.size() + " bytes");
    }

    @Override
    public void metadata(TraceEvent.MetadataChange event) throws IOException {
      isShown = true;
      TraceDump.this.instruction(
          event.ordinal(),
          event.thread(),
          event.kind().instruction().label(),
          event.site(),
          event.stack(),
          " "
              + event.path()
              + (event.other().isEmpty() ? "" : " to " + event.other())
              + (event.durable() ? " durable" : ""));
    }

    @Override
    public void lock(LockEvent event) throws IOException {
      isShown = true;
      event.accept(TraceDump.this);
    }

    @Override
    public void allocation(AllocationEvent event) throws IOException {
      isShown = true;
      event.accept(TraceDump.this);
    }
  }

  @Override
  public void visit(TraceEvent.Sync sync) throws IOException {
    instruction(
        sync.ordinal(),
        sync.thread(),
        sync.kind().instruction().label(),
        sync.site(),
        sync.stack(),
        " " + Location.toString(sync.location()) + " " + sync.length() + " bytes");
  }

  @Override
  public void visit(TraceEvent.SyncEnded ended) throws IOException {
    line(
        ended.ordinal(),
        ended.thread(),
        "end of the %s at %d: %s"
            .formatted(
                ended.sync().kind().instruction().label(),
                ended.sync().ordinal(),
                ended.error() == 0 ? "success" : "error " + ended.error()));
  }

  @Override
  public void visit(TraceEvent.Acquired acquired) throws IOException {
    lock(acquired, acquired.isShared() ? "acquire shared " : "acquire ");
  }

  @Override
  public void visit(TraceEvent.Released released) throws IOException {
    lock(released, "release ");
  }

  @Override
  public void visit(TraceEvent.Allocating allocating) throws IOException {
    line(allocating.ordinal(), allocating.thread(), "allocating" + depthOf(allocating));
  }

  @Override
  public void visit(TraceEvent.Allocated allocated) throws IOException {
    instruction(
        allocated.ordinal(),
        allocated.thread(),
        "allocated",
        allocated.site(),
        allocated.stack(),
        " " + Location.toString(allocated.location()) + " " + allocated.size() + " bytes");
  }

  @Override
  public void visit(TraceEvent.AllocationEnded ended) throws IOException {
    line(ended.ordinal(), ended.thread(), "end of allocating" + depthOf(ended));
  }

  private static String depthOf(AllocationEvent event) {
    return event.depth() == 0 ? "" : ", at depth " + event.depth();
  }

  private void lock(LockEvent event, String what) throws IOException {
    instruction(
        event.ordinal(),
        event.thread(),
        what + event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        event.site(),
        event.stack(),
        " " + Location.toString(event.object()));
  }

  private void line(long ordinal, int thread, String text) throws IOException {
    target
        .append(Long.toString(ordinal))
        .append(" t")
        .append(Integer.toString(thread))
        .append(' ')
        .append(text)
        .append('\n');
  }
}
