// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Runs of one campaign by command lines, each with another value of a parameter: a program of the
 * bug suite, or a habit of the tests' own.
 *
 * @param name the campaign's, after which its runs' folder is called
 * @param parameter such as {@code parameters.program}
 * @param always settings of every run, KEY=VALUE
 */
record CampaignRuns(
    Workbench workbench, Path campaign, String name, String parameter, List<String> always) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  CampaignRuns {
    always = List.copyOf(always);
  }

  /** The directory of the latest run, under its own name. */
  Path latest() throws IOException {
    return workbench.runs().resolve(name + "/latest").toRealPath();
  }

  /**
   * Options of a run.
   *
   * @param settings KEY=VALUE, other options as they are
   */
  String[] options(String value, String... settings) {
    List<String> options = new ArrayList<>();
    for (String setting : always) {
      options.addAll(List.of("--set", setting));
    }
    options.addAll(List.of("--set", parameter + "=" + value));
    for (String setting : settings) {
      if (!setting.startsWith("--")) {
        options.add("--set");
      }
      options.add(setting);
    }
    return options.toArray(String[]::new);
  }

  /** Runs it, whatever comes of it. */
  Said run(String value, String... settings) {
    return workbench.runCampaign(campaign, options(value, settings));
  }

  /** Runs it to its end. */
  Report report(String value, String... settings) throws IOException {
    Said said = run(value, settings);
    assertThat(said.exitCode()).as(said.errors()).isIn(0, 1);
    return Workbench.report(latest());
  }

  /**
   * The directory of a run to its end with these options, for tests that only read it: it is run
   * once.
   *
   * @param known of the tests that share it
   */
  Path once(Map<List<String>, Path> known, String value, String... settings) throws IOException {
    List<String> key = List.of(options(value, settings));
    Path run = known.get(key);
    if (run == null) {
      report(value, settings);
      run = latest();
      known.put(key, run);
    }
    return run;
  }

  /**
   * Starts it, the first of its runs, and kills it as {@code kill -9} does.
   *
   * @param verdicts how many are waited for
   * @return its directory, in which there are verdicts left to give
   */
  Path killedAfterVerdicts(int verdicts, String value, String... settings)
      throws IOException, InterruptedException {
    Process powercut = workbench.startCampaign(campaign, options(value, settings));
    Path log = workbench.runs().resolve(name + "/latest/verdicts.jsonl");
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> Files.exists(log) && Files.readAllLines(log).size() >= verdicts);
    List<ProcessHandle> children = powercut.descendants().toList();
    assertThat(powercut.isAlive()).as("there is a middle").isTrue();
    powercut.destroyForcibly().waitFor();
    await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    await().atMost(PATIENCE).until(() -> workbench.processesLeft().isEmpty());
    assertThat(latest().resolve("report.json")).doesNotExist();
    return latest();
  }

  /** Runs it in two parts and merges these; the merged run is then the latest. */
  Said inParts(String value, String... settings) throws IOException {
    List<String> merge = new ArrayList<>(List.of("merge", "--runs", workbench.runs().toString()));
    for (String part : List.of("1/2", "2/2")) {
      String[] all = Arrays.copyOf(settings, settings.length + 1);
      all[settings.length] = "--shard=" + part;
      run(value, all);
      merge.add(latest().toString());
    }
    return Workbench.powercut(merge.toArray(String[]::new));
  }
}
