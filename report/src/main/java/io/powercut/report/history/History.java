// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.common.base.Splitter;
import com.google.common.collect.Maps;
import io.powercut.exit.PowercutException;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.format.Json;
import io.powercut.tree.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What all runs found, in one SQLite file. Several processes and threads may use it at once. */
public final class History implements AutoCloseable {
  /** The file's name in the folder of all runs, unless the command line names another. */
  public static final String DEFAULT_NAME = "history.db";

  private static final String RUNS =
      """
      SELECT r.*, sum(NOT accepted AND severity = 'BUG') AS bugs,
        sum(NOT accepted AND severity = 'RACE') AS races,
        sum(NOT accepted AND severity = 'PERFORMANCE') AS performance,
        sum(NOT accepted AND severity = 'WARNING') AS warnings, sum(accepted) AS accepted
      FROM run r LEFT JOIN sighting s ON s.run = r.id
        LEFT JOIN finding f ON f.fingerprint = s.fingerprint AND f.campaign = r.campaign
      WHERE r.campaign = ? GROUP BY r.id ORDER BY r.started, r.id""";

  private final Database database;

  private History(Database database) {
    this.database = database;
  }

  /**
   * Opens a history, making it when it is not there.
   *
   * @throws PowercutException if the file is no history or cannot be written
   */
  public static History open(Path file) {
    return new History(Database.open(file));
  }

  /**
   * Opens a history to be read.
   *
   * @throws PowercutException if there is none
   */
  public static History openExisting(Path file) {
    if (!Files.exists(file)) {
      throw PowercutException.usage(
          "there is no history "
              + file
              + ": powercut sweep writes one, and powercut history --add RUN adds a single run.");
    }
    return open(file);
  }

  /**
   * Keeps a run. One that is known already, since it was resumed, is replaced.
   *
   * @param directory its run directory
   */
  public void add(Report report, Path directory) {
    database.transaction(
        () -> {
          long run = insert(RunRecord.of(report, directory));
          report.findings().stream()
              .filter(finding -> !finding.isQuiet())
              .forEach(finding -> addFinding(run, report.campaign().name(), finding));
          return true;
        });
  }

  /** Keeps a run that came to no report. */
  public void addFailure(RunRecord failure) {
    database.transaction(() -> insert(failure));
  }

