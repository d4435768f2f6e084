// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.report.format.Json;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Which run belongs to which sweep, written before the run begins, so that sweeps are resumed. */
public final class SweepLog {
  private final Database database;
  private final Function<Path, String> stored;
  private final Function<String, Path> absolute;

  SweepLog(Database database, Function<Path, String> stored, Function<String, Path> absolute) {
    this.database = database;
    this.stored = stored;
    this.absolute = absolute;
  }

  /**
   * A sweep that was begun.
   *
   * @param id its number in this history
   * @param started when it began
   * @param isRunning whether the process that made it is still there
   * @param campaigns the names of all that it is to run; empty when an earlier version began it
   * @param directories the run directories by campaign file
   */
  public record Begun(
      long id,
      Instant started,
      boolean isRunning,
      List<String> campaigns,
      Map<Path, Path> directories) {
    /** Copies the list and the map. */
    public Begun {
      campaigns = List.copyOf(campaigns);
      directories = Map.copyOf(directories);
    }
  }

  /**
   * Begins a sweep.
   *
   * @param request what was asked for; equal for those who may resume it
   * @param campaigns the names of all that it is to run
   * @return the new sweep
   */
  public Begun begin(String request, List<String> campaigns, Instant now) {
    ProcessHandle self = ProcessHandle.current();
    long id =
        database.insert(
            """
            INSERT INTO sweep (started, request, process, process_started, campaigns)
            VALUES (?, ?, ?, ?, ?)""",
            History.utc(now),
            request,
            self.pid(),
            beginning(self),
            Json.line(campaigns));
    return new Begun(id, now, true, campaigns, Map.of());
  }

  /** This process continues with a sweep. */
  public void resume(Begun sweep) {
    ProcessHandle self = ProcessHandle.current();
    database.execute(
        "UPDATE sweep SET process = ?, process_started = ? WHERE id = ?",
        self.pid(),
        beginning(self),
        sweep.id());
  }

  /** The latest sweep of that request. */
  public Optional<Begun> latest(String request) {
    return database.one(
        """
        SELECT id, started, process, process_started, campaigns FROM sweep WHERE request = ?
        ORDER BY id DESC LIMIT 1""",
        this::begun,
        request);
  }

  /** The latest sweep of any request. */
  public Optional<Begun> last() {
    return database.one(
        """
        SELECT id, started, process, process_started, campaigns FROM sweep
        ORDER BY id DESC LIMIT 1""",
        this::begun);
  }

  private Begun begun(ResultSet row) throws SQLException {
    return new Begun(
        row.getLong(1),
        Instant.parse(row.getString(2)),
        isRunning(row.getLong(3), row.getString(4)),
        List.of(History.json(row.getString(5), String[].class)),
        directories(row.getLong(1)));
  }

  /** The number of a process can be that of another one later, the time of its start cannot. */
  private static boolean isRunning(long process, String started) {
    return ProcessHandle.of(process)
        .filter(one -> one.pid() != ProcessHandle.current().pid())
        .filter(one -> beginning(one).equals(started))
        .isPresent();
  }

  private static String beginning(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString).orElse("");
  }

  private Map<Path, Path> directories(long sweep) {
    Map<Path, Path> directories = new LinkedHashMap<>();
    database
        .all(
            "SELECT file, directory FROM sweep_run WHERE sweep = ?",
            row -> Map.entry(Path.of(row.getString(1)), absolute.apply(row.getString(2))),
            sweep)
        .forEach(entry -> directories.put(entry.getKey(), entry.getValue()));
    return directories;
  }

  /** Says, before a campaign's run begins, where it will be. */
  public void runs(Begun sweep, Path file, Path directory) {
    database.execute(
        "INSERT OR REPLACE INTO sweep_run (sweep, file, directory) VALUES (?, ?, ?)",
        sweep.id(),
        file.toString(),
        stored.apply(directory));
  }
}
