// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.campaign.sections.DumpSection;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.oracle.CrashFrame;
import io.powercut.oracle.CrashStack;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.LearnedLimits;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.RecoveryOracle;
import io.powercut.oracle.StepResult;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.dump.DumpComparison;
import io.powercut.orchestrator.dump.DumpReader;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.OwnPressure;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Lets the campaign's recovery judge images, and keeps those that prove a bug. */
public final class ImageJudge implements CrashImageJudge {
  private static final double NANOSECONDS = 1e9;
  private static final OracleSettings ONCE =
      new OracleSettings(
          false,
          false,
          OracleSettings.DEFAULT.debugger(),
          OracleSettings.DEFAULT.debuggerLimit(),
          OracleSettings.DEFAULT.coreLimit());

  /** How often a recovery that timed out is repeated while memory is short. */
  private static final int TIMES_UNDER_PRESSURE = 3;

  private final RunContext context;
  private final Announcements announcements;
  private final LearnedLimits limits = new LearnedLimits();
  private final YesSample sample;

  public ImageJudge(RunContext context) {
    this.context = context;
    this.announcements = new Announcements(context.progress());
    this.sample = context.campaign().oracle().doubleCheck() ? YesSample.create() : YesSample.none();
  }

  /**
   * A control: recovery must find a state without any crash consistent.
   *
   * @param name of the state, for the message
   * @param acknowledged what the target had acknowledged then
   * @throws PowercutException if it does not
   */
  public void control(String name, Path pm, Optional<Acknowledgement> acknowledged) {
    if (!context.campaign().oracle().controls()) {
      return;
    }
    context.progress().phase("control: recovery on " + name);
    CopiedImages images = new CopiedImages(pm, acknowledged, context.area());
    Dump first = control(name, images);
    if (context.campaign().dump().isPresent() && !first.isLike(control(name, images))) {
      throw PowercutException.notTrustworthy(
          "the dump of "
              + name
              + " differs between two runs on the same contents. It must print nothing that changes from"
              + " run to run, such as addresses, times or a random order.");
    }
  }

  private Dump control(String name, JudgedImages images) {
    DumpReader dump = new DumpReader(name);
    OracleResult result =
        context
            .timings()
            .measure(
                "controls",
                () ->
                    ask(
                        images,
                        context.directory().path().resolve("control"),
                        settings(),
                        Optional.of(dump),
                        YesSample.none()));
    context.checkInterrupted();
    if (!(result.verdict() instanceof Verdict.Consistent)) {
      throw PowercutException.notTrustworthy(
          "the oracle failed its control: without a crash, recovery does not accept "
              + name
              + " consistent: "
              + result.verdict().describe()
              + outputOf(result));
    }
    return dump.dump();
  }

  /**
   * Asks recovery once about an image that it should refuse, with no more time than it needs for
   * others. No state of the program is meant by it, so nothing is kept, proved or compared.
   */
  Verdict.Kind glance(JudgedImages images) {
    try (Supervisors.Loan loan = context.supervisors().borrow();
        ExecutionDirectories scratch = ExecutionDirectories.in(context.area())) {
      Verdict.Kind kind =
          oracle(images, loan, ONCE, Optional.empty(), YesSample.none(), scratch)
              .glance(images)
              .kind();
      context.checkInterrupted();
      return kind;
    }
  }

  @Override
  public Dump dump(String of, JudgedImages images) {
    DumpReader dump = new DumpReader(of);
    try (ExecutionDirectories nowhere = ExecutionDirectories.in(context.area())) {
      OracleResult result =
          ask(
              images,
              nowhere.scratch().resolve("evidence"),
              ONCE,
              Optional.of(dump),
              YesSample.none());
      context.checkInterrupted();
      return result.verdict() instanceof Verdict.Consistent
          ? dump.dump()
          : Dump.missing(of, result.verdict().describe());
    }
  }

  private static String outputOf(OracleResult result) {
    String output = Text.printed(decisive(result).map(StepResult::outputTail).orElse("")).strip();
    return output.isEmpty() ? "." : ". It printed:\n  " + output.replace("\n", "\n  ");
  }

  @Override
  public Judgement judge(Occurrence visit, JudgedImages images) {
    return judge(visit, images, context.directory().imageDirectory(visit));
  }

  @Override
  public Judgement judge(Occurrence visit, JudgedImages images, Path kept) {
    long begin = System.nanoTime();
    OracleResult result = compare(images, kept.resolve("evidence"), settings());
    context.checkInterrupted();
    Optional<String> image = result.verdict().isFinding() ? keep(images, kept) : Optional.empty();
    return judgement(visit, result, image, told(result, images), begin);
  }

  @Override
  public Judgement probe(Occurrence visit, JudgedImages images) {
    long begin = System.nanoTime();
    try (ExecutionDirectories nowhere = ExecutionDirectories.in(context.area())) {
      OracleResult result = compare(images, nowhere.scratch().resolve("evidence"), ONCE);
      context.checkInterrupted();
      return judgement(visit, result, Optional.empty(), told(result, images), begin);
    }
  }

