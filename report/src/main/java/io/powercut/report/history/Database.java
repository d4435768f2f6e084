// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.campaign.input.InputFile;
import io.powercut.campaign.input.UnusableInputException;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.process.DataSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * An SQLite file. Several processes may have it open: writers wait for each other, and what was
 * committed outlives {@code kill -9} and a power cut. Safe for use by several threads, which share
 * one connection: while one has a transaction, the others wait.
 */
final class Database implements AutoCloseable {
  private static final DataSize LARGEST_FILE = DataSize.ofGibibytes(1024);
  private static final int PATIENCE_MILLISECONDS = 60_000;
  private static final int RETRY_MILLISECONDS = 20;

  private final Path file;
  private final Connection connection;

  private Database(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /** Work on the database that gives something. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Makes an object of a row. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * Opens the file and brings it to the present layout; it need not exist.
   *
   * @throws PowercutException if it is no history, or one of a newer Powercut, or cannot be written
   */
  static Database open(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    SqliteLibrary.provide();
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(PATIENCE_MILLISECONDS);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    config.enforceForeignKeys(true);
    try {
      Files.createDirectories(Optional.ofNullable(absolute.getParent()).orElse(absolute));
      if (Files.exists(absolute)) {
        InputFile.require(absolute, LARGEST_FILE);
      }
      Database database = new Database(absolute, connect(config, "jdbc:sqlite:" + absolute));
      database.check();
      database.migrate();
      return database;
    } catch (UnusableInputException e) {
      throw PowercutException.usage(
          "cannot use the history %s: it %s. Name another file with --history."
              .formatted(absolute, e.getMessage()));
    } catch (IOException e) {
      throw unusable(FileProblem.of(absolute, e).text());
    } catch (SQLException e) {
      boolean isWritable =
          Optional.ofNullable(absolute.getParent()).map(Files::isWritable).orElse(true);
      throw unusable(
          absolute
              + ": "
              + (isWritable
                  ? e.getMessage()
                  : "its folder cannot be written; reading takes that, too"));
    }
  }

  private static PowercutException unusable(String why) {
    return PowercutException.notTrustworthy(
        "cannot use the history %s. Name another file with --history.".formatted(why));
  }

  /** SQLite does not wait by itself while another process changes the journal mode. */
  private static Connection connect(SQLiteConfig config, String url) throws SQLException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLISECONDS);
    while (true) {
      try {
        return config.createConnection(url);
      } catch (SQLException e) {
        boolean isBusy = e.getErrorCode() == SQLiteErrorCode.SQLITE_BUSY.code;
        if (!isBusy || System.nanoTime() > end) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLISECONDS));
      }
    }
  }

  /** What is damaged would be read wrong, and written worse. */
  private void check() throws SQLException {
    List<String> said;
    try {
      said = all("PRAGMA integrity_check(3)", row -> row.getString(1));
    } catch (PowercutException e) {
      said = List.of(String.valueOf(e.getMessage()));
    }
    if (!said.equals(List.of("ok"))) {
      connection.close();
      throw PowercutException.notTrustworthy(
          ("the history %s was damaged: %s. Restore it from a backup, or move it away to begin a new one;"
                  + " the runs and their reports stay.")
              .formatted(file, String.join("; ", said)));
    }
  }

  private void migrate() throws SQLException {
    try {
      transaction(
          () -> {
            int version = one("PRAGMA user_version", row -> row.getInt(1)).orElse(0);
            if (version > Schema.VERSIONS.size()) {
              throw PowercutException.notTrustworthy(
                  "the history %s was written by a newer Powercut (layout %d; this one knows up to %d)"
                      .formatted(file, version, Schema.VERSIONS.size()));
            }
            for (List<String> step : Schema.VERSIONS.subList(version, Schema.VERSIONS.size())) {
              for (String statement : step) {
                execute(statement);
              }
            }
            execute("PRAGMA user_version = " + Schema.VERSIONS.size());
            return true;
          });
    } catch (PowercutException e) {
      connection.close();
      throw e;
    }
  }

  /** Does all of the work or nothing of it. */
  synchronized <T> T transaction(Work<T> work) {
    try {
      connection.setAutoCommit(false);
      try {
        T result = work.run();
        connection.commit();
        return result;
      } finally {
        // After a commit there is nothing to roll back.
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw broken(e);
    }
  }

  /** Changes something, outside or inside a transaction. */
  synchronized int execute(String sql, Object... values) {
    try (PreparedStatement statement = prepare(sql, values)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw broken(e);
    }
  }

  /** Adds a row and gives its number. */
  synchronized long insert(String sql, Object... values) {
    execute(sql, values);
    return one("SELECT last_insert_rowid()", row -> row.getLong(1)).orElseThrow();
  }

  /** The first row, if there is one. */
  <T> Optional<T> one(String sql, Row<T> reader, Object... values) {
    return all(sql, reader, values).stream().findFirst();
  }

  /** All rows. */
  synchronized <T> List<T> all(String sql, Row<T> reader, Object... values) {
    try (PreparedStatement statement = prepare(sql, values);
        ResultSet rows = statement.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(reader.read(rows));
      }
      return found;
    } catch (SQLException e) {
      throw broken(e);
    }
  }

  private PreparedStatement prepare(String sql, Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int index = 0; index < values.length; index++) {
      Object value = values[index];
      statement.setObject(index + 1, value instanceof Optional<?> one ? one.orElse(null) : value);
    }
    return statement;
  }

  private PowercutException broken(SQLException e) {
    return PowercutException.notTrustworthy("the history " + file + " failed: " + e.getMessage());
  }

  /** Folder of the file. */
  Path folder() {
    return Optional.ofNullable(file.getParent()).orElse(file);
  }

  @Override
  public synchronized void close() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA optimize");
    } catch (SQLException e) {
      throw broken(e);
    } finally {
      closeConnection();
    }
  }

  private void closeConnection() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw broken(e);
    }
  }
}
