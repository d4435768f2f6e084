// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.CrashImage;
import io.powercut.image.ImageWorkspace;
import io.powercut.image.PmArea;
import io.powercut.image.files.Removal;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.ExecutionDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One worker's private places, which go from one crash image to the next. A fresh copy is the same
 * directory made to hold the image again, so there is one copy at a time.
 */
public final class RecordedImages implements AutoCloseable {
  private final ExecutionDirectories places;
  private final ImageWorkspace workspace;

  private RecordedImages(ExecutionDirectories places) {
    this.places = places;
    this.workspace = new ImageWorkspace(places.pm());
  }

  public static RecordedImages in(PmArea area) {
    return new RecordedImages(ExecutionDirectories.in(area));
  }

  /**
   * Copies of an image, one at a time.
   *
   * @param acknowledged what the target had acknowledged when it left the image
   */
  public Copies of(CrashImage image, Optional<Acknowledgement> acknowledged) {
    return new Copies(image, acknowledged, Optional.empty(), Optional.empty());
  }

  /** Copies of one image. */
  public final class Copies implements JudgedImages {
    private final CrashImage image;
    private final Optional<Acknowledgement> acknowledged;
    private final Optional<ExpectedDumps> expected;
    private final Optional<ReadsWatch> watch;

    private Copies(
        CrashImage image,
        Optional<Acknowledgement> acknowledged,
        Optional<ExpectedDumps> expected,
        Optional<ReadsWatch> watch) {
      this.image = image;
      this.acknowledged = acknowledged;
      this.expected = expected;
      this.watch = watch;
    }

    /** The same, whose contents are to be compared. */
    public Copies expecting(Optional<ExpectedDumps> dumps) {
      return new Copies(image, acknowledged, dumps, watch);
    }

    /** The same; the first recovery that runs on one is to be watched. */
    public Copies watching(Optional<ReadsWatch> reads) {
      return new Copies(image, acknowledged, expected, reads);
    }

    @Override
    public Optional<ReadsWatch> watch() {
      return watch;
    }

    @Override
    public Optional<ExpectedDumps> expected() {
      return expected;
    }

    @Override
    public Optional<Acknowledgement> acknowledged() {
      return acknowledged;
    }

    @Override
    public ImageCopy fresh() throws IOException {
      workspace.moveTo(image);
      emptyScratch();
      if (acknowledged.isPresent()) {
        acknowledged.get().writeTo(places.acknowledgedFile());
      }
      return new Copy(places.pm());
    }
  }

  private void emptyScratch() throws IOException {
    Removal.empty(places.scratch());
    if (!Files.isDirectory(places.scratch(), LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(places.scratch());
    }
  }

  /** The directory as it is; the next use repairs it. */
  private record Copy(Path directory) implements ImageCopy {
    @Override
    public void close() {}
  }

  @Override
  public void close() {
    places.close();
  }
}
