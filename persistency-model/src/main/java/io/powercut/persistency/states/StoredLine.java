package io.powercut.persistency.states;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line that something was done to just before the moment. */
final class StoredLine implements KeptLine {
  private final long location;
  private final long[] guaranteed;
  private final long @Nullable [] gap;
  private final List<PendingStore> stores;
  private final int forgotten;
  private final BitSet flushed;

  /**
   * @param gap what it holds with all stores that were forgotten; nothing if none were
   * @param flushed by store, whether a fence is all that it waits for
   */
  StoredLine(
      long location,
      long[] guaranteed,
      long @Nullable [] gap,
      List<PendingStore> stores,
      int forgotten,
      BitSet flushed) {
    this.location = location;
    this.guaranteed = guaranteed;
    this.gap = gap;
    this.stores = stores;
    this.forgotten = forgotten;
    this.flushed = flushed;
  }

  @Override
  public long location() {
    return location;
  }

  @Override
  public long[] guaranteed() {
    return guaranteed;
  }

  List<PendingStore> stores() {
    return stores;
  }

  int forgotten() {
    return forgotten;
  }

  @Override
  public boolean changes() {
    long[] content = start().clone();
    for (PendingStore store : stores) {
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        content[unit] = store.applied(content[unit], unit);
      }
    }
    return !Arrays.equals(content, guaranteed);
  }

  private long[] start() {
    return gap == null ? guaranteed : gap;
  }

  @Override
  public PendingLine pending() {
    return new PendingLine(location, guaranteed, start(), stores, forgotten, flushed);
  }
}
