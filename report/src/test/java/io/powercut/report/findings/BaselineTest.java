// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.analysis.PatternKind;
import io.powercut.exit.PowercutException;
import io.powercut.report.SampleRuns;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BaselineTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 1, 31);
  private static final String ENTRY =
      """
      - fingerprint: "0123456789abcdef"
        campaign: map
        kind: redundant flush
        place: flush in map.c
        reason: costs nothing here
        date: "2026-01-31"
      """;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("accepted.yaml");
  }

  private static Finding finding(String fingerprint) {
    return SampleRuns.finding(
        "REDUNDANT_FLUSH",
        Severity.PERFORMANCE,
        fingerprint,
        List.of(SampleRuns.pattern(PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE)));
  }

  private Baseline read(String text) throws IOException {
    Files.writeString(file, text);
    return Baseline.read(file);
  }

  /** By fingerprint. */
  private static Map<String, Acceptance> accepted(Baseline baseline, String campaign) {
    return baseline
        .entries(campaign)
        .collect(
            Collectors.toMap(
                Baseline.Entry::fingerprint,
                entry ->
                    baseline.acceptance(campaign, finding(entry.fingerprint())).orElseThrow()));
  }

  @Test
  void missingFileShouldAcceptNothing() {
    assertThat(accepted(Baseline.read(file), "map")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# only a comment\n", "[]\n"})
  void fileWithoutEntriesShouldAcceptNothing(String text) throws IOException {
    assertThat(accepted(read(text), "map")).isEmpty();
  }

  @Test
  void shouldAcceptForTheCampaignOfAnEntryOnly() throws IOException {
    Baseline baseline = read(ENTRY);

    assertThat(accepted(baseline, "map"))
        .containsOnlyKeys("0123456789abcdef")
        .containsValue(new Acceptance("costs nothing here", "2026-01-31"));
    assertThat(accepted(baseline, "other")).isEmpty();
  }

  @Test
  void handWrittenEntryShouldNeedNeitherQuotesNorWhatIsForReaders() throws IOException {
    Baseline baseline =
        read("- {fingerprint: 1234567890123456, campaign: map, reason: 12, date: 2026-01-31}");

    assertThat(accepted(baseline, "map"))
        .containsOnlyKeys("1234567890123456")
        .containsValue(new Acceptance("12", "2026-01-31"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "- {fingerprint: 'x' | 1 | ",
        "a: b | 1 | is a map of keys and values, not a list of accepted findings",
        "- text | 1 | is a string, not an accepted finding",
        "- {fingerprnt: 0123456789abcdef, campaign: a, reason: b, date: 2026-01-31} | 1"
            + " | unknown key 'fingerprnt'",
        "- {campaign: a, reason: b, date: 2026-01-31} | 1 | has no 'fingerprint'",
        "- {fingerprint: 0123456789abcdef, reason: b, date: 2026-01-31} | 1 | has no 'campaign'",
        "- {fingerprint: 0123456789abcdef, campaign: a, date: 2026-01-31} | 1 | has no 'reason'",
        "- {fingerprint: 0123456789abcdef, campaign: a, reason: b} | 1 | has no 'date'",
        "- {fingerprint: 0123456789abcdef, campaign: a, reason: ' ', date: 2026-01-31} | 1"
            + " | has no 'reason'",
        "- {fingerprint: 0123, campaign: a, reason: b, date: 2026-01-31} | 1"
            + " | '0123' is not a fingerprint",
        "- {fingerprint: 0123456789abcdef, campaign: a, reason: b, date: yesterday} | 1"
            + " | 'yesterday' is not a date",
        "- {fingerprint: 0123456789abcdef, campaign: a, reason: b, date: 2026-01-31, occurs: no} | 1"
            + " | 'no': write sometimes",
        "- {fingerprint: 0123456789abcdef, campaign: [a], reason: b, date: 2026-01-31} | 1"
            + " | 'campaign' is a list, not a text",
        "- {reason: a, reason: b, fingerprint: 0123456789abcdef, campaign: a, date: 2026-01-31} | 1"
            + " | 'reason' is given twice"
      })
  void mistakeShouldBeNamedWithFileAndLine(String text, int line, String message) {
    assertThatThrownBy(() -> read("# head\n" + text))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(file + ":" + (line + 1) + ": ")
        .hasMessageContaining(message == null ? "" : message)
        .hasMessageNotContaining("null");
  }

  @Test
  void allMistakesShouldBeToldAtOnce() {
    assertThatThrownBy(() -> read(ENTRY + ENTRY.replace("kind", "knd") + "- 7\n"))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(file + ":9: unknown key 'knd'")
        .hasMessageContaining(file + ":13: is a number");
  }

  @Test
  void entryThatOccursSometimesShouldNotBeExpectedOfEveryRun() throws IOException {
    Baseline baseline =
        read(
            """
            - {fingerprint: 0123456789abcdef, campaign: a, reason: why, date: 2026-01-31}
            - {fingerprint: 1123456789abcdef, campaign: a, reason: why, date: 2026-01-31, occurs: sometimes}
            """);

    assertThat(accepted(baseline, "a")).containsOnlyKeys("0123456789abcdef", "1123456789abcdef");
    assertThat(baseline.gone("a", List.of())).containsExactly("0123456789abcdef");
    assertThat(baseline.gone("a", List.of(finding("0123456789abcdef")))).isEmpty();
  }

  @Test
  void acceptShouldMakeTheFileAndSayWhatItIs() throws IOException {
    assertThat(Baseline.read(file).accept("map", finding("0123456789abcdef"), "why", TODAY))
        .hasValue(
            new Baseline.Entry(
                "0123456789abcdef",
                List.of(),
                "map",
                "redundant flush",
                "flush in map.c",
                "why",
                "2026-01-31",
                ""));

    assertThat(Files.readString(file)).startsWith("# Findings that were looked at");
    assertThat(accepted(Baseline.read(file), "map"))
        .containsOnlyKeys("0123456789abcdef")
        .containsValue(new Acceptance("why", "2026-01-31"));
  }

  @ParameterizedTest
  @ValueSource(strings = {ENTRY, ENTRY + "\n", ENTRY + "# the end", "# nothing yet", ""})
  void acceptShouldKeepWhatIsThere(String text) throws IOException {
    read(text).accept("map", finding("aaaaaaaaaaaaaaaa"), "of late", TODAY);

    assertThat(Files.readString(file)).startsWith(text);
    assertThat(accepted(Baseline.read(file), "map"))
        .containsKey("aaaaaaaaaaaaaaaa")
        .hasSize(text.contains("fingerprint") ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"it's: \"so\" # yes", "- a\n- b", "über {all}", "null", "0123"})
  void reasonShouldComeBackAsItWasGiven(String reason) throws IOException {
    Baseline.read(file).accept("map", finding("aaaaaaaaaaaaaaaa"), reason, TODAY);

    assertThat(accepted(Baseline.read(file), "map"))
        .containsValue(new Acceptance(reason, "2026-01-31"));
  }

  @Test
  void acceptedFindingShouldNotBeAddedAgainButForAnotherCampaign() throws IOException {
    Baseline baseline = read(ENTRY);

    assertThat(baseline.accept("map", finding("0123456789abcdef"), "again", TODAY)).isEmpty();
    assertThat(file).hasContent(ENTRY);
    assertThat(baseline.accept("other", finding("0123456789abcdef"), "too", TODAY)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "  - {fingerprint: 0123456789abcdef, campaign: a, reason: b, date: 2026-01-31}\n"
      })
  void fileThatCannotBeAddedToShouldStayAsItIs(String text) throws IOException {
    Baseline baseline = read(text);

    assertThatThrownBy(() -> baseline.accept("map", finding("aaaaaaaaaaaaaaaa"), "why", TODAY))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining(file + ": nothing can be added at its end");
    assertThat(Files.readString(file)).isEqualTo(text);
  }

  @Test
  void folderThatIsNotThereShouldBeToldInWords() {
    Baseline baseline = Baseline.read(directory.resolve("missing/accepted.yaml"));

    assertThatThrownBy(() -> baseline.accept("map", finding("aaaaaaaaaaaaaaaa"), "why", TODAY))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("cannot write");
  }

  private static Finding calledBefore(String fingerprint, String... former) {
    Finding finding = finding(fingerprint);
    return new Finding(
        finding.kind(),
        finding.severity(),
        finding.fails(),
        fingerprint,
        List.of(former),
        finding.daxOnly(),
        finding.count(),
        finding.title(),
        finding.stack(),
        finding.evidence(),
        finding.proofs(),
        finding.accepted(),
        Optional.empty());
  }

  @Test
  void entryOfAnEarlierVersionShouldAcceptAllThatWasCalledSoAndSayIt() throws IOException {
    Baseline baseline = read(ENTRY);
    List<Finding> findings =
        Stream.of("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb")
            .map(name -> calledBefore(name, "9999999999999999", "0123456789abcdef"))
            .map(one -> one.judged(false, baseline.acceptance("map", one)))
            .toList();

    assertThat(findings)
        .extracting(one -> one.accepted().orElseThrow().formerFingerprint())
        .containsOnly(Optional.of("0123456789abcdef"));
    assertThat(Baseline.former(findings))
        .containsEntry("0123456789abcdef", List.of("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"));
    assertThat(baseline.gone("map", findings)).isEmpty();
  }

  @Test
  void findingThatIsAcceptedByAFormerNameShouldBeAcceptableAnew() throws IOException {
    Finding finding = calledBefore("aaaaaaaaaaaaaaaa", "0123456789abcdef");
    assertThat(read(ENTRY).accept("map", finding, "looked again", TODAY)).isPresent();
    assertThat(Baseline.read(file).acceptance("map", finding))
        .hasValue(new Acceptance("looked again", "2026-01-31"));
  }

  @Test
  void entryShouldAcceptByWhateverTheFindingWasCalledWhenItWasAccepted() throws IOException {
    Baseline baseline =
        read(
            "- {fingerprint: 0123456789abcdef, also: [1123456789abcdef, 2123456789abcdef],"
                + " campaign: map, reason: why, date: 2026-01-31}");
    assertThat(baseline.acceptance("map", finding("2123456789abcdef"))).isPresent();
    assertThat(baseline.acceptance("map", finding("3123456789abcdef"))).isEmpty();
    assertThatThrownBy(() -> read("- {fingerprint: 0123456789abcdef, also: x}"))
        .hasMessageContaining("'also' is a string, not a list");
  }
}
