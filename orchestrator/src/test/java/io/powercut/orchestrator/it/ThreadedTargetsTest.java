// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.process.PowercutHome;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The races of the targets in {@code configs/threads}, as workloads/threads/README.md lists them.
 */
@Tag("campaign")
class ThreadedTargetsTest {
  private static final String NONE_MET = "0 consequence, 0 observed, 0 region";
  private static final String NONE = "races  0 consequence, 0 observed, 0 region, 0 lockset\n";

  private static final Pattern RACE =
      Pattern.compile("(\\w+) at \\S+ (?:may load|loads) what (\\w+) at \\S+ stored");

  /**
   * What an INSERT stores in its transaction, and is not persisted when it gives the mutex back.
   */
  private static final List<String> INSERTING =
      List.of("ctree_map_insert_leaf", "ctree_map_insert", "cmsg_insert_handler");

  /** What loads it: requests, and the answer to a GET, which is sent from the pool. */
  private static final List<String> LOADING =
      List.of(
          "ctree_map_get",
          "ctree_map_get_leaf",
          "ctree_map_insert",
          "ctree_map_insert_leaf",
          "ctree_map_remove",
          "ctree_map_remove_free",
          "cmsg_get_handler",
          "uv_write");

  private static String races(String target, String... settings) {
    List<String> arguments = new ArrayList<>();
    arguments.add("races");
    arguments.add(PowercutHome.find().resolve("configs/threads/" + target).toString());
    for (String setting : settings) {
      arguments.add("--set");
      arguments.add(setting);
    }
    Said said = Workbench.powercut(arguments.toArray(String[]::new));
    assertThat(said.exitCode()).as(said.errors()).isZero();
    return said.output();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "delay", "pct"})
  void serverShouldHaveNoRace(String policy) {
    assertThat(races("kv-server.yaml", "schedule.policy=" + policy)).isEqualTo(NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "delay"})
  void serverThatUnlocksBeforeItsTransactionCommitsShouldHaveRacesOfWhatItInserts(String policy) {
    String output = races("kv-server.yaml", "parameters.variant=racy", "schedule.policy=" + policy);
    // By default it is left to the machine which threads meet, so not every run shows that they do.
    for (int run = 1; run < 5 && policy.equals("default") && output.contains(NONE_MET); run++) {
      output = races("kv-server.yaml", "parameters.variant=racy", "schedule.policy=" + policy);
    }

    assertThat(output).doesNotContain(NONE_MET);
    List<MatchResult> races = RACE.matcher(output).results().toList();
    assertThat(races).extracting(race -> race.group(1)).isSubsetOf(LOADING);
    assertThat(races).extracting(race -> race.group(2)).isSubsetOf(INSERTING);
    assertThat(races)
        .extracting(race -> race.group(1) + " " + race.group(2))
        .contains(
            "ctree_map_get ctree_map_insert_leaf",
            "ctree_map_get_leaf ctree_map_insert_leaf",
            "ctree_map_insert ctree_map_insert_leaf",
            "ctree_map_insert_leaf ctree_map_insert_leaf");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mutex", "rwlock"})
  void mapBehindALockOfThePoolShouldHaveNoRace(String lock) {
    assertThat(races("map.yaml", "parameters.lock=" + lock)).isEqualTo(NONE);
  }

  @Test
  void indexWhoseReadersTakeNoLockShouldHaveTwoRacesAndItsTwinNone() {
    assertThat(races("index.yaml"))
        .startsWith("races  1 consequence, 0 observed, 1 region, 0 lockset\n")
        .containsPattern("get at .*index.c:\\d+ (may load|loads) what put at ");
    assertThat(races("index.yaml", "parameters.variant=fixed")).isEqualTo(NONE);
  }
}
