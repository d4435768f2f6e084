package io.powercut.orchestrator.run;

import io.powercut.image.DirectoryCopy;
import io.powercut.oracle.CrashFrame;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.RecoveryOracle;
import io.powercut.oracle.StepResult;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.campaign.DumpSection;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.dump.DumpComparison;
import io.powercut.orchestrator.dump.DumpReader;
import io.powercut.orchestrator.report.AcknowledgedOutput;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.orchestrator.report.Text;
import io.powercut.orchestrator.results.NotTrustworthyException;
import io.powercut.orchestrator.results.Visit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lets the campaign's recovery judge images, and keeps those that prove a bug. */
final class ImageJudge {
  private static final double NANOSECONDS = 1e9;
  private static final OracleSettings ONCE =
      new OracleSettings(
          false,
          false,
          OracleSettings.DEFAULT.debugger(),
          OracleSettings.DEFAULT.debuggerLimit(),
          OracleSettings.DEFAULT.coreLimit());

  private final RunContext context;

  ImageJudge(RunContext context) {
    this.context = context;
  }

  /**
   * A control: recovery must find a state without any crash consistent.
   *
   * @param name of the state, for the message
   * @param acknowledged what the target had told then
   * @throws NotTrustworthyException if it does not
   */
  void control(String name, Path pm, Optional<Acknowledgement> acknowledged) {
    if (!context.campaign().oracle().controls()) {
      return;
    }
    context.progress().phase("control: recovery on " + name);
    CopiedImages images = new CopiedImages(pm, acknowledged, context.area());
    Dump first = control(name, images);
    if (context.campaign().dump().isPresent() && !first.isLike(control(name, images))) {
      throw new NotTrustworthyException(
          "the dump of "
              + name
              + " is not the same when asked twice: it has to print contents only, and nothing that changes"
              + " from run to run, such as addresses, times or an order by chance.");
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
                        Optional.of(dump)));
    context.checkInterrupted();
    if (!(result.verdict() instanceof Verdict.Consistent)) {
      throw new NotTrustworthyException(
          "the oracle failed its control: without any crash, recovery does not find "
              + name
              + " consistent: "
              + result.verdict().describe()
              + outputOf(result));
    }
    return dump.dump();
  }

  /**
   * What an image holds after recovery.
   *
   * @param of which image, as in {@link Dump#of}
   */
  Dump dump(String of, JudgedImages images) {
    DumpReader dump = new DumpReader(of);
    try (Places nowhere = Places.in(context.area())) {
      OracleResult result =
          ask(images, nowhere.scratch().resolve("evidence"), ONCE, Optional.of(dump));
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

  /**
   * Judges the image at a failure point; the image of a bug is kept in the run directory.
   *
   * @param visit where the power was cut
   * @param images gives private copies of the image
   */
  Judgement judge(Visit visit, JudgedImages images) {
    return judge(visit, images, context.directory().imageDirectory(visit));
  }

  /**
   * Judges an image; that of a bug is kept.
   *
   * @param visit where the power was cut
   * @param images gives private copies of the image
   * @param kept directory for the image and what shows the bug; made when it is needed
   */
  Judgement judge(Visit visit, JudgedImages images, Path kept) {
    long begin = System.nanoTime();
    OracleResult result = compare(images, kept.resolve("evidence"), settings());
    context.checkInterrupted();
    Optional<String> image = result.verdict().isFinding() ? keep(images, kept) : Optional.empty();
    return judgement(visit, result, image, told(result, images), begin);
  }

  /**
   * Asks recovery once. Nothing is kept, and that it says no is no proof yet.
   *
   * @param visit where the power was cut
   * @param images gives private copies of the image
   */
  Judgement probe(Visit visit, JudgedImages images) {
    long begin = System.nanoTime();
    try (Places nowhere = Places.in(context.area())) {
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
      Visit visit,
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
        shown(result.verdict(), step),
        recoveryStack(result.verdict()),
        image,
        acknowledged,
        Optional.empty(),
        Optional.empty(),
        (System.nanoTime() - begin) / NANOSECONDS);
  }

  private static String shown(Verdict verdict, Optional<StepResult> step) {
    if (verdict instanceof Verdict.WrongContents wrong) {
      return wrong.difference();
    }
    return verdict instanceof Verdict.Consistent ? "" : step.map(StepResult::outputTail).orElse("");
  }

  /** Tells of a bug as soon as it is found. */
  void announce(Judgement judgement) {
    if (judgement.isBug()) {
      context
          .progress()
          .note(
              "%s at failure point %s: %s"
                  .formatted(
                      judgement.kind().name().toLowerCase(Locale.ROOT),
                      judgement.failurePointId(),
                      judgement.seen()));
    }
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
    Optional<DumpComparison> comparison = images.expected().map(DumpComparison::new);
    OracleResult result = ask(images, evidence, settings, comparison.map(OutputCheck.class::cast));
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
      JudgedImages images, Path evidence, OracleSettings settings, Optional<OutputCheck> dump) {
    try (Supervisors.Loan loan = context.supervisors().borrow();
        Places scratch = Places.in(context.area())) {
      return new RecoveryOracle(
              loan.supervisor(),
              pm -> context.commands().recovery(Places.around(pm, images.acknowledged()), dump),
              settings,
              scratch.scratch())
          .judge(images, evidence);
    }
  }

  /** The step that decided: the last that was run. */
  private static Optional<StepResult> decisive(OracleResult result) {
    return result.steps().isEmpty()
        ? Optional.empty()
        : Optional.of(result.steps().get(result.steps().size() - 1));
  }

  private static List<StackFrame> recoveryStack(Verdict verdict) {
    return verdict instanceof Verdict.Crashed crashed
        ? crashed.stack().frames().stream().map(ImageJudge::frame).toList()
        : List.of();
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
