// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.powercut.api.Event;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.it.Workbench.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as a user meets it. */
@Tag("campaign")
class CliTest {
  private static final Path BUG = Workbench.home().resolve("configs/bugs/bug.yaml");
  private static final String FIGURE_2 =
      """
      figure2: 3 failure points, %d visited
      ├─ main at pm.c:16  [%2$s] clwb, 1 time, ID
      ├─ main at pm.c:19
      │  persist at pm.c:2  [%2$s] clwb, 1 time, ID
      └─ main at pm.c:20
         redundant_loop at pm.c:8
         persist at pm.c:2  [%2$s] clwb, 1 time, ID
      """;

  @RegisterExtension private final Workbench workbench = Workbench.with("bugs");

  private static String[] help(String command) {
    return command.isEmpty() ? new String[] {"--help"} : new String[] {command, "--help"};
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "run",
        "sweep",
        "history",
        "replay",
        "report",
        "diff",
        "accept",
        "merge",
        "tree",
        "verify",
        "init",
        "schema",
        "doctor",
        "completion",
        "man"
      })
  void helpShouldTeachAndListTheExitCodes(String command) {
    Said said = Workbench.powercut(help(command));

    assertThat(said.exitCode()).isZero();
    assertThat(said.errors()).isEmpty();
    assertThat(said.output()).startsWith("Usage: powercut").contains("Exit codes:");
    for (ExitCode exit : ExitCode.values()) {
      assertThat(said.output()).contains("  " + exit.code() + "   " + exit.meaning());
    }
    assertThat(said.output().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(100));
    assertThat(said.output().lines().toList()).hasSizeGreaterThan(10);
  }

  @Test
  void nothingAtAllShouldShowTheHelpAsAnError() {
    Said said = Workbench.powercut();

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.output()).isEmpty();
    assertThat(said.errors()).contains("Usage: powercut", "run", "replay", "doctor");
  }

  @Test
  void versionShouldBeTold() {
    assertThat(Workbench.powercut("--version").output()).startsWith("powercut ");
  }

  @Test
  void unknownOptionShouldBeWrongUsage() {
    Said said = Workbench.powercut("run", "--frobnicate", BUG.toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("Unknown option", "--frobnicate");
  }

  /** The names of the program's own constants are not for users. */
  @Test
  void wrongValueShouldBeToldInTheSpellingOfTheHelp() {
    assertThat(Workbench.powercut("replay", "run", "--gdb", "foo").errors())
        .contains("'--gdb': want one of recovery, target, but it is 'foo'");
    assertThat(Workbench.powercut("completion", "fish").output())
        .contains("-l gdb -a 'recovery target'");
    assertThat(Workbench.powercut("completion", "foo").errors())
        .contains("want one of bash, zsh, fish, but it is 'foo'");
    assertThat(Workbench.powercut("replay", "run", "--occurrence", "two").errors())
        .contains("'--occurrence': 'two' is not a whole number");
  }

  @Test
  void unknownCommandShouldBeWrongUsageWithASuggestion() {
    Said said = Workbench.powercut("rum");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("'rum'", "Did you mean", "run");
  }

  @ParameterizedTest
  @CsvSource({"hist, history", "repot, report", "rnu, run", "strenght, strength"})
  void beginningOrSlipShouldGetTheCommandThatWasMeant(String word, String meant) {
    assertThat(Workbench.powercut(word).errors())
        .startsWith(
            "powercut: there is no command '%s'. Did you mean '%s'?".formatted(word, meant));
  }

  @Test
  void misspeltOptionShouldGetTheRightOne() {
    Said said = Workbench.powercut("run", "--resum", BUG.toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors())
        .contains("'--resum'. Did you mean '--resume'?", "powercut run --help");
    assertThat(said.errors().lines()).hasSizeLessThan(6);
  }

  @Test
  void helpOfACommandShouldBeThatOfItsOption() {
    Said said = Workbench.powercut("help", "run");

    assertThat(said.exitCode()).isZero();
    assertThat(said.output()).isEqualTo(Workbench.powercut("run", "--help").output());
    assertThat(Workbench.powercut("help", "rum").exitCode()).isEqualTo(2);
  }

  @Test
  void commandsKnownInOutlineShouldBeListedAsThoseKnownInFull() {
    Said outlines = Workbench.powercut("--help");

    assertThat(outlines.output()).contains("doctor", "help");
    assertThat(outlines.output()).isEqualTo(Workbench.powercut("help").output());
  }

  @Test
  void eventsShouldBeLinesOfJsonThatEndWithTheResult() throws IOException {
    Said said = workbench.runCampaign(BUG, "--set", "parameters.program=recovery-crash", "--json");

    List<Event> events = new ArrayList<>();
    for (String line : said.output().lines().toList()) {
      events.add(Event.of(line).orElseThrow());
    }
    assertThat(said.errors()).isEmpty();
    assertThat(events)
        .hasAtLeastOneElementOfType(Event.Phase.class)
        .hasAtLeastOneElementOfType(Event.Judged.class)
        .hasAtLeastOneElementOfType(Event.States.class)
        .hasAtLeastOneElementOfType(Event.Bug.class)
        .hasAtLeastOneElementOfType(Event.Found.class);
    assertThat(events.get(events.size() - 1))
        .isInstanceOfSatisfying(
            Event.Result.class,
            result -> {
              assertThat(result.exit()).isEqualTo(said.exitCode()).isEqualTo(1);
              assertThat(result.bugs()).isEqualTo(1);
              assertThat(Path.of(result.report().orElseThrow())).exists();
            });
  }

  @Test
  void earlyEndShouldBeAnEvent() throws IOException {
    Said said = Workbench.powercut("run", "missing.yaml", "--json");

    assertThat(Event.of(said.output()).orElseThrow())
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed -> {
              assertThat(failed.exit()).isEqualTo(said.exitCode()).isEqualTo(2);
              assertThat(failed.message()).contains("missing.yaml", "does not exist");
            });
  }

  @Test
  void quietRunShouldOnlyTellBugsAndTheResult() {
    Said said = workbench.runCampaign(BUG, "--set", "parameters.program=recovery-crash", "--quiet");

    assertThat(said.errors()).isEmpty();
    assertThat(said.output().lines().filter(line -> !line.isEmpty() && !line.startsWith(" ")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("BUG crashed"),
            line -> assertThat(line).startsWith("result "),
            line -> assertThat(line).startsWith("report "));
  }

  @Test
  void verboseRunShouldTellEveryVerdict() {
    Said said =
        workbench.runCampaign(BUG, "--set", "parameters.program=recovery-crash", "--verbose");

    assertThat(said.errors()).contains("occurrence 1: consistent, ", "occurrence 1: crashed, ");
    assertThat(said.errors()).contains("1 crash state, 1 failing", "  that took ");
  }

  @Test
  void wrongDebuggerShouldBeWrongUsage() {
    Said said = Workbench.powercut("replay", "somewhere", "--gdb", "everywhere");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("--gdb", "everywhere");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "tree"})
  void allMistakesOfACampaignShouldBeShownAtOnceWithTheirLines(String command) {
    Path campaign =
        workbench.write(
            "wrong.yaml",
            """
            name: wrong
            targett: {command: [app]}
            target: {command: [app, "{pmm}"], timeout: 10}
            recovery: {command: []}
            limits: {parallel: 0}
            """);
    Said said = Workbench.powercut(command, campaign.toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors().lines())
        .hasSize(5)
        .anyMatch(line -> line.startsWith(campaign + ":2:1: targett") && line.contains("'target'"))
        .anyMatch(line -> line.startsWith(campaign + ":3:") && line.contains("{pmm}"))
        .anyMatch(line -> line.startsWith(campaign + ":3:") && line.contains("90s"))
        .anyMatch(line -> line.startsWith(campaign + ":4:") && line.contains("recovery.command"))
        .anyMatch(line -> line.startsWith(campaign + ":5:") && line.contains("1024"));
    assertThat(workbench.runs()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "tree"})
  void missingCampaignShouldBeWrongUsage(String command) {
    Path missing = workbench.directory().resolve("missing.yaml");
    Said said = Workbench.powercut(command, missing.toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains(missing.toString(), "does not exist");
  }

  @Test
  void unknownParameterShouldBeWrongUsageWithASuggestion() {
    Said said = workbench.runCampaign(BUG, "--set", "parameters.programm=figure2");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("parameters.programm", "'program'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tree", "replay"})
  void folderWithoutARunShouldBeNamed(String command) {
    Said said = Workbench.powercut(command, workbench.directory().toString());

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("no run in " + workbench.directory(), "latest");
  }

  @Test
  void runShouldPrintTheTreesSizeTheVerdictsAndWhereTheReportIs() throws IOException {
    Said said =
        workbench.runCampaign(BUG, "--set", "name=fine", "--set", "parameters.variant=correct");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .contains(
            "failure points  2 unique",
            "2 consistent, 0 unrecoverable",
            "proved          recovery succeeds after a power cut at every failure point: on 2 images",
            "nothing new");
    String report =
        said.output()
            .lines()
            .filter(line -> line.startsWith("report "))
            .findFirst()
            .orElseThrow()
            .substring("report".length())
            .strip();
    assertThat(Path.of(report)).isRegularFile();
    assertThat(Path.of(report)).isEqualTo(runDirectory("fine").toRealPath().resolve("report.html"));
    JsonNode json =
        new ObjectMapper().readTree(Path.of(report).resolveSibling("report.json").toFile());
    assertThat(json.at("/failurePoints/unique").asInt()).isEqualTo(2);
    assertThat(json.at("/verdicts/CONSISTENT").asInt()).isEqualTo(2);
    assertThat(json.at("/timings/total").asDouble()).isPositive();
    assertThat(json.at("/environment/kernel").asText()).startsWith("Linux");
  }

  @Test
  void outputToAPipeShouldHaveNoControlCharactersAndEveryFindingItsReplay() {
    Process powercut = workbench.startCampaign(BUG, "--set", "name=piped");
    Said said = workbench.said(powercut);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output() + said.errors()).matches("[\\P{Cntrl}\n]*");
    assertThat(said.output())
        .contains("BUG unrecoverable", "publish at ", "recovery said: inconsistent")
        .containsPattern(
            "replay: \\S*/powercut replay " + workbench.runs() + "/piped/\\S+ [0-9a-f]{16}");
  }

  @Test
  void treeOfACampaignShouldBeDrawnAsInThePaper() {
    Said said =
        Workbench.powercut(
            "tree",
            BUG.toString(),
            "--set",
            "parameters.program=figure2",
            "--set",
            "pm.directory=" + workbench.pm());

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(withoutIds(said.output())).isEqualTo(FIGURE_2.formatted(0, " "));
    assertThat(workbench.runs()).doesNotExist();
  }

  @Test
  void treeOfARunShouldShowWhatWasVisited() {
    workbench.runCampaign(BUG, "--set", "name=figure2", "--set", "parameters.program=figure2");
    Said said = Workbench.powercut("tree", runDirectory("figure2").toString());

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(withoutIds(said.output())).isEqualTo(FIGURE_2.formatted(3, "x"));
  }

  @Test
  void treeOfARunThatHasNoneYetShouldSaySo() throws IOException {
    Path run = Files.createDirectories(runDirectory("young"));
    Files.writeString(run.resolve("campaign.yaml"), "name: young\n");
    Said said = Workbench.powercut("tree", run.toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("tree.jsonl").doesNotContain("bug in Powercut");
  }

  @Test
  void damagedTreeShouldBeNamedWithItsLine() throws IOException {
    Path run = Files.createDirectories(runDirectory("damaged"));
    Files.writeString(run.resolve("campaign.yaml"), "name: damaged\n");
    Files.writeString(run.resolve("tree.jsonl"), "powercut-tree\t1\nnonsense\n");
    Said said = Workbench.powercut("tree", run.toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("tree.jsonl", "2").doesNotContain("bug in Powercut");
  }

  private static String withoutIds(String drawing) {
    return drawing.replaceAll("[0-9a-f]{16}", "ID");
  }

  private Path runDirectory(String campaign) {
    return workbench.runs().resolve(campaign).resolve("latest");
  }

  @Test
  void schemaShouldBeJsonAndKnowTheKeys() throws IOException {
    Said said = Workbench.powercut("schema");

    assertThat(said.exitCode()).isZero();
    JsonNode schema = new ObjectMapper().readTree(said.output());
    assertThat(schema.get("$schema").asText()).contains("json-schema.org");
    assertThat(schema.get("properties").fieldNames())
        .toIterable()
        .contains("target", "recovery", "limits");
  }

  @Test
  void programInPlaceOfANameShouldBeToldHowToSayIt() {
    Said said = Workbench.powercut("init", "./app");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("powercut init NAME --program ./app");
  }

  @Test
  void initShouldWriteACampaignThatIsValidAndNotOverwriteIt() throws Exception {
    Path file = workbench.directory().resolve("mine.yaml");
    String[] arguments = {"init", "mine", "--program", "./app", "--file", file.toString()};
    Said said = Workbench.powercut(arguments);

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("wrote " + file, "powercut run " + file);
    assertThat(CampaignLoader.load(file, List.of()).name()).isEqualTo("mine");

    Files.writeString(file, "mine: now\n");
    Said again = Workbench.powercut(arguments);

    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.errors()).contains(file.toString(), "already exists");
    assertThat(file).hasContent("mine: now");
  }

  @Test
  void doctorShouldFindThisMachineFit() {
    Said said = Workbench.powercut("doctor", "--runs", workbench.runs().toString());

    assertThat(said.exitCode()).as(said.output()).isZero();
    assertThat(said.output())
        .contains("valgrind", "gdb", "clwb", "tmpfs", "recorder", "supervisor")
        .endsWith("Powercut works here.\n");
  }

  @Test
  void doctorShouldNameWhatIsMissingAndTheRemedy() {
    String home = Workbench.home().toString();
    System.setProperty("powercut.home", workbench.directory().toString());
    try {
      Said said = Workbench.powercut("doctor", "--runs", workbench.runs().toString());

      assertThat(said.exitCode()).isEqualTo(3);
      assertThat(said.output())
          .containsPattern("FAILURE +recorder")
          .contains("remedy: run ./powercut", "will not work here yet");
    } finally {
      System.setProperty("powercut.home", home);
    }
  }
}
