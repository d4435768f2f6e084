package io.powercut.orchestrator.run;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.orchestrator.campaign.CampaignWriter;
import io.powercut.orchestrator.campaign.InjectionMode;
import io.powercut.orchestrator.report.Json;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.Report;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One run of a campaign, from the build to the report: build, set-up, control, instrumented run,
 * control, injection at every leaf of the failure-point tree, report.
 */
public final class CampaignRun {
  private final Campaign campaign;
  private final Path campaignFile;
  private final RunDirectory directory;
  private final Progress progress;
  private final Timings timings = new Timings();
  private FailurePointTree tree;

  /** Whether the target was seen to its end, so that the tree has all failure points. */
  private boolean treeIsWhole;

  /**
   * @param campaign what to run
   * @param campaignFile where it was read from, for the report
   * @param directory a new run directory, or that of an interrupted run to go on with
   * @param progress who is told
   */
  public CampaignRun(
      Campaign campaign, Path campaignFile, RunDirectory directory, Progress progress) {
    this.campaign = campaign;
    this.campaignFile = campaignFile;
    this.directory = directory;
    this.progress = progress;
    this.tree = InstrumentedRun.emptyTree(campaign);
  }

  /**
   * Runs it, or what is left of it when the directory holds verdicts already.
   *
   * @return the report, which is also in the run directory
   * @throws NotTrustworthyException if the target or a control fails, or a tool is missing
   */
  public Report run() {
    VerdictLog verdicts = VerdictLog.open(directory.verdictsFile());
    try (Session session = Session.open(campaign, directory, progress, timings)) {
      CampaignWriter.write(campaign, directory.campaignFile());
      inject(session.context(), verdicts);
    } catch (InterruptedRunException e) {
      progress.note("interrupted; to go on, run the same command with --resume");
      addEarlierFindings(verdicts);
      if (treeIsWhole || campaign.injection() == InjectionMode.RECORDED) {
        store(); // re-execution would take what is stored for the whole tree
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      progress.close();
    }
    return report(verdicts);
  }

  private void inject(RunContext context, VerdictLog verdicts) {
    Preparation preparation = new Preparation(context);
    preparation.build();
    ImageJudge judge = new ImageJudge(context);
    try (Places base = preparation.setUp()) {
      judge.control("the state after set-up", base.pm());
      switch (campaign.injection()) {
        case RE_EXECUTED -> reExecute(context, judge, verdicts, base);
        case RECORDED -> record(context, judge, verdicts, base);
      }
    }
  }

  private void reExecute(RunContext context, ImageJudge judge, VerdictLog verdicts, Places base) {
    if (Files.exists(directory.treeFile())) {
      tree = storedTree();
    } else {
      recordTree(context, judge, base);
    }
    treeIsWhole = true;
    markJudged(verdicts);
    progress.phase(
        "injecting at %d of %d failure points, %d at a time"
            .formatted(tree.size() - tree.visitedCount(), tree.size(), context.parallel()));
    Budget budget = new Budget(campaign.limits());
    timings.run(
        "injection",
        () -> new ReExecutedInjection(context, judge, verdicts, budget, base.pm(), tree).run());
    store();
  }

  private void record(RunContext context, ImageJudge judge, VerdictLog verdicts, Places base) {
    RecordedInjection injection =
        new RecordedInjection(
            context,
            judge,
            judgement -> keep(context, verdicts, judge, judgement),
            new Budget(campaign.limits()),
            judgedVisits(verdicts));
    progress.phase(
        "running the target under instrumentation and injecting, %d at a time"
            .formatted(context.parallel()));
    Optional<Execution> execution =
        timings.measure("injection", () -> injection.run(base.pm(), tree));
    treeIsWhole = execution.isPresent();
    addEarlierFindings(verdicts);
    store();
    if (execution.isPresent()) {
      try (Execution ended = execution.get()) {
        judge.control("the state after a clean exit", ended.places().pm());
      }
    }
  }

  private void keep(
      RunContext context, VerdictLog verdicts, ImageJudge judge, Judgement judgement) {
    context.checkInterrupted();
    tree.visit(FailurePointId.parse(judgement.failurePointId()));
    verdicts.add(judgement);
    judge.announce(judgement);
    progress.step("images judged", tree.visitedCount(), tree.size());
    if (judgement.isBug()) {
      store();
    }
  }

  private static Set<Visit> judgedVisits(VerdictLog verdicts) {
    return verdicts.all().stream()
        .filter(judgement -> judgement.kind() != Verdict.Kind.INCONCLUSIVE)
        .map(
            judgement ->
                new Visit(FailurePointId.parse(judgement.failurePointId()), judgement.visit()))
        .collect(Collectors.toSet());
  }

  /** A failure point that this execution did not come by keeps the verdict of an earlier part. */
  private void addEarlierFindings(VerdictLog verdicts) {
    if (Files.exists(directory.treeFile())) {
      for (FailurePoint earlier : storedTree().failurePoints()) {
        if (tree.find(earlier.id()).isEmpty()
            && verdicts.find(earlier.id().toString()).isPresent()) {
          tree.reach(earlier.stack(), earlier.instruction(), earlier.firstOrdinal());
        }
      }
    }
    markJudged(verdicts);
  }

  private void recordTree(RunContext context, ImageJudge judge, Places base) {
    progress.phase("running the target under instrumentation");
    try (Execution execution =
        timings.measure(
            "instrumentedRun", () -> new InstrumentedRun(context).run(base.pm(), tree))) {
      judge.control("the state after a clean exit", execution.places().pm());
    }
    store();
  }

  private void markJudged(VerdictLog verdicts) {
    for (FailurePoint failurePoint : tree.failurePoints()) {
      boolean judged =
          verdicts
              .find(failurePoint.id().toString())
              .filter(judgement -> judgement.kind() != Verdict.Kind.INCONCLUSIVE)
              .isPresent();
      if (judged) {
        tree.visit(failurePoint.id());
      } else {
        tree.forgetVisit(failurePoint.id());
      }
    }
  }

  private FailurePointTree storedTree() {
    try {
      return TreeFile.read(directory.treeFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void store() {
    try {
      TreeFile.write(tree, directory.treeFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Report report(VerdictLog verdicts) {
    Report report =
        new ReportBuilder(campaign, campaignFile, directory)
            .build(
                tree,
                treeIsWhole,
                verdicts,
                timings.seconds(),
                MachineEnvironment.describe(PmParent.of(campaign.pm())));
    Json.write(directory.reportFile(), report);
    return report;
  }
}
