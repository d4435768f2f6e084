package io.powercut.orchestrator.report;

import java.util.List;

/**
 * The stores between one failure point and the one before it: what an image has that the image
 * before it had not.
 *
 * @param stores the last of them, in the order in which they were made
 * @param more how many more there were before these
 */
public record ImageChanges(List<ImageStore> stores, long more) {
  /** Nothing is known of them. */
  public static final ImageChanges UNKNOWN = new ImageChanges(List.of(), 0);

  /** Copies the list. */
  public ImageChanges {
    stores = List.copyOf(stores);
  }
}
