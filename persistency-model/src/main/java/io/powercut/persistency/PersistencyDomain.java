// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import java.util.Locale;

/** What a power cut spares besides the memory itself. */
public enum PersistencyDomain {
  /**
   * Asynchronous DRAM refresh: the memory controllers' queues are safe, the processors' caches are
   * not. A store is persistent when its cache line was flushed and a fence waited for it.
   */
  ADR,
  /**
   * Extended ADR: the caches are safe, too. A store is persistent when other processors can see it:
   * flushes are not needed, fences still order non-temporal stores.
   */
  EADR;

  /** The name in files and options. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
