// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.process.UnpackedLibrary;
import org.sqlite.SQLiteJDBCLoader;

/** SQLite's native half. */
final class SqliteLibrary {
  private static final String INSIDE = "/org/sqlite/native/Linux/x86_64/libsqlitejdbc.so";
  private static final String FOLDER = "org.sqlite.lib.path";

  private SqliteLibrary() {}

  /** Points the driver to it. Where it cannot be unpacked, the driver does as it likes. */
  static synchronized void provide() {
    if (System.getProperty(FOLDER) != null) {
      return;
    }
    String name = "libsqlitejdbc-" + SQLiteJDBCLoader.getVersion() + ".so";
    UnpackedLibrary.of(SQLiteJDBCLoader.class, INSIDE, "report", name)
        .ifPresent(
            library -> {
              System.setProperty("org.sqlite.lib.name", name);
              System.setProperty(FOLDER, String.valueOf(library.getParent()));
            });
  }
}
