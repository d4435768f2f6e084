// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import com.google.common.collect.ImmutableSet;
import io.powercut.persistency.ranges.LineWords;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A line that something was done to just before the moment. */
public final class StoredLine implements KeptLine {
  private final long location;
  private final long[] guaranteed;
  private final long @Nullable [] gap;
  private final List<InFlightStore> stores;
  private final int forgotten;
  private final BitSet flushed;

  /** Nothing while nobody has asked; threads that ask at once find the same. */
  private @Nullable ImmutableSet<StoreCode> codes;

  /** The same. */
  private @Nullable Boolean changes;

  /**
   * @param gap what it holds with all stores that were forgotten; nothing if none were
   * @param flushed by store, whether a fence is all that it waits for
   */
  public StoredLine(
      long location,
      long[] guaranteed,
      long @Nullable [] gap,
      List<InFlightStore> stores,
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
  public long firstOrdinal() {
    return stores.isEmpty() ? -1 : stores.get(0).ordinal();
  }

  @Override
  public long[] guaranteed() {
    return guaranteed;
  }

  public List<InFlightStore> stores() {
    return stores;
  }

  /** The code that stored to it, in order. */
  public Set<StoreCode> codes() {
    ImmutableSet<StoreCode> known = codes;
    if (known == null) {
      ImmutableSet.Builder<StoreCode> all = ImmutableSet.builder();
      for (InFlightStore store : stores) {
        all.add(store.code());
      }
      known = all.build();
      codes = known;
    }
    return known;
  }

  public int forgotten() {
    return forgotten;
  }

  @Override
  public boolean changes() {
    Boolean known = changes;
    if (known == null) {
      known = !Arrays.equals(programOrder(), guaranteed);
      changes = known;
    }
    return known;
  }

  private long[] programOrder() {
    long[] content = start().clone();
    for (InFlightStore store : stores) {
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        content[unit] = store.applied(content[unit], unit);
      }
    }
    return content;
  }

  /** What it holds without the stores; not to be changed. */
  public long[] start() {
    return gap == null ? guaranteed : gap;
  }

  @Override
  public StoredLine stored() {
    return this;
  }

  /** By store, whether a fence is all that it waits for; not to be changed. */
  public BitSet flushed() {
    return flushed;
  }
}
