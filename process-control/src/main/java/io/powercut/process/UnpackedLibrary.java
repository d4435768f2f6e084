// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The native half of a Java library, which its jar holds. Left alone, such libraries unpack it into
 * the folder for temporary files each time they are used: there may be no room, and one that is
 * killed leaves it there. So it is unpacked once, beside Powercut's own native parts.
 */
public final class UnpackedLibrary {
  private UnpackedLibrary() {}

  /**
   * The file with it, which is made if need be.
   *
   * @param owner a class of the Java library
   * @param inside where it is in the jar
   * @param module the module of Powercut that uses it
   * @param name of the file, with the library's version
   * @return nothing if Powercut's folder cannot be written, or there is none
   */
  public static Optional<Path> of(Class<?> owner, String inside, String module, String name) {
    try (InputStream packed = owner.getResourceAsStream(inside)) {
      if (packed == null) {
        return Optional.empty();
      }
      Path library = PowercutHome.find().resolve(module + "/target/native").resolve(name);
      if (!Files.exists(library)) {
        Files.createDirectories(library.resolveSibling("."));
        unpack(packed, library);
      }
      return Optional.of(library);
    } catch (IOException | IllegalStateException e) {
      return Optional.empty();
    }
  }

  /** Others see all of it or nothing. */
  private static void unpack(InputStream packed, Path library) throws IOException {
    Path fresh =
        library.resolveSibling(library.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.copy(packed, fresh, StandardCopyOption.REPLACE_EXISTING);
      Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
