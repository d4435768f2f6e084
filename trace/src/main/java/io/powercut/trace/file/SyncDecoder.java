// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.file.RawRecord.DamagedException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes synchronisations, and names each at its end. */
final class SyncDecoder {
  /** By number, those that are under way. One that its process did not survive stays. */
  private final Map<Long, TraceEvent.Sync> open = new HashMap<>();

  TraceEvent.Sync begin(RawRecord record) throws DamagedException {
    @Nullable SyncKind kind = SyncKind.ofCode(record.flags());
    if (kind == null) {
      throw new DamagedException("a synchronisation of kind " + record.flags());
    }
    TraceEvent.Sync sync =
        new TraceEvent.Sync(
            record.ordinal(),
            record.thread(),
            kind,
            record.getInt(8),
            record.getInt(12),
            record.getLong(16),
            record.getSize(24));
    open.put(record.getLong(32), sync);
    return sync;
  }

  TraceEvent.SyncEnded end(RawRecord record) throws DamagedException {
    long number = record.getLong(16);
    TraceEvent.Sync sync = open.remove(number);
    if (sync == null) {
      throw new DamagedException("synchronisation " + number + " ends, but has not begun");
    }
    return new TraceEvent.SyncEnded(record.ordinal(), record.thread(), sync, record.getCount(8));
  }
}
