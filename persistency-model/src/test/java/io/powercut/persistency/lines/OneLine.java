// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A line, and stores to it that put their own ordinals into all of their bytes. */
final class OneLine {
  static final long LOCATION = Location.of(1, 4096);

  final InFlightPlaces places = new InFlightPlaces();
  final LineHistory line;

  OneLine(byte[] content) {
    this.line = new LineHistory(LOCATION, content, places);
  }

  /** A store through the cache, by the first thread. */
  InFlightStore add(long ordinal, int from, int size) {
    return add(ordinal, from, size, 0, 1);
  }

  InFlightStore add(long ordinal, int from, int size, int flags, int thread) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) ordinal);
    int site = (int) ordinal;
    StoreRecord record =
        new StoreRecord(
            ordinal, thread, flags, site, site, LOCATION + from, size, ByteBuffer.wrap(bytes), 0);
    int group = InFlightStore.isNonTemporal(flags) ? 0 : line.groupOf(ordinal);
    InFlightStore store = new InFlightStore(ordinal, group, record, LOCATION + from, size);
    line.add(store);
    return store;
  }
}
