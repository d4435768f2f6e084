package io.powercut.oracle;

import io.powercut.process.CommandSpec;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Lets a program's own recovery judge crash images (Mumak, section 4.1: recovery as the oracle).
 * Unlike there, a verdict that says that something is broken is asked for twice, hangs are
 * findings, and what could not be judged is neither.
 *
 * <p>For one thread, as is the supervisor it uses.
 */
public final class RecoveryOracle {
  /**
   * A recovery that did not end in its time gets twice as long when it is asked again: had it only
   * been slow, on a busy machine for instance, it has a fair chance to end; a real hang costs three
   * times the limit in all.
   */
  private static final int PATIENCE = 2;

  /** Signals of which a shell tells by an exit code of 128 more, and which stand for a crash. */
  private static final Set<Integer> CRASH_SIGNALS = Set.of(4, 5, 6, 7, 8, 11, 31);

  private static final int SHELL_SIGNAL_BASE = 128;

  private final Supervisor supervisor;
  private final RecoveryProcedure procedure;
  private final OracleSettings settings;
  private final Path scratch;

  /**
   * An oracle.
   *
   * @param supervisor runs recovery, not in use by anybody else
   * @param procedure the steps of recovery
   * @param settings how thorough to be
   * @param scratch an existing directory of this oracle's own, for outputs that have to be searched
   */
  public RecoveryOracle(
      Supervisor supervisor, RecoveryProcedure procedure, OracleSettings settings, Path scratch) {
    this.supervisor = supervisor;
    this.procedure = procedure;
    this.settings = settings;
    this.scratch = scratch;
  }

  /**
   * Judges one image.
   *
   * @param copies gives private copies of it: one, or up to three if recovery says that something
   *     is broken
   * @param evidence a directory to create if there is something to keep: outputs, the stack and
   *     core file of a crash
   */
  public OracleResult judge(ImageCopies copies, Path evidence) {
    Asking.Answer first = asking(scratch, false).ask(copies, StepAdaptation.NONE);
    if (!first.verdict().isFinding()) {
      return new OracleResult(first.verdict(), first.steps(), Optional.empty());
    }
    try {
      Files.createDirectories(evidence);
    } catch (IOException e) {
      return inconclusive(
          "there is no place for evidence of: " + first.verdict().describe() + ": " + e, first);
    }
    Verdict confirmed =
        settings.doubleCheck() ? askAgain(copies, first, evidence) : first.verdict();
    Verdict verdict =
        settings.crashStacks() ? withStack(confirmed, copies, first, evidence) : confirmed;
    return new OracleResult(verdict, first.steps(), Optional.of(evidence));
  }

  private static OracleResult inconclusive(String reason, Asking.Answer first) {
    return new OracleResult(new Verdict.Inconclusive(reason), first.steps(), Optional.empty());
  }

  private Asking asking(Path outputs, boolean keepsOutput) {
    return new Asking(supervisor, procedure, outputs, keepsOutput);
  }

  private Verdict askAgain(ImageCopies copies, Asking.Answer first, Path evidence) {
    boolean hung = first.verdict().kind() == Verdict.Kind.HUNG;
    Asking.Answer second =
        asking(evidence, true)
            .ask(copies, hung ? RecoveryOracle::withMorePatience : StepAdaptation.NONE);
    if (second.verdict().kind() == first.verdict().kind()) {
      return first.verdict();
    }
    return new Verdict.Inconclusive(
        "the verdict changed when asked twice: first "
            + first.verdict().describe()
            + "; then "
            + (hung ? "with " + PATIENCE + " times the time limit, " : "")
            + second.verdict().describe());
  }

  private static RecoveryStep withMorePatience(int index, RecoveryStep step) {
    CommandSpec command = step.command();
    return new RecoveryStep(
        step.name(),
        command.toBuilder().timeLimit(command.timeLimit().multipliedBy(PATIENCE)).build(),
        step.success(),
        step.server().map(plan -> plan.withMorePatience(PATIENCE)),
        step.check());
  }

  /**
   * Finds the stack of a crash, also of one that recovery itself only told by an exit code, as a
   * shell does.
   */
  private Verdict withStack(
      Verdict verdict, ImageCopies copies, Asking.Answer first, Path evidence) {
    Optional<Signal> suspected = suspectedSignal(verdict);
    if (suspected.isEmpty()) {
      return verdict;
    }
    Optional<CrashStack> stack =
        new CrashInvestigation(asking(evidence, true), settings)
            .investigate(copies, first.deciding(), suspected.get());
    if (verdict instanceof Verdict.Crashed crashed) {
      return new Verdict.Crashed(crashed.signal(), stack.orElseGet(RecoveryOracle::notSeenAgain));
    }
    return stack
        .filter(seen -> !seen.text().isEmpty())
        .<Verdict>map(seen -> new Verdict.Crashed(suspected.get(), seen))
        .orElse(verdict);
  }

  private static Optional<Signal> suspectedSignal(Verdict verdict) {
    if (verdict instanceof Verdict.Crashed crashed) {
      return Optional.of(crashed.signal());
    }
    if (verdict instanceof Verdict.Unrecoverable unrecoverable) {
      int number = unrecoverable.exitCode().orElse(0) - SHELL_SIGNAL_BASE;
      return CRASH_SIGNALS.contains(number) ? Optional.of(new Signal(number)) : Optional.empty();
    }
    return Optional.empty();
  }

  private static CrashStack notSeenAgain() {
    return CrashStack.missing("the crash did not happen again when its stack was to be taken");
  }
}
