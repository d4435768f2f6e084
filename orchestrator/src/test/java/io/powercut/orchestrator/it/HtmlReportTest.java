// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.history.History;
import io.powercut.report.history.RunRecord;
import io.powercut.report.history.html.HistoryPage;
import io.powercut.report.html.HtmlForm;
import io.powercut.report.html.StrengthPage;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The report in a real browser: Debian's Chromium. */
@Tag("campaign")
class HtmlReportTest {
  private static final String LINKS =
      "return Array.from(document.querySelectorAll('#findings article:not([hidden])')).length";

  private static final String FOCUSED = "return document.activeElement.dataset.node";

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Browser browser;

  @BeforeAll
  static void open() {
    browser = Browser.start(workbench.directory().resolve("profile"));
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  @BeforeEach
  void lookAsUsual() {
    browser.look(1200, "light");
  }

  /** Neither a mistake of the script nor anything that the page's policy has to forbid. */
  @AfterEach
  void theConsoleShouldBeEmpty() {
    assertThat(browser.console()).isEmpty();
  }

  private static void show(ReportedRun run) {
    Path file = run.directory().resolve("report.html");
    try (Writer out = Files.newBufferedWriter(file)) {
      new HtmlForm().write(run, out);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    browser.show(file);
  }

  private static long findingsShown() {
    return (long) browser.execute(LINKS);
  }

  @ParameterizedTest
  @CsvSource({"1200, light", "1200, dark", "360, light", "360, dark"})
  void thePageShouldFitAndBeReadable(int width, String scheme) {
    browser.look(width, scheme);
    for (ReportedRun run :
        List.of(
            SampleRuns.withFindings(workbench.directory()),
            SampleRuns.hostile(workbench.directory()),
            SampleRuns.nothing(workbench.directory()))) {
      show(run);
      browser.unfoldAll();
      assertThat(browser.execute("return document.documentElement.scrollWidth"))
          .isEqualTo((long) width);
      assertThat(browser.textOfLowContrast()).isEmpty();
    }
  }

  @Test
  void darkShouldBeDark() {
    show(SampleRuns.nothing(workbench.directory()));
    String background = "return getComputedStyle(document.body).backgroundColor";
    assertThat(browser.execute(background)).isEqualTo("rgb(255, 255, 255)");
    browser.look(1200, "dark");
    assertThat(browser.execute(background)).isEqualTo("rgb(20, 23, 26)");
  }

  @Test
  void findingsShouldBeFiltered() {
    show(SampleRuns.withFindings(workbench.directory()));
    assertThat(findingsShown()).isEqualTo(5);
    browser.choose("filter-severity", "bug");
    assertThat(findingsShown()).isEqualTo(2);
    browser.choose("filter-accepted", "no");
    assertThat(findingsShown()).isEqualTo(1);
    browser.choose("filter-severity", "race");
    assertThat(findingsShown()).isEqualTo(1);
    browser.choose("filter-severity", "");
    browser.choose("filter-kind", "REDUNDANT_FLUSH");
    assertThat(findingsShown()).isEqualTo(1);
    browser.choose("filter-kind", "");
    browser.type("filter-text", "BTREE_map_insert sigsegv");
    assertThat(findingsShown()).isEqualTo(1);
    assertThat(browser.textOf("#filter-count")).isEqualTo("1 of 5");
    browser.type("filter-text", " no such words");
    assertThat(findingsShown()).isZero();
  }

  @Test
  void findingsShouldBeUnfoldedByKeyboard() {
    show(SampleRuns.withFindings(workbench.directory()));
    String open = "return document.querySelector('.finding.performance > details').open";
    assertThat(browser.execute(open)).isEqualTo(false);
    browser.pressEnterAt(".finding.performance > details > summary");
    assertThat(browser.execute(open)).isEqualTo(true);
    assertThat(browser.textOf(".finding.performance .body")).contains("earlier flush");
  }

  @Test
  void withoutScriptsAllFindingsShouldBeThere() {
    browser.allowScripts(false);
    try {
      show(SampleRuns.withFindings(workbench.directory()));
      assertThat(browser.textOf("#findings")).contains("recovery crashed with SIGSEGV");
      assertThat(browser.countOf("#findings article")).isEqualTo(5);
      assertThat(browser.isVisible("#filter")).isFalse();
      assertThat(browser.textOf("#tree")).contains("needs JavaScript");
    } finally {
      browser.allowScripts(true);
    }
  }

  @Test
  void theTreeShouldUnfoldAndLeadToTheFinding() {
    show(SampleRuns.withFindings(workbench.directory()));
    assertThat(browser.textOf("#tree-root summary .counts")).contains("✓ 1", "✗ 2");
    browser.click("#tree-fold");
    assertThat(browser.isVisible("#tree-root .leaf")).isFalse();
    browser.click("#tree-unfold");
    assertThat(browser.isVisible("#tree-root .leaf")).isTrue();
    browser.click("#unfold");
    browser.click("#fold");
    browser.choose("filter-severity", "warning");
    browser.click("#tree-root .leaf a");
    assertThat(browser.isVisible(".finding.bug .body")).isTrue();
    assertThat(findingsShown()).isEqualTo(5);
  }

  private static String chosen() {
    return browser.textOf("#icicle-chosen");
  }

  @Test
  void theIcicleShouldBeZoomedSearchedAndUsedByKeyboard() {
    show(SampleRuns.withFindings(workbench.directory()));
    long boxes = browser.countOf("#icicle-boxes button");
    assertThat(boxes).isGreaterThan(3);
    assertThat(browser.countOf("#icicle-boxes button.bug")).isPositive();
    assertThat(chosen()).contains("at 3 failure points", "✓ 1 consistent", "✗ 2 bug");

    browser.type("icicle-text", "no such function");
    assertThat(browser.textOf("#icicle-count")).isEqualTo("0 matches");
    assertThat(browser.countOf("#icicle-boxes button.dim")).isEqualTo(boxes);
    browser.execute("document.getElementById('icicle-controls').reset(); return 1");
    browser.type("icicle-text", "sigsegv");
    assertThat(browser.countOf("#icicle-boxes button.dim")).isBetween(1L, boxes - 1);

    browser.click("#icicle-whole");
    browser.pressAt("#icicle-boxes button", Keys.ARROW_DOWN);
    assertThat(browser.execute(FOCUSED)).isNotEqualTo("0");
    browser.pressEnterAt("#icicle-boxes button:focus");
    assertThat(browser.execute("return document.activeElement.style.width")).isNotEqualTo("");
    browser.pressAt("#icicle-boxes button:focus", Keys.ESCAPE);
    assertThat(browser.execute(FOCUSED)).isEqualTo("0");
    assertThat(chosen()).contains("at 3 failure points");
  }

  @Test
  void rowsOfTheIcicleShouldBeAsWideAsWhatTheyAreOf() {
    show(SampleRuns.large(workbench.directory(), 100));
    String share =
        "return Array.from(document.querySelectorAll('#icicle-boxes button'))"
            + ".filter((one) => one.style.top === '22px')"
            + ".reduce((all, one) => all + one.getBoundingClientRect().width, 0)"
            + " / document.querySelector('#icicle-boxes').getBoundingClientRect().width";
    assertThat(((Number) browser.execute(share)).doubleValue()).isBetween(0.8, 1.001);
    browser.choose("icicle-unit", "points");
    assertThat(((Number) browser.execute(share)).doubleValue()).isBetween(0.8, 1.001);
  }

  @Test
  void tenThousandFailurePointsShouldBeDrawnAsTheyAreUnfolded() {
    show(SampleRuns.large(workbench.directory(), 10_000));
    assertThat(browser.textOf("#tree-root summary .counts")).contains("✓ 9990", "✗ 10");
    long before = browser.countOf("#tree-root *");
    assertThat(before).isLessThan(500);
    browser.click("#tree-unfold");
    assertThat(browser.countOf("#tree-root .mark.bug")).isEqualTo(10);
    assertThat(browser.countOf("#tree-root *")).isLessThan(10_000);
    assertThat(browser.countOf("#icicle-boxes button")).isBetween(10L, 3_000L);
  }

  @Test
  void hostileTextShouldBeShownAndNotRun() {
    show(SampleRuns.hostile(workbench.directory()));
    browser.unfoldAll();
    assertThat(browser.textOf(".finding")).contains("<script>alert(1)</script>");
    assertThat(browser.textOf("#tree-root")).contains("<script>alert(1)</script>");
    assertThat(browser.countOf("script")).isEqualTo(2);
    assertThat(browser.countOf("img, [onclick], [onerror]")).isZero();
  }

  /** A sweep of which one campaign has bugs, one failed, one is clean; another one was removed. */
  private static void showSweep() {
    Path runs = workbench.directory();
    Instant night = Instant.parse("2026-11-01T02:00:00Z");
    try (History history = History.open(runs.resolve("sweep.db"))) {
      history.sweeps().begin("{}", List.of("buggy", "broken", "fine"), night);
      for (String name : List.of("buggy", "broken", "fine", "removed")) {
        history.addFailure(
            new RunRecord(
                name,
                name.equals("removed") ? night.minusSeconds(60) : night,
                Optional.of(runs.resolve(name)),
                "b01dface",
                Optional.empty(),
                name.equals("buggy") ? 1 : name.equals("broken") ? 3 : 0,
                true,
                name.equals("broken") ? "no such file" : "",
                12,
                12,
                2.5,
                Map.of(),
                Map.of()));
      }
      HistoryPage.write(runs.resolve("index.html"), history);
    }
    browser.show(runs.resolve("index.html"));
  }

  private static long campaignsShown() {
    return (long)
        browser.execute(
            "return Array.from(document.querySelectorAll('.group-of-campaigns .campaign'))"
                + ".filter((one) => one.checkVisibility()).length");
  }

  @ParameterizedTest
  @CsvSource({"1600, light", "1600, dark", "400, light", "400, dark"})
  void thePageOfASweepShouldFitAndBeReadable(int width, String scheme) {
    browser.look(width, scheme);
    showSweep();
    browser.unfoldAll();
    assertThat(browser.execute("return document.documentElement.scrollWidth"))
        .isEqualTo((long) width);
    assertThat(browser.textOfLowContrast()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1600, light", "400, dark"})
  void thePageOnStrengthShouldFitAndBeReadable(int width, String scheme) throws IOException {
    Path source = workbench.directory().resolve("strength.c");
    Files.writeString(source, "x = 1;\n".repeat(9));
    List<StrengthPage.Mutant> mutants = new ArrayList<>();
    for (StrengthPage.Outcome outcome : StrengthPage.Outcome.values()) {
      int line = mutants.size() + 1;
      mutants.add(
          new StrengthPage.Mutant(
              outcome,
              "mutant-" + line,
              "clwb",
              "insert",
              "no time left",
              List.of(new StackFrame("insert", source.toString(), line, "app", "0x1"))));
    }
    Path page = workbench.directory().resolve("strength.html");
    new StrengthPage(
            "app",
            40,
            List.of(new StrengthPage.Score("insert", 5, 2, 40, 1, 1, 1)),
            mutants,
            List.of("time: 1 s"))
        .write(page, Instant.now());
    browser.look(width, scheme);
    browser.show(page);
    browser.unfoldAll();
    assertThat(browser.textOf("#sources .source")).contains("survived", "no coverage", "✓1");
    assertThat(browser.execute("return document.documentElement.scrollWidth"))
        .isEqualTo((long) width);
    assertThat(browser.textOfLowContrast()).isEmpty();
  }

  @Test
  void campaignsOfASweepShouldBeFilteredAndUnfoldedByKeyboard() {
    showSweep();
    assertThat(browser.textOf("h1")).isEqualTo("3 campaigns: 1 with bugs, 1 failed, 1 clean");
    assertThat(campaignsShown()).isEqualTo(3);
    browser.choose("filter-kind", "failed");
    assertThat(campaignsShown()).isEqualTo(1);
    browser.choose("filter-kind", "");
    browser.type("filter-text", "FINE");
    assertThat(campaignsShown()).isEqualTo(1);
    assertThat(browser.isVisible(".campaign .tiles")).isFalse();
    browser.pressEnterAt("#campaign-fine > summary");
    assertThat(browser.isVisible("#campaign-fine .tiles")).isTrue();
    assertThat(browser.isVisible("#campaign-removed")).isFalse();
  }

  @Test
  void theReportOfARealRunShouldShowWhereTheBugComesFrom() {
    Workbench.make("bugs");
    Path file = Workbench.home().resolve("configs/bugs/bug.yaml");
    Campaign campaign = workbench.load(file, List.of("parameters.program=recovery-crash"));
    workbench.run(campaign, file);
    browser.show(workbench.runs().resolve("bug/latest/report.html"));
    assertThat(browser.textOf("header")).contains("new bugs were found");
    assertThat(browser.textOf(".finding"))
        .contains("SIGSEGV", "set_used", "CRASH-AT", "powercut replay ", "cache line at 0x0");
    assertThat(browser.textOf("#charts")).contains("crashed", "injection");
    browser.click("#sources summary");
    assertThat(browser.textOf("#sources .source")).contains("static void set_used", "crashed", "✗");
    for (String scheme : List.of("light", "dark")) {
      browser.look(400, scheme);
      browser.unfoldAll();
      assertThat(browser.execute("return document.documentElement.scrollWidth")).isEqualTo(400L);
      assertThat(browser.textOfLowContrast()).isEmpty();
    }
  }
}
