// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.Granularity;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.image.CrashImage;
import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryComparison;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.verify.InjectionComparison;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bug suite against its ground truth, every program and both variants, with images of program
 * order. Each is injected in both ways, recorded and re-executed, whose images are byte for byte
 * the same. CrashStateSuiteTest has what lies beyond program order, and the reports.
 */
@Tag("campaign")
class BugSuiteTest {
  private static final String BUG = "bug";
  private static final String CORRECT = "correct";

  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  /** One program. */
  record Case(BugTruth truth, String variant, Granularity granularity) {
    @Override
    public String toString() {
      return truth.name() + ", " + variant + ", " + granularity;
    }

    Campaign campaign(String... more) {
      List<String> overrides =
          new ArrayList<>(
              List.of(
                  "parameters.program=" + truth.name(),
                  "parameters.variant=" + variant,
                  "name=" + truth.name() + "-" + variant,
                  "build=null",
                  "failurePoints.granularity=" + granularity,
                  "patterns.enabled=false",
                  "crashStates.enabled=false",
                  "limits.parallel=1"));
      if (truth.library().isPresent()) {
        overrides.add("failurePoints.begin=run"); // opening a pool is long, and PMDK's own
      }
      if (truth.verdict().equals(Verdict.Kind.HUNG.name())) {
        overrides.add("recovery.timeout=1s");
      }
      overrides.addAll(List.of(more));
      return workbench.load(file(), overrides);
    }

    Workbench.Outcome run(InjectionMode injection) {
      return workbench.run(campaign("injection=" + injection), file());
    }

    private static Path file() {
      return Workbench.home().resolve("configs/bugs/bug.yaml");
    }

    boolean hasBugInProgramOrder() {
      return variant.equals(BUG)
          && truth.showsInProgramOrder()
          && granularity == truth.neededGranularity();
    }
  }

  private static Stream<Case> all() {
    return BugTruth.all().stream()
        .flatMap(
            truth ->
                Stream.of(Granularity.PERSISTENCY, truth.neededGranularity())
                    .distinct()
                    .flatMap(
                        granularity ->
                            Stream.of(BUG, CORRECT)
                                .map(variant -> new Case(truth, variant, granularity))));
  }

  private static boolean isDeterministic(Case one) {
    return one.truth().deterministic().orElse(true);
  }

  static Stream<Case> deterministicPrograms() {
    return all().filter(BugSuiteTest::isDeterministic);
  }

  /** Two executions of these differ, so that each way is taken for itself. */
  static Stream<Case> otherPrograms() {
    return all().filter(one -> !isDeterministic(one));
  }

  /** One of each verdict, and those of another granularity. */
  static Stream<Case> someOfEveryKind() {
    Set<String> verdicts = new HashSet<>();
    return all()
        .filter(BugSuiteTest::isDeterministic)
        .filter(
            one ->
                one.granularity() != Granularity.PERSISTENCY
                    || (one.hasBugInProgramOrder() && verdicts.add(one.truth().verdict())));
  }

  @ParameterizedTest
  @MethodSource("deterministicPrograms")
  @Execution(ExecutionMode.CONCURRENT)
  void bothWaysShouldLeaveTheSameImagesWithTheVerdictsOfTheTruth(Case one) throws IOException {
    Map<FailurePointId, CrashImage> images = new ConcurrentHashMap<>();
    Map<FailurePointId, Optional<Difference>> differences = new ConcurrentHashMap<>();
    try (InjectionComparison ways =
        InjectionComparison.open(one.campaign("oracle.doubleCheck=false"), Progress.SILENT)) {
      InjectionComparison.Way recorded = ways.record(images);
      InjectionComparison.Way reExecuted =
          ways.reExecute(
              (id, pm) ->
                  Optional.ofNullable(images.get(id))
                      .ifPresent(image -> differences.put(id, difference(image, pm, ways))));

      assertThat(ids(reExecuted.tree())).isEqualTo(ids(recorded.tree()));
      assertThat(differences.keySet()).isEqualTo(ids(recorded.tree()));
      assertThat(differences.values()).allMatch(Optional::isEmpty);
      assertTruth(one, recorded.tree(), recorded.judgements().values());
      assertTruth(one, reExecuted.tree(), reExecuted.judgements().values());
      assertThat(kinds(reExecuted)).isEqualTo(kinds(recorded));
    }
  }

  private static Optional<Difference> difference(
      CrashImage image, Path pm, InjectionComparison ways) {
    try {
      Path rebuilt = ways.newDirectory();
      image.writeTo(rebuilt);
      return DirectoryComparison.firstDifference(rebuilt, pm);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<FailurePointId, Verdict.Kind> kinds(InjectionComparison.Way way) {
    return way.judgements().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, judged -> judged.getValue().kind()));
  }