  private long insert(RunRecord run) {
    Optional<String> directory = run.directory().map(this::stored);
    directory.ifPresent(path -> database.execute("DELETE FROM run WHERE directory = ?", path));
    return database.insert(
        """
        INSERT INTO run (campaign, started, directory, build_id, shard, exit_code, complete, conclusive,
          message, failure_points, injected, seconds, verdicts, timings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        run.campaign(),
        utc(run.started()),
        directory,
        run.targetBuildId(),
        run.shard(),
        run.exitCode(),
        run.complete(),
        run.isConclusive(),
        run.message(),
        run.failurePoints(),
        run.injected(),
        run.seconds(),
        Json.line(run.verdicts()),
        Json.line(run.timings()));
  }

  private void addFinding(long run, String campaign, Finding finding) {
    database.execute(
        """
        INSERT INTO sighting (run, fingerprint, count, fails, accepted) VALUES (?, ?, ?, ?, ?)""",
        run,
        finding.fingerprint(),
        finding.count(),
        finding.fails(),
        finding.accepted().isPresent());
    database.execute(
        """
        INSERT INTO finding (campaign, fingerprint, severity, kind, title, place, former)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?8)
        ON CONFLICT DO UPDATE SET severity = ?3, kind = ?4, title = ?5, place = ?6, former = ?8
        WHERE NOT EXISTS (
          SELECT 1 FROM sighting s JOIN run r ON r.id = s.run JOIN run this ON this.id = ?7
          WHERE s.fingerprint = ?2 AND r.campaign = ?1 AND r.started > this.started)""",
        campaign,
        finding.fingerprint(),
        finding.severity().name(),
        finding.kind(),
        finding.title(),
        finding.place(),
        run,
        String.join(" ", finding.formerFingerprints()));
  }

  /** The names of all campaigns with a run, in the order of the alphabet. */
  public List<String> campaigns() {
    return database.all("SELECT DISTINCT campaign FROM run ORDER BY 1", row -> row.getString(1));
  }

  /** All that is known of all campaigns, in the order of their names. */
  public List<Timeline> timelines() {
    return campaigns().stream().flatMap(name -> timeline(name).stream()).toList();
  }

  /** All that is known of a campaign; nothing when it has no run. */
  public Optional<Timeline> timeline(String campaign) {
    return database.transaction(() -> readTimeline(campaign));
  }

  private Optional<Timeline> readTimeline(String campaign) {
    Map<Long, Integer> positions = new LinkedHashMap<>();
    List<HistoryRun> runs =
        database.all(
            RUNS,
            row -> {
              positions.put(row.getLong("id"), positions.size() + 1);
              return readRun(row, positions.size());
            },
            campaign);
    Map<String, KnownFinding> known =
        Maps.uniqueIndex(
            database.all(
                """
                SELECT fingerprint, severity, kind, title, place, former FROM finding
                WHERE campaign = ?""",
                History::readFinding,
                campaign),
            KnownFinding::fingerprint);
    List<Sighting> sightings =
        database.all(
            """
            SELECT s.fingerprint, s.run, s.accepted FROM sighting s JOIN run r ON r.id = s.run
            WHERE r.campaign = ?""",
            row ->
                new Sighting(
                    row.getString(1), positions.getOrDefault(row.getLong(2), 0), row.getBoolean(3)),
            campaign);
    return runs.isEmpty() ? Optional.empty() : Optional.of(new Timeline(runs, known, sightings));
  }

  private static KnownFinding readFinding(ResultSet row) throws SQLException {
    return new KnownFinding(
        row.getString(1),
        Splitter.on(' ').omitEmptyStrings().splitToList(row.getString(6)),
        Severity.valueOf(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5));
  }

  private HistoryRun readRun(ResultSet row, int position) throws SQLException {
    RunRecord facts =
        new RunRecord(
            row.getString("campaign"),
            Instant.parse(row.getString("started")),
            Optional.ofNullable(row.getString("directory")).map(this::absolute),
            row.getString("build_id"),
            Optional.ofNullable(row.getString("shard")),
            row.getInt("exit_code"),
            row.getBoolean("complete"),
            row.getString("message"),
            row.getLong("failure_points"),
            row.getLong("injected"),
            row.getDouble("seconds"),
            json(row.getString("verdicts"), Verdicts.class),
            json(row.getString("timings"), Seconds.class));
    return new HistoryRun(
        position,
        facts,
        new FindingCounts(
            row.getLong("bugs"),
            row.getLong("races"),
            row.getLong("performance"),
            row.getLong("warnings"),
            row.getLong("accepted")));
  }

  private static final class Verdicts extends LinkedHashMap<String, Long> {
    private static final long serialVersionUID = 1L;
  }

  private static final class Seconds extends LinkedHashMap<String, Double> {
    private static final long serialVersionUID = 1L;
  }

  static <T> T json(String json, Class<T> type) {
    try {
      return Json.parse(json, type);
    } catch (JsonProcessingException e) {
      throw PowercutException.notTrustworthy("the history was damaged: " + Json.problem(e));
    }
  }

  /** The sweeps that were made with this history. */
  public SweepLog sweeps() {
    return new SweepLog(database, this::stored, this::absolute);
  }

  /** So that the folder of all runs can be moved as a whole. */
  private String stored(Path directory) {
    Path absolute = directory.toAbsolutePath().normalize();
    Path folder = database.folder();
    return absolute.startsWith(folder)
        ? folder.relativize(absolute).toString()
        : absolute.toString();
  }

  private Path absolute(String stored) {
    return database.folder().resolve(stored).normalize();
  }

  static String utc(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public void close() {
    database.close();
  }
}
