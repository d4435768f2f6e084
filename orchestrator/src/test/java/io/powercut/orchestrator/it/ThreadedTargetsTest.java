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
  private static final String NONE = "races  0 consequence, 0 observed, 0 region, 0 lockset\n";

  private static final Pattern STORE = Pattern.compile("^  stored: +(\\w+) at ", Pattern.MULTILINE);

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

  @Test
  void serverThatUnlocksBeforeItsTransactionCommitsShouldHaveRacesOfWhatItInserts() {
    String output = races("kv-server.yaml", "parameters.variant=racy", "schedule.policy=delay");

    assertThat(output)
        .containsPattern("ctree_map_get_leaf at .* loads? what ctree_map_insert_leaf at ")
        .doesNotContain("0 consequence, 0 observed, 0 region");
    assertThat(STORE.matcher(output).results().map(MatchResult::group).toList())
        .isNotEmpty()
        .allMatch(one -> one.contains("ctree_map_insert_leaf") || one.contains("insert_handler"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mutex", "rwlock"})
  void mapBehindALockOfThePoolShouldHaveNoRace(String lock) {
    assertThat(races("map.yaml", "parameters.lock=" + lock)).isEqualTo(NONE);
  }

  @Test
  void indexWhoseReadersTakeNoLockShouldHaveTwoRacesAndItsTwinNone() {
    assertThat(races("index.yaml"))
        .startsWith("races  0 consequence, 0 observed, 1 region, 1 lockset\n")
        .containsPattern("get at .*index.c:\\d+ may load what put at ");
    assertThat(races("index.yaml", "parameters.variant=fixed")).isEqualTo(NONE);
  }
}
