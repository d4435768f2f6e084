// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.Shard;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A campaign in parts, and the run that its parts are merged to. */
@Tag("campaign")
class ShardMergeTest {
  private static final Path BUG = Workbench.home().resolve("configs/bugs/bug.yaml");
  private static final Path MAP = Workbench.home().resolve("configs/pmdk-btree.yaml");
  private static final List<String> SHOWS_BUGS =
      List.of("--set", "name=app", "--set", "build=null", "--set", "parameters.program=one-path");

  @RegisterExtension private final Workbench workbench = Workbench.with("bugs", "pmdk");

  private Path latest() throws IOException {
    return workbench.runs().resolve("app/latest").toRealPath();
  }

  private Path run(Path campaign, List<String> options) throws IOException {
    Said said = workbench.runCampaign(campaign, options.toArray(String[]::new));
    assertThat(said.exitCode()).as(said.errors()).isIn(0, 1);
    return latest();
  }

  private Path part(Path campaign, List<String> options, String shard) throws IOException {
    return run(campaign, Stream.concat(options.stream(), Stream.of("--shard", shard)).toList());
  }

  private List<Path> parts(Path campaign, List<String> options, int count) throws IOException {
    List<Path> parts = new ArrayList<>();
    for (int index = 1; index <= count; index++) {
      parts.add(part(campaign, options, index + "/" + count));
    }
    return parts;
  }

  private Said merge(List<Path> parts) {
    List<String> arguments =
        new ArrayList<>(List.of("merge", "--runs", workbench.runs().toString()));
    parts.forEach(part -> arguments.add(part.toString()));
    return Workbench.powercut(arguments.toArray(String[]::new));
  }

  private static List<Tuple> verdicts(Collection<Judgement> judgements) {
    return judgements.stream()
        .map(
            one ->
                Tuple.tuple(
                    one.failurePointId().toString(), one.occurrence(), one.kind(), one.seen()))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bug", "map"})
  void mergedPartsShouldEqualTheRunAsAWhole(String what) throws IOException {
    Path campaign = what.equals("bug") ? BUG : MAP;
    List<String> options =
        new ArrayList<>(
            what.equals("bug")
                ? SHOWS_BUGS
                : List.of(
                    "--set",
                    "name=app",
                    "--set",
                    "build=null",
                    "--set",
                    "parameters.operations=30",
                    // The other campaign watches its recoveries; those of a pool are slow.
                    "--set",
                    "crashStates.skipUnread=false",
                    "--set",
                    "crashStates.perFailurePoint=2"));
    // All that Powercut chooses by itself, but for what there is time for.
    options.addAll(List.of("--set", "occurrences=null", "--set", "occurrences.share=0"));
    Path whole = run(campaign, options);
    for (int count = 1; count <= 3; count++) {
      assertMergedPartsEqual(whole, parts(campaign, options, count));
    }
  }

  /** What an image lacks is told by the next consistent one, which another part may have. */
  private static Map<String, Long> bugs(Report report) {
    return report.findings().stream()
        .filter(finding -> finding.injection().isPresent())
        .collect(Collectors.toMap(Finding::fingerprint, Finding::count));
  }

  private void assertMergedPartsEqual(Path whole, List<Path> parts) throws IOException {
    Said said = merge(parts);

    Report expected = Workbench.report(whole);
    Report merged = Workbench.report(latest());
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(expected.outcome().exitCode());
    assertThat(latest()).isNotEqualTo(whole).isNotIn(parts);
    assertThat(merged.outcome()).isEqualTo(expected.outcome());
    assertThat(merged.failurePoints()).isEqualTo(expected.failurePoints());
    assertThat(merged.verdicts()).isEqualTo(expected.verdicts());
    assertThat(merged.trace()).isEqualTo(expected.trace()).isPresent();
    assertThat(merged.images().judged()).isEqualTo(expected.images().judged());
    assertThat(merged.campaign().shard()).isEmpty();
    assertThat(bugs(merged)).isEqualTo(bugs(expected));
    assertThat(merged.findings()).isNotEmpty();
    assertThat(verdicts(Workbench.judgements(latest())))
        .containsExactlyInAnyOrderElementsOf(verdicts(Workbench.judgements(whole)));
    FailurePointTree tree = Workbench.tree(latest());
    assertThat(tree.failurePoints()).isEqualTo(Workbench.tree(whole).failurePoints());
    Path directory = latest();
    for (Finding finding : merged.findings()) {
      finding
          .injection()
          .flatMap(InjectionEvidence::image)
          .ifPresent(image -> assertThat(directory.resolve(image)).isDirectory());
    }
  }

  @Test
  void partsShouldShareTheFailurePointsBetweenThem() throws IOException {
    List<Path> parts = parts(BUG, SHOWS_BUGS, 3);
    List<FailurePointId> judged = new ArrayList<>();
    for (int index = 1; index <= 3; index++) {
      Shard shard = new Shard(index, 3);
      List<FailurePointId> own =
          Workbench.tree(parts.get(index - 1)).failurePoints().stream()
              .map(FailurePoint::id)
              .filter(shard::contains)
              .toList();
      assertThat(Workbench.judgements(parts.get(index - 1)))
          .extracting(Judgement::failurePointId)
          .containsExactlyInAnyOrderElementsOf(own);
      judged.addAll(own);
    }

    assertThat(judged)
        .containsExactlyInAnyOrderElementsOf(
            Workbench.tree(parts.get(0)).failurePoints().stream().map(FailurePoint::id).toList());
  }

  @Test
  void missingPartShouldBeNamedAndItsFailurePointsCounted() throws IOException {
    List<String> correct = new ArrayList<>(SHOWS_BUGS);
    correct.addAll(List.of("--set", "parameters.variant=correct"));
    Path part = part(BUG, correct, "1/3");
    Path other = part(BUG, correct, "3/3");
    long left =
        Workbench.tree(part).failurePoints().stream()
            .filter(point -> new Shard(2, 3).contains(point.id()))
            .count();

    Said said = merge(List.of(other, part));

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output()).contains(left + ": part 2/3 was not merged", "incomplete");
    assertThat(left).isPositive();
    assertThat(Workbench.powercut("report", latest().toString()).exitCode()).isEqualTo(4);

    Said resumed =
        workbench.runCampaign(
            BUG, Stream.concat(correct.stream(), Stream.of("--resume")).toArray(String[]::new));

    assertThat(resumed.exitCode()).as(resumed.errors()).isZero();
    assertThat(Workbench.judgements(latest())).hasSize(Workbench.tree(part).size());
  }

