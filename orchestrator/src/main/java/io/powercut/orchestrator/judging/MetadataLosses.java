// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import java.util.List;

/**
 * The images that a power cut leaves if it undoes the last changes of metadata: those since one of
 * them, with all that was stored since. Nothing was persisted since the first of them.
 *
 * @param images the oldest first
 * @param changes how many changes came before the power cut in the whole run
 * @param areTried whether recovery is to be tried on these images
 */
public record MetadataLosses(List<EarlierImage> images, long changes, boolean areTried)
    implements AutoCloseable {
  /** None is in flight, or none is known. */
  public static final MetadataLosses NONE = new MetadataLosses(List.of(), 0, false);

  /** Copies the list. */
  public MetadataLosses {
    images = List.copyOf(images);
  }

  /** Holds these images. */
  static MetadataLosses of(List<EarlierImage> images, long changes, boolean areTried) {
    return new MetadataLosses(images.stream().map(EarlierImage::hold).toList(), changes, areTried);
  }

  /** Whether there is nothing to try. */
  public boolean isEmpty() {
    return !areTried;
  }

  /** How many changes are undone in one of the images. */
  public long undone(EarlierImage image) {
    return changes - image.number();
  }

  /** Whether no other change came between that of an image and the next image, or the power cut. */
  public boolean isNextKnown(int index) {
    long next = index + 1 < images.size() ? images.get(index + 1).number() : changes;
    return next == images.get(index).number() + 1;
  }

  @Override
  public void close() {
    images.forEach(EarlierImage::release);
  }
}
