// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import io.powercut.oracle.reads.Conditions;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.LineRead;
import io.powercut.orchestrator.judging.VerdictCache;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What recovery read of images, by their contents: later moments have some of the same images. Of
 * the images that were added last. Safe for use by several threads.
 */
public final class KnownReads {
  private static final int MOST_LINES = 1 << 16;

  /** A node of a condition takes less than a line. */
  private static final int NODES_OF_LINE = 4;

  private final Map<VerdictCache.Key, Image> images = new LinkedHashMap<>();

  private int lines;

  /** What is known of an image. */
  private record Image(Map<ImageLine, Known> found, Conditions conditions, boolean coarse) {
    int size() {
      return found.size() + conditions.size() / NODES_OF_LINE;
    }
  }

  /**
   * What is known of a line.
   *
   * @param asked for which of its bytes
   */
  private record Known(long asked, LineRead read) {
    /** Bytes that were not asked for count as read. */
    LineRead of(long bytes) {
      return new LineRead((read.bytes() | ~asked) & bytes, read.turn());
    }
  }

  /**
   * Adds what is known of an image.
   *
   * @param asked the lines that {@code reads} knows of, and their bytes
   */
  public synchronized void add(
      VerdictCache.Key image, Map<ImageLine, Long> asked, ImageReads reads) {
    Map<ImageLine, Known> found = new HashMap<>();
    asked.forEach(
        (line, bytes) -> found.put(line, new Known(bytes, reads.of(line.path(), line.offset()))));
    Image now = new Image(found, reads.conditions(), reads.isCoarse());
    Image former = images.put(image, now);
    lines += now.size() - (former == null ? 0 : former.size());
    Iterator<Image> oldest = images.values().iterator();
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
  public synchronized Optional<ImageReads> find(
      VerdictCache.Key image, Map<ImageLine, Long> asked) {
    return Optional.ofNullable(images.get(image)).map(found -> reads(found, asked));
  }

  private static ImageReads reads(Image image, Map<ImageLine, Long> asked) {
    return new ImageReads() {
      @Override
      public LineRead of(String path, long offset) {
        ImageLine line = ImageLine.of(path, offset);
        long bytes = asked.getOrDefault(line, -1L);
        Known known = image.found().get(line);
        return known == null ? new LineRead(bytes, 0) : known.of(bytes);
      }

      @Override
      public Conditions conditions() {
        return image.conditions();
      }

      @Override
      public boolean isCoarse() {
        return image.coarse();
      }
    };
  }
}
