// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.orchestrator.judging.VerdictCache;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What recovery did not read on images, by their contents: later moments have some of the same
 * images. Of the images that were added last. Safe for use by several threads.
 */
final class KnownReads {
  private static final int MOST_LINES = 1 << 16;

  /** Lines that are not read, with the bytes that were asked for. */
  private final Map<VerdictCache.Key, Map<ImageLine, Long>> unread = new LinkedHashMap<>();

  private int lines;

  /**
   * Adds what is known of an image.
   *
   * @param asked the lines that {@code reads} knows of, and their bytes
   */
  synchronized void add(VerdictCache.Key image, Map<ImageLine, Long> asked, ImageReads reads) {
    Map<ImageLine, Long> found = new HashMap<>();
    asked.forEach(
        (line, bytes) -> {
          if (!reads.contains(line.path(), line.offset())) {
            found.put(line, bytes);
          }
        });
    Map<ImageLine, Long> former = unread.put(image, found);
    lines += found.size() - (former == null ? 0 : former.size());
    Iterator<Map<ImageLine, Long>> oldest = unread.values().iterator();
    while (lines > MOST_LINES && oldest.hasNext()) {
      lines -= oldest.next().size();
      oldest.remove();
    }
  }

  /**
   * What is known of an image; all else counts as read.
   *
   * @param asked which bytes of lines are meant
   * @return nothing if nothing was added for the image
   */
  synchronized Optional<ImageReads> find(VerdictCache.Key image, Map<ImageLine, Long> asked) {
    return Optional.ofNullable(unread.get(image))
        .map(
            found ->
                (path, offset) -> {
                  ImageLine line = ImageLine.of(path, offset);
                  return (asked.getOrDefault(line, -1L) & ~found.getOrDefault(line, 0L)) != 0;
                });
  }
}
