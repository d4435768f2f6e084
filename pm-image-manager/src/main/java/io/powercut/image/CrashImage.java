// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.powercut.image.pages.BorrowedBytes;
import io.powercut.image.pages.ChangedLines;
import io.powercut.image.pages.ImageEntry;
import io.powercut.image.pages.ImageHash;
import io.powercut.image.pages.LinesOver;
import io.powercut.image.pages.PageStore;
import io.powercut.persistency.states.CrashState;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The PM files at one moment of a replayed run. It never changes, can be used by any thread, and
 * can be brought into a directory as often as wanted until it is closed. What it costs are the
 * pages that were stored to between it and the images before and after it; an image {@linkplain
 * #with with other lines} costs these lines, unless the state knows them by a rule, and 12 KiB for
 * each 2 MiB in which one of them is.
 */
public final class CrashImage implements AutoCloseable {
  private final ImageHash hash;
  private final SortedMap<Path, ImageEntry> entries;

  /** By their numbers in the trace, the files that have names; empty when lines were changed. */
  private final Optional<Map<Integer, ImageEntry.File>> numbered;

  private final PageStore store;

  /** Of the images whose pages it needs. */
  private final List<Integer> epochs;

  private final AtomicBoolean isClosed = new AtomicBoolean();

  /**
   * An image of the state of program order.
   *
   * @param numbered the files among the entries that have a number in the trace
   */
  CrashImage(
      ImageHash hash,
      SortedMap<Path, ImageEntry> entries,
      Map<Integer, ImageEntry.File> numbered,
      PageStore store,
      int epoch) {
    this(hash, entries, Optional.of(Map.copyOf(numbered)), store, List.of(epoch));
  }

  private CrashImage(
      ImageHash hash,
      SortedMap<Path, ImageEntry> entries,
      Optional<Map<Integer, ImageEntry.File>> numbered,
      PageStore store,
      List<Integer> epochs) {
    this.hash = hash;
    this.entries = Collections.unmodifiableSortedMap(entries);
    this.numbered = numbered;
    this.store = store;
    this.epochs = epochs;
    epochs.forEach(store::openImage);
  }

  /** Equal for equal images. */
  public ImageHash hash() {
    return hash;
  }

  /**
   * The image of another state at the same moment. It is closed on its own, before or after this
   * one. Differences in files that have no name in this image change nothing.
   *
   * @param state differs from program order, which this must be
   * @throws IllegalStateException if this is closed, or not in program order
   * @throws IOException if pages cannot be read
   */
  public CrashImage with(CrashState state) throws IOException {
    Map<Integer, ImageEntry.File> files = filesOfProgramOrder();
    IdentityHashMap<ImageEntry, ImageEntry> changed = new IdentityHashMap<>();
    try (ChangedLines lines = new ChangedLines(store)) {
      for (int file : state.files()) {
        ImageEntry.File before = files.get(file);
        if (before != null) {
          changed.put(before, lines.over(before, state.pages(file), LinesOver.of(state, file)));
        }
      }
    }
    return with(changed, epochs);
  }

  /**
   * This image with bytes of another moment, in files that have a name at both. It is closed on its
   * own, before or after both. Bytes behind the end of a file at either moment stay as they are.
   *
   * @param other of the same run, and in program order as this is
   * @param locations of the bytes
   * @throws IllegalStateException if one of both is closed, or not in program order
   * @throws IOException if pages cannot be read
   */
  public CrashImage withBytesOf(CrashImage other, RangeSet<Long> locations) throws IOException {
    record Loan(ImageEntry.File lender, RangeSet<Long> offsets) {}
    Map<Integer, ImageEntry.File> files = filesOfProgramOrder();
    IdentityHashMap<ImageEntry.File, Loan> loans = new IdentityHashMap<>();
    other
        .filesOfProgramOrder()
        .forEach(
            (number, lender) -> {
              ImageEntry.File mine = files.get(number);
              if (mine == null) {
                mine = unused(other.nameOf(number));
              }
              if (mine != null) {
                // A file may have several numbers.
                loans
                    .computeIfAbsent(mine, unknown -> new Loan(lender, TreeRangeSet.create()))
                    .offsets()
                    .addAll(offsets(locations, number, Math.min(mine.size(), lender.size())));
              }
            });
    IdentityHashMap<ImageEntry, ImageEntry> changed = new IdentityHashMap<>();
    try (BorrowedBytes bytes = new BorrowedBytes(store)) {
      for (Map.Entry<ImageEntry.File, Loan> one : loans.entrySet()) {
        Loan loan = one.getValue();
        changed.put(one.getKey(), bytes.over(one.getKey(), loan.lender(), loan.offsets()));
      }
    }
    return with(changed, Stream.concat(epochs.stream(), other.epochs.stream()).toList());
  }

  /** A file that the run had not used at this moment, so that it is known by its name only. */
  private ImageEntry.@Nullable File unused(Optional<Path> name) {
    return name.isPresent()
            && entries.get(name.get()) instanceof ImageEntry.File file
            && !filesOfProgramOrder().containsValue(file)
        ? file
        : null;
  }

  private static RangeSet<Long> offsets(RangeSet<Long> locations, int file, long size) {
    long start = Location.of(file, 0);
    RangeSet<Long> offsets = TreeRangeSet.create();
    for (Range<Long> range :
        locations.subRangeSet(Range.closedOpen(start, start + size)).asRanges()) {
      offsets.add(Range.closedOpen(range.lowerEndpoint() - start, range.upperEndpoint() - start));
    }
    return offsets;
  }

  private Map<Integer, ImageEntry.File> filesOfProgramOrder() {
    if (isClosed.get()) {
      throw new IllegalStateException("the image is closed");
    }
    return numbered.orElseThrow(
        () -> new IllegalStateException("the image is not the program-order image"));
  }

  private CrashImage with(Map<ImageEntry, ImageEntry> changed, List<Integer> ofEpochs) {
    SortedMap<Path, ImageEntry> all = new TreeMap<>(entries);
    all.replaceAll((name, entry) -> changed.getOrDefault(entry, entry));
    return new CrashImage(sum(all), all, Optional.empty(), store, ofEpochs);
  }

  /**
   * A name of a file at this moment, relative to the PM directory.
   *
   * @param file its number in the trace
   * @return nothing if the file has no name here, or this was made by {@link #with}
   */
  public Optional<Path> nameOf(int file) {
    ImageEntry.File wanted = numbered.map(files -> files.get(file)).orElse(null);
    return wanted == null
        ? Optional.empty()
        : entries.entrySet().stream()
            .filter(entry -> entry.getValue() == wanted)
            .map(Map.Entry::getKey)
            .findFirst();
  }

  private static ImageHash sum(SortedMap<Path, ImageEntry> entries) {
    ImageHash.Sum sum = new ImageHash.Sum();
    entries.forEach((name, entry) -> entry.addTo(sum, name.toString()));
    return sum.hash();
  }

  /**
   * Writes the image into a separate directory, to keep it.
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
    if (isClosed.compareAndSet(false, true)) {
      epochs.forEach(store::closeImage);
    }
  }
}
