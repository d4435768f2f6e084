package io.powercut.orchestrator.run;

import io.powercut.image.PmArea;
import io.powercut.oracle.ImageCopies;
import io.powercut.oracle.ImageCopy;
import java.io.IOException;
import java.nio.file.Path;

/** Private copies of a crash image that lies in a directory. */
final class CopiedImages implements ImageCopies {
  private final Path image;
  private final PmArea area;

  CopiedImages(Path image, PmArea area) {
    this.image = image;
    this.area = area;
  }

  @Override
  public ImageCopy fresh() throws IOException {
    return new PlacedCopy(Execution.copyOf(image, area));
  }

  /** A copy in places of its own. */
  record PlacedCopy(Places places) implements ImageCopy {
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
