// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.PmArea;
import io.powercut.oracle.ImageCopy;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.target.Execution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Private copies of a crash image that lies in a directory. */
public final class CopiedImages implements JudgedImages {
  private final Path image;
  private final Optional<Acknowledgement> acknowledged;
  private final PmArea area;
  private final Optional<ExpectedDumps> expected;

  /**
   * @param acknowledged what the target had acknowledged when it left the image
   */
  public CopiedImages(Path image, Optional<Acknowledgement> acknowledged, PmArea area) {
    this(image, acknowledged, area, Optional.empty());
  }

  private CopiedImages(
      Path image,
      Optional<Acknowledgement> acknowledged,
      PmArea area,
      Optional<ExpectedDumps> expected) {
    this.image = image;
    this.acknowledged = acknowledged;
    this.area = area;
    this.expected = expected;
  }

  /** The same, whose contents are to be compared. */
  public CopiedImages expecting(Optional<ExpectedDumps> dumps) {
    return new CopiedImages(image, acknowledged, area, dumps);
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
    ExecutionDirectories places = Execution.copyOf(image, area);
    try {
      if (acknowledged.isPresent()) {
        acknowledged.get().writeTo(places.acknowledgedFile());
      }
      return new PlacedCopy(places);
    } catch (IOException e) {
      places.close();
      throw e;
    }
  }

  /** A copy in separate places. */
  record PlacedCopy(ExecutionDirectories places) implements ImageCopy {
    @Override
    public Path directory() {
      return places.pm();
    }

    @Override
    public void close() {
      places.close();
    }
  }
}
