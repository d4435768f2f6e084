// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds and loads the native half of this package. */
public final class NativeLibrary {
  private static final String LIBRARY = "pm-image-manager/target/native/libpowercut-image.so";

  private NativeLibrary() {}

  /**
   * Loads the library; a class with native methods calls this when it is initialised.
   *
   * @throws IllegalStateException if the library has not been built
   */
  public static void load() {
    System.load(find().toString());
  }

  private static Path find() {
    String home = System.getProperty("powercut.home", "");
    Path directory = Path.of(home).toAbsolutePath().normalize();
    while (directory != null) {
      Path library = directory.resolve(LIBRARY);
      if (Files.isReadable(library)) {
        return library;
      }
      directory = home.isEmpty() ? directory.getParent() : null;
    }
    throw new IllegalStateException(
        LIBRARY
            + " was not found below "
            + (home.isEmpty() ? "the working directory or a folder above it" : home)
            + "; build it with: make -C pm-image-manager/native");
  }
}
