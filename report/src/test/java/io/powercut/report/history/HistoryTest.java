// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file in which the history is kept. */
class HistoryTest {
  private static final Instant NIGHT = Instant.parse("2026-11-01T02:00:00Z");
  private static final String A = "aaaaaaaaaaaaaaaa";
  private static final String B = "bbbbbbbbbbbbbbbb";

  @TempDir private Path runs;

  private Path file() {
    return runs.resolve("history.db");
  }

  private List<List<String>> query(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<List<String>> found = new ArrayList<>();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          row.add(String.valueOf(rows.getString(column)));
        }
        found.add(row);
      }
      return found;
    }
  }

  @Test
  void runShouldComeBackAsItWasAdded() {
    Report report = Reports.complete("map", NIGHT, List.of(A));
    Path directory = runs.resolve("map/1");
    try (History history = History.open(file())) {
      history.add(report, directory);
    }
    try (History history = History.openExisting(file())) {
      Timeline timeline = history.timeline("map").orElseThrow();

      assertThat(history.campaigns()).containsExactly("map");
      assertThat(timeline.last().facts()).isEqualTo(RunRecord.of(report, directory));
      assertThat(timeline.last().findings()).isEqualTo(new FindingCounts(1, 0, 0, 0, 0));
      assertThat(timeline.findings().get(0).finding().place()).isEqualTo("insert at map.c:10");
      assertThat(history.timeline("other")).isEmpty();
    }
  }

  @Test
  void resumedRunShouldTakeThePlaceOfItsFirstPart() {
    Path directory = runs.resolve("map/1");
    try (History history = History.open(file())) {
      history.add(Reports.report("map", NIGHT, false, Optional.empty(), List.of(A), 10), directory);
      history.add(Reports.complete("map", NIGHT, List.of(B)), directory);

      Timeline timeline = history.timeline("map").orElseThrow();
      assertThat(timeline.runs()).hasSize(1);
      assertThat(timeline.last().facts().complete()).isTrue();
      assertThat(timeline.findings()).hasSize(1);
      assertThat(timeline.findings().get(0).finding().fingerprint()).isEqualTo(B);
    }
  }

  @Test
  void placeShouldBeThatOfTheLatestRunWhateverIsAddedLast() {
    try (History history = History.open(file())) {
      for (int night : new int[] {1, 3, 2}) {
        history.add(
            Reports.report(
                "map", NIGHT.plusSeconds(night), true, Optional.empty(), List.of(A), 100 * night),
            runs.resolve("map/" + night));
      }
      assertThat(history.timeline("map").orElseThrow().findings().get(0).finding().place())
          .endsWith("map.c:300");
    }
  }

  /** Campaigns of a sweep on a cluster end while others begin. */
  @Test
  void threadsShouldShareAHistory() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (History history = History.open(file())) {
      List<Future<?>> ending = new ArrayList<>();
      for (String campaign : List.of("map", "list", "tree")) {
        ending.add(
            threads.submit(
                () -> {
                  for (int night = 1; night <= 40; night++) {
                    history.add(
                        Reports.complete(campaign, NIGHT.plusSeconds(night), List.of(A)),
                        runs.resolve(campaign + "/" + night));
                    assertThat(history.timeline(campaign).orElseThrow().runs()).hasSize(night);
                  }
                }));
      }
      for (Future<?> one : ending) {
        one.get();
      }
      assertThat(history.campaigns()).containsExactly("list", "map", "tree");
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void folderOfRunsShouldBeMovableAsAWhole() throws IOException {
    Path before = Files.createDirectory(runs.resolve("before"));
    try (History history = History.open(before.resolve("history.db"))) {
      history.add(Reports.complete("map", NIGHT, List.of()), before.resolve("map/1"));
    }
    Path after = Files.move(before, runs.resolve("after"));
    try (History history = History.open(after.resolve("history.db"))) {
      assertThat(history.timeline("map").orElseThrow().last().facts().directory())
          .contains(after.resolve("map/1"));
    }
  }

  @Test
  void sameFingerprintInTwoCampaignsShouldBeTwoFindings() {
    try (History history = History.open(file())) {
      history.add(Reports.complete("one", NIGHT, List.of(A)), runs.resolve("one/1"));
      history.add(Reports.complete("two", NIGHT.plusSeconds(1), List.of(A)), runs.resolve("two/1"));
      history.add(Reports.complete("one", NIGHT.plusSeconds(2), List.of()), runs.resolve("one/2"));

      assertThat(history.timeline("one").orElseThrow().findings().get(0).goneSince()).isPresent();
      assertThat(history.timeline("two").orElseThrow().findings().get(0).goneSince()).isEmpty();
      assertThat(history.timeline("two").orElseThrow().findings().get(0).runs()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void viewShouldTellTheSameTimesAsTheTimeline(long seed) throws SQLException {
    Random random = new Random(seed);
    try (History history = History.open(file())) {
      for (int run = 0; run < 25; run++) {
        List<String> seen = List.of(A, B).stream().filter(one -> random.nextInt(3) == 0).toList();
        history.add(
            Reports.report(
                "map",
                NIGHT.plusSeconds(random.nextInt(12)),
                random.nextInt(3) > 0,
                Optional.empty(),
                seen,
                10),
            runs.resolve("map/" + run));
      }
      List<List<String>> expected =
          history.timeline("map").orElseThrow().findings().stream()
              .map(
                  one ->
                      List.of(
                          one.finding().fingerprint(),
                          one.first().started().toString(),
                          one.last().started().toString(),
                          one.goneSince().map(run -> run.started().toString()).orElse("null")))
              .toList();

      assertThat(query("SELECT fingerprint, first_seen, last_seen, gone_since FROM finding_times"))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void manyWritersShouldLoseNothing() throws Exception {
    int writers = 6;
    int nights = 10;
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        String campaign = "map-" + writer;
        all.add(
            pool.submit(
                () -> {
                  for (int night = 0; night < nights; night++) {
                    try (History history = History.open(file())) {
                      history.add(
                          Reports.complete(campaign, NIGHT.plusSeconds(night), List.of(A)),
                          runs.resolve(campaign + "/" + night));
                    }
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      pool.shutdown();
    }
    try (History history = History.openExisting(file())) {
      assertThat(history.campaigns()).hasSize(writers);
      assertThat(history.campaigns())
          .allSatisfy(
              campaign ->
                  assertThat(history.timeline(campaign).orElseThrow().findings())
                      .singleElement()
                      .satisfies(one -> assertThat(one.runs()).isEqualTo(nights)));
    }
    assertThat(query("PRAGMA integrity_check")).containsExactly(List.of("ok"));
    assertThat(query("PRAGMA journal_mode")).containsExactly(List.of("wal"));
  }

  @Test
  void historyOfANewerPowercutShouldBeRefusedAndLeftAlone() throws Exception {
    try (History history = History.open(file())) {
      history.addFailure(
          RunRecord.failure("map", NIGHT, Optional.empty(), ExitCode.WRONG_USAGE, "no", 1));
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 99");
    }
    assertThatThrownBy(() -> History.open(file()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContainingAll(file().toString(), "newer Powercut", "99");
    assertThat(query("PRAGMA user_version")).containsExactly(List.of("99"));
  }

  @Test
  void layoutShouldBeMadeInAFileThatHasNone() throws Exception {
    Files.createFile(file());
    try (History history = History.open(file())) {
      assertThat(history.campaigns()).isEmpty();
    }
    assertThat(query("PRAGMA user_version"))
        .containsExactly(List.of(Integer.toString(Schema.VERSIONS.size())));
  }

  @Test
  void anotherFileShouldBeRefusedAndLeftAlone() throws IOException {
    Files.writeString(file(), "this is not the file of a database, however long it may be");

    assertThatThrownBy(() -> History.open(file()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(file().toString());
    assertThat(file()).content().startsWith("this is not");
  }

  @Test
  void missingHistoryShouldBeToldWithWhatMakesOne() {
    assertThatThrownBy(() -> History.openExisting(file()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContainingAll(file().toString(), "powercut sweep", "--add");
    assertThat(file()).doesNotExist();
  }
}
