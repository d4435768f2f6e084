// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.util.List;

/**
 * The tables of a history. {@code user_version} of the file says how many of these steps it has
 * been through; a step is never changed once it was released, only followed by another.
 *
 * <p>When a finding came and went follows from the runs and what was seen in them, so a run may be
 * added late, twice, or replaced when it was resumed. A run is <em>conclusive</em> when what it did
 * not show was not there: complete, trustworthy and of all failure points.
 */
final class Schema {
  private static final List<String> FIRST =
      List.of(
          """
          CREATE TABLE run (
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again, also when runs are deleted by hand
            campaign TEXT NOT NULL,
            started TEXT NOT NULL, -- UTC, 2026-01-31T02:00:00Z
            directory TEXT UNIQUE, -- relative to this file when it is below its folder
            build_id TEXT NOT NULL,
            shard TEXT,
            exit_code INTEGER NOT NULL,
            complete INTEGER NOT NULL,
            conclusive INTEGER NOT NULL,
            message TEXT NOT NULL, -- why there is no report
            failure_points INTEGER NOT NULL,
            injected INTEGER NOT NULL,
            seconds REAL NOT NULL,
            verdicts TEXT NOT NULL, -- JSON: {"CONSISTENT": 12, ...}
            timings TEXT NOT NULL -- JSON: {"injection": 1.5, ...}
          ) STRICT""",
          "CREATE INDEX run_in_order ON run (campaign, started, id)",
          """
          CREATE TABLE finding ( -- as it was seen last
            campaign TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            severity TEXT NOT NULL,
            kind TEXT NOT NULL,
            title TEXT NOT NULL,
            place TEXT NOT NULL,
            PRIMARY KEY (campaign, fingerprint)
          ) STRICT, WITHOUT ROWID""",
          """
          CREATE TABLE sighting (
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
            fingerprint TEXT NOT NULL,
            count INTEGER NOT NULL,
            fails INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            PRIMARY KEY (run, fingerprint)
          ) STRICT, WITHOUT ROWID""",
          "CREATE INDEX sighting_of_finding ON sighting (fingerprint, run)",
          """
          CREATE VIEW finding_times AS -- for people with sqlite3
          SELECT f.*, (
              SELECT min(r.started) FROM sighting s JOIN run r ON r.id = s.run
              WHERE s.fingerprint = f.fingerprint AND r.campaign = f.campaign) AS first_seen,
            last.started AS last_seen, (
              SELECT min(c.started) FROM run c
              WHERE c.campaign = f.campaign AND c.conclusive
                AND (c.started, c.id) > (last.started, last.id)) AS gone_since
          FROM finding f JOIN run last ON last.id = (
              SELECT r.id FROM sighting s JOIN run r ON r.id = s.run
              WHERE s.fingerprint = f.fingerprint AND r.campaign = f.campaign
              ORDER BY r.started DESC, r.id DESC LIMIT 1)""",
          """
          CREATE TABLE sweep (
            id INTEGER PRIMARY KEY,
            started TEXT NOT NULL,
            request TEXT NOT NULL, -- JSON: which campaigns, with which changes
            process INTEGER NOT NULL,
            process_started TEXT NOT NULL
          ) STRICT""",
          """
          CREATE TABLE sweep_run (
            sweep INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE,
            file TEXT NOT NULL,
            directory TEXT NOT NULL,
            PRIMARY KEY (sweep, file)
          ) STRICT, WITHOUT ROWID""");

  /** What earlier versions of Powercut called a finding, with spaces between. */
  private static final List<String> FORMER_FINGERPRINTS =
      List.of(
          """
          ALTER TABLE finding ADD COLUMN former TEXT NOT NULL DEFAULT ''""");

  /** The names of a sweep's campaigns, as JSON. */
  private static final List<String> CAMPAIGNS_OF_SWEEP =
      List.of(
          """
          ALTER TABLE sweep ADD COLUMN campaigns TEXT NOT NULL DEFAULT '[]'""");

  /** The statements of each step, the oldest first. */
  static final List<List<String>> VERSIONS =
      List.of(FIRST, FORMER_FINGERPRINTS, CAMPAIGNS_OF_SWEEP);

  private Schema() {}
}