  private static Optional<AcknowledgedOutput> told(OracleResult result, JudgedImages images) {
    if (!result.verdict().isFinding() || images.acknowledged().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(images.acknowledged().get().describe());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Judgement judgement(
      Occurrence visit,
      OracleResult result,
      Optional<String> image,
      Optional<AcknowledgedOutput> acknowledged,
      long begin) {
    Optional<StepResult> step = decisive(result);
    return new Judgement(
        visit.id().toString(),
        visit.number(),
        result.verdict().kind(),
        result.verdict().describe(),
        step.map(StepResult::name).orElse(""),
        result.verdict().shown(step.map(StepResult::outputTail).orElse("")),
        result.verdict().place().map(ImageJudge::frames).orElse(List.of()),
        image,
        acknowledged,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        (System.nanoTime() - begin) / NANOSECONDS);
  }

  /** Announces a bug as soon as it is found. */
  public void announce(Judgement judgement) {
    announcements.announce(judgement);
  }

  private OracleSettings settings() {
    OracleSettings defaults = OracleSettings.DEFAULT;
    return new OracleSettings(
        context.campaign().oracle().doubleCheck(),
        defaults.crashStacks(),
        defaults.debugger(),
        defaults.debuggerLimit(),
        defaults.coreLimit());
  }

  /** Asks recovery, and compares what it leaves if that is wanted. */
  private OracleResult compare(JudgedImages images, Path evidence, OracleSettings settings) {
    Duration collecting = Duration.ZERO;
    for (int time = 0; time < TIMES_UNDER_PRESSURE; time++) {
      OwnPressure pressure = new OwnPressure();
      OracleResult result = compareOnce(images, evidence, settings);
      if (!(result.verdict() instanceof Verdict.Hung hung) || !pressure.isHigh()) {
        return result;
      }
      limits.forget(hung.stack());
      collecting = pressure.collecting();
    }
    return new OracleResult(
        new Verdict.Inconclusive(
            ("recovery did not end in its time, but Powercut itself was busy with its own memory"
                    + " (%d ms of garbage collection)")
                .formatted(collecting.toMillis())),
        List.of(),
        Optional.empty());
  }

  private OracleResult compareOnce(JudgedImages images, Path evidence, OracleSettings settings) {
    Optional<DumpComparison> comparison = images.expected().map(DumpComparison::new);
    OracleResult result =
        ask(images, evidence, settings, comparison.map(OutputCheck.class::cast), sample);
    if (result.verdict() instanceof Verdict.WrongContents && comparison.isPresent()) {
      try {
        comparison.get().keep(evidence.resolve(DumpSection.STEP));
      } catch (IOException e) {
        context.progress().note("the dumps of a finding could not be kept: " + e.getMessage());
      }
    }
    return result;
  }

  private OracleResult ask(
      JudgedImages images,
      Path evidence,
      OracleSettings settings,
      Optional<OutputCheck> dump,
      YesSample asked) {
    try (Supervisors.Loan loan = context.supervisors().borrow();
        ExecutionDirectories scratch = ExecutionDirectories.in(context.area())) {
      return oracle(images, loan, settings, dump, asked, scratch).judge(images, evidence);
    }
  }

  private RecoveryOracle oracle(
      JudgedImages images,
      Supervisors.Loan loan,
      OracleSettings settings,
      Optional<OutputCheck> dump,
      YesSample asked,
      ExecutionDirectories scratch) {
    return new RecoveryOracle(
        loan.supervisor(),
        pm ->
            context
                .commands()
                .recovery(ExecutionDirectories.around(pm, images.acknowledged()), dump),
        settings,
        limits,
        asked,
        scratch.scratch());
  }

  /** The step that decided: the last that was run. */
  private static Optional<StepResult> decisive(OracleResult result) {
    return result.steps().isEmpty()
        ? Optional.empty()
        : Optional.of(result.steps().get(result.steps().size() - 1));
  }

  private static List<StackFrame> frames(CrashStack stack) {
    return stack.frames().stream().map(ImageJudge::frame).toList();
  }

  private static StackFrame frame(CrashFrame frame) {
    return new StackFrame(
        frame.function(),
        frame.file().orElse(""),
        frame.line().orElse(0),
        frame.module().orElse(""),
        frame.offset().isPresent() ? "0x" + Long.toHexString(frame.offset().getAsLong()) : "");
  }

  private Optional<String> keep(JudgedImages images, Path kept) {
    Path target = kept.resolve("pm");
    try (ImageCopy image = images.fresh()) {
      if (!Files.exists(target)) {
        DirectoryCopy.copy(image.directory(), target);
        if (images.acknowledged().isPresent()) {
          images.acknowledged().get().writeTo(kept.resolve("acknowledged"));
        }
      }
      return Optional.of(context.directory().path().relativize(target).toString());
    } catch (IOException e) {
      context.progress().note("the image of a finding could not be kept: " + e.getMessage());
      return Optional.empty();
    }
  }
}