  private static Set<FailurePointId> ids(FailurePointTree tree) {
    return tree.failurePoints().stream().map(FailurePoint::id).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource({"otherPrograms", "someOfEveryKind"})
  @Execution(ExecutionMode.CONCURRENT)
  void recordedCampaignShouldReportWhatTheTruthSays(Case one) {
    assertReport(one, one.run(InjectionMode.RECORDED));
  }

  @ParameterizedTest
  @MethodSource({"otherPrograms", "someOfEveryKind"})
  @Execution(ExecutionMode.CONCURRENT)
  void reExecutedCampaignShouldReportWhatTheTruthSays(Case one) {
    assertReport(one, one.run(InjectionMode.RE_EXECUTED));
  }

  private static void assertReport(Case one, Workbench.Outcome outcome) {
    assertTruth(one, outcome.tree(), outcome.judgements());
    assertThat(outcome.report().inconclusive()).isEmpty();
    Workbench.requireComplete(outcome.report());
    assertThat(outcome.report().outcome().exitCode()).isEqualTo(one.hasBugInProgramOrder() ? 1 : 0);
    assertThat(outcome.report().findings().isEmpty()).isEqualTo(!one.hasBugInProgramOrder());
  }

  /** Every failure point was judged, and they are those of the truth. */
  private static void assertTruth(
      Case one, FailurePointTree tree, Collection<Judgement> judgements) {
    assertThat(judgements).hasSize(tree.size()).isNotEmpty();
    assertThat(judgements).noneMatch(judgement -> judgement.kind() == Verdict.Kind.INCONCLUSIVE);
    if (one.hasBugInProgramOrder()) {
      assertBugAtEveryMarkedLineAndNowhereElse(one.truth(), tree, judgements);
    } else {
      assertThat(judgements).noneMatch(Judgement::isBug);
    }
    if (one.granularity() == Granularity.PERSISTENCY) {
      one.truth()
          .failurePoints()
          .ifPresent(counts -> assertThat(tree.size()).isEqualTo(counts.get(one.variant())));
      one.truth()
          .tree()
          .ifPresent(drawn -> assertThat(drawn(one.truth(), tree)).isEqualTo(Set.copyOf(drawn)));
    }
  }

  private static void assertBugAtEveryMarkedLineAndNowhereElse(
      BugTruth truth, FailurePointTree tree, Collection<Judgement> judgements) {
    Set<Integer> places = new HashSet<>();
    for (Judgement judgement : judgements) {
      if (judgement.isBug()) {
        List<Frame> marked = markedFrames(truth, stackOf(tree, judgement));
        assertThat(marked)
            .as("%s at %s", judgement.seen(), judgement.failurePointId().toString())
            .isNotEmpty();
        marked.forEach(frame -> places.add(frame.line()));
        assertThat(marked).extracting(BugSuiteTest::plainFunction).containsOnly(truth.function());
        assertVerdict(truth, judgement);
      }
    }
    assertThat(places).isEqualTo(truth.marked("BUG-AT"));
  }

  private static void assertVerdict(BugTruth truth, Judgement judgement) {
    assertThat(judgement.kind().name()).as(judgement.seen()).isEqualTo(truth.verdict());
    truth.signal().ifPresent(signal -> assertThat(judgement.seen()).contains(signal));
    truth
        .crash()
        .ifPresent(
            function ->
                assertThat(judgement.recoveryStack())
                    .as(judgement.seen())
                    .anyMatch(frame -> isCrash(truth, function, frame)));
  }

  private static boolean isCrash(BugTruth truth, String function, StackFrame frame) {
    return frame.function().equals(function)
        && Path.of(frame.file()).endsWith(truth.sourceName())
        && truth.marked("CRASH-AT").contains(frame.line());
  }

  private static List<Frame> stackOf(FailurePointTree tree, Judgement judgement) {
    FailurePointId id = judgement.failurePointId();
    return tree.find(id).orElseThrow().stack().frames();
  }

  private static List<Frame> ownFrames(BugTruth truth, List<Frame> stack) {
    return stack.stream().filter(frame -> frame.file().endsWith("/" + truth.sourceName())).toList();
  }

  private static List<Frame> markedFrames(BugTruth truth, List<Frame> stack) {
    Set<Integer> marked = truth.marked("BUG-AT");
    return ownFrames(truth, stack).stream().filter(frame -> marked.contains(frame.line())).toList();
  }

  /** The function without its parameters and classes. */
  private static String plainFunction(Frame frame) {
    String name = frame.function().replaceFirst("\\(.*", "");
    return name.substring(name.lastIndexOf(':') + 1);
  }

  private static Set<List<String>> drawn(BugTruth truth, FailurePointTree tree) {
    return tree.failurePoints().stream()
        .map(FailurePoint::stack)
        .map(
            stack ->
                ownFrames(truth, stack.frames()).stream()
                    .map(frame -> frame.function() + " " + truth.sourceName() + ":" + frame.line())
                    .toList())
        .collect(Collectors.toSet());
  }
}
