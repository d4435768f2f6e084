// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.CrashImage;
import io.powercut.trace.TraceEvent;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program-order image right before a change of metadata. It is open as long as it is held. Safe
 * for use by several threads.
 */
public final class EarlierImage {
  private final TraceEvent.MetadataChange change;
  private final long number;
  private final CrashImage image;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * Held by the caller.
   *
   * @param number how many changes came before this one
   */
  EarlierImage(TraceEvent.MetadataChange change, long number, CrashImage image) {
    this.change = change;
    this.number = number;
    this.image = image;
  }

  /** The change that it lacks, and with it all later ones. */
  public TraceEvent.MetadataChange change() {
    return change;
  }

  /** How many changes of metadata came before. */
  public long number() {
    return number;
  }

  /** The files. */
  public CrashImage image() {
    return image;
  }

  /** For one more holder. */
  EarlierImage hold() {
    holders.incrementAndGet();
    return this;
  }

  /** One holder less. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      image.close();
    }
  }
}
