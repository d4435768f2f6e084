// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import com.google.common.collect.RangeSet;
import io.powercut.image.CrashImage;
import io.powercut.image.pages.ImageHash;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.session.Acknowledgement;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The state between two operations of the target, when none is under way. Its contents are found
 * out when they are first asked for. Its image is open as long as it is held. Safe for use by
 * several threads.
 */
final class QuiescentPoint {
  private final String name;
  private final CrashImage image;
  private final Optional<Acknowledgement> acknowledged;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final Map<ImageHash, QuiescentPoint> variants = new HashMap<>();
  private @Nullable Dump dump;

  /**
   * Held by the caller.
   *
   * @param name to stand after "the contents"
   * @param image in program order
   * @param acknowledged what the target had acknowledged
   */
  QuiescentPoint(String name, CrashImage image, Optional<Acknowledgement> acknowledged) {
    this.name = name;
    this.image = image;
    this.acknowledged = acknowledged;
  }

  /** For one more holder. */
  QuiescentPoint hold() {
    holders.incrementAndGet();
    return this;
  }

  /** One holder less. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      image.close();
      variants.values().forEach(QuiescentPoint::release);
    }
  }

  /**
   * The same with the bytes that a power cut leaves where they do not count. Only the thread that
   * replays the trace may call this, and only the caller's own hold keeps it open.
   *
   * @param left what the power cut leaves in program order
   * @param ignored the locations of these bytes
   */
  QuiescentPoint with(CrashImage left, RangeSet<Long> ignored) throws IOException {
    if (ignored.isEmpty()) {
      return this;
    }
    CrashImage variant = image.withBytesOf(left, ignored);
    QuiescentPoint known = variant.hash().equals(hash()) ? this : variants.get(variant.hash());
    if (known != null) {
      variant.close();
      return known;
    }
    QuiescentPoint fresh = new QuiescentPoint(name, variant, acknowledged);
    variants.put(variant.hash(), fresh);
    return fresh;
  }

  ImageHash hash() {
    return image.hash();
  }

  /**
   * What is in it after recovery.
   *
   * @param places where its image is made
   */
  synchronized Dump dump(CrashImageJudge judge, RecordedImages places) {
    if (dump == null) {
      dump = judge.dump(name, places.of(image, acknowledged));
    }
    return dump;
  }
}