  @Test
  void withoutTheFirstPartItShouldBeSaidThatNobodyLookedForPatterns() throws IOException {
    Path last = part(BUG, SHOWS_BUGS, "3/3");

    Said merged = merge(List.of(last));

    assertThat(Workbench.powercut("report", last.toString()).output())
        .contains("patterns and races (part 1 looks for them)");
    assertThat(merged.output())
        .contains("part 1-2/3, which looks for patterns and races for all, was not merged")
        .doesNotContain("(part 1 looks for them)");
  }

  @Test
  void whatIsNoSetOfPartsShouldBeRefused() throws IOException {
    Path whole = run(BUG, SHOWS_BUGS);
    Path first = part(BUG, SHOWS_BUGS, "1/2");
    Path ofThree = part(BUG, SHOWS_BUGS, "2/3");
    List<String> other = new ArrayList<>(SHOWS_BUGS);
    other.addAll(List.of("--set", "parameters.variant=correct"));
    Path ofOther = part(BUG, other, "2/2");
    long runs = count(workbench.runs().resolve("app"));

    refused(merge(List.of(whole, first)), whole + " is not a part", "without --shard");
    refused(merge(List.of(first, first)), "part 1/2 is given twice");
    refused(merge(List.of(first, ofThree)), "part 1/2", "part 2/3", "same total");
    refused(merge(List.of(first, ofOther)), "different campaigns", first + "/campaign.yaml");
    assertThat(count(workbench.runs().resolve("app"))).isEqualTo(runs);
    Said missing = merge(List.of(first, workbench.directory()));
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.errors()).contains("no run in " + workbench.directory());
  }

  private static long count(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.count();
    }
  }

  private static void refused(Said said, String... because) {
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(2);
    assertThat(said.errors()).contains(because).doesNotContain("bug in Powercut");
  }

  @Test
  void resumingAnotherPartShouldBeRefused() throws IOException {
    part(BUG, SHOWS_BUGS, "1/2");

    refused(resume("--shard", "2/2"), "part 1/2", "part 2/2", "--shard 1/2");
    refused(resume(), "part 1/2", "all failure points", "--shard 1/2");
    assertThat(resume("--shard", "1/2").exitCode()).isIn(0, 1);

    run(BUG, SHOWS_BUGS);

    refused(resume("--shard", "1/2"), "all failure points", "omit --shard");
  }

  private Said resume(String... shard) {
    List<String> arguments = new ArrayList<>(SHOWS_BUGS);
    arguments.add("--resume");
    arguments.addAll(List.of(shard));
    return workbench.runCampaign(BUG, arguments.toArray(String[]::new));
  }
}
