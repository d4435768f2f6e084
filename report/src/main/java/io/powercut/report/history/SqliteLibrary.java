// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.process.PowercutHome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.sqlite.SQLiteJDBCLoader;

/**
 * SQLite's native half. Left alone, the driver unpacks it into the folder for temporary files each
 * time it is used, and one that is killed leaves it there. So it is unpacked once, beside the other
 * native parts.
 */
final class SqliteLibrary {
  private static final String INSIDE = "/org/sqlite/native/Linux/x86_64/libsqlitejdbc.so";
  private static final String FOLDER = "report/target/native";

  private SqliteLibrary() {}

  /** Points the driver to it. Where it cannot be unpacked, the driver does as it likes. */
  static synchronized void provide() {
    if (System.getProperty("org.sqlite.lib.path") != null) {
      return;
    }
    try (InputStream packed = SQLiteJDBCLoader.class.getResourceAsStream(INSIDE)) {
      if (packed == null) {
        return;
      }
      Path folder = Files.createDirectories(PowercutHome.find().resolve(FOLDER));
      Path library = folder.resolve("libsqlitejdbc-" + SQLiteJDBCLoader.getVersion() + ".so");
      if (!Files.exists(library)) {
        unpack(packed, library);
      }
      System.setProperty("org.sqlite.lib.name", String.valueOf(library.getFileName()));
      System.setProperty("org.sqlite.lib.path", folder.toString());
    } catch (IOException | IllegalStateException e) {
      // A home that cannot be written, or none: it works nevertheless.
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
