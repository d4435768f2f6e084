package io.powercut.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;

/**
 * The PM files at one moment of a replayed run. It never changes, can be used by any thread, and
 * can be brought into a directory as often as wanted until it is closed. What it costs are the
 * pages that were stored to between it and the images before and after it.
 */
public final class CrashImage implements AutoCloseable {
  private final ImageHash hash;
  private final SortedMap<Path, ImageEntry> entries;
  private final PageStore store;
  private final int epoch;

  CrashImage(ImageHash hash, SortedMap<Path, ImageEntry> entries, PageStore store, int epoch) {
    this.hash = hash;
    this.entries = Collections.unmodifiableSortedMap(entries);
    this.store = store;
    this.epoch = epoch;
    store.openImage(epoch);
  }

  /** Equal for equal images. */
  public ImageHash hash() {
    return hash;
  }

  /**
   * Writes the image into a directory of its own, for keeping it.
   *
   * @param directory is created if it is missing; what it holds is removed
   */
  public void writeTo(Path directory) throws IOException {
    new ImageWorkspace(directory).moveTo(this);
  }

  /** By path; parents come before what is in them. */
  SortedMap<Path, ImageEntry> entries() {
    return entries;
  }

  PageStore store() {
    return store;
  }

  /** Gives up the pages that only this image needs. A second time does nothing. */
  @Override
  public void close() {
    store.closeImage(epoch);
  }
}
