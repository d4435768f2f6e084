// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.exit.FileProblem;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Lets a program's own recovery judge crash images (Mumak, section 4.1: recovery as the oracle).
 * Unlike there, a failing verdict is confirmed by a second run, hangs are findings, and what could
 * not be judged is neither.
 *
 * <p>For one thread, as is the supervisor it uses.
 */
public final class RecoveryOracle {
  /**
   * A recovery that did not end in its time gets twice as long when it runs again: had it only been
   * slow, on a busy machine for instance, it has a fair chance to end. Once for each place at which
   * it hangs: after that {@link LearnedLimits} bound what a hang costs.
   */
  private static final int PATIENCE = 2;

  private final Supervisor supervisor;
  private final RecoveryProcedure procedure;
  private final OracleSettings settings;
  private final LearnedLimits limits;
  private final YesSample sample;
  private final Path scratch;

  /**
   * An oracle.
   *
   * @param supervisor runs recovery, not in use elsewhere
   * @param procedure the steps of recovery
   * @param settings how thorough to be
   * @param limits what was learned of how long recovery takes, which this adds to
   * @param sample which images that are consistent are asked about again
   * @param scratch an existing directory of this oracle's own, for outputs that have to be searched
   */
  public RecoveryOracle(
      Supervisor supervisor,
      RecoveryProcedure procedure,
      OracleSettings settings,
      LearnedLimits limits,
      YesSample sample,
      Path scratch) {
    this.supervisor = supervisor;
    this.procedure = procedure;
    this.settings = settings;
    this.limits = limits;
    this.sample = sample;
    this.scratch = scratch;
  }

  /**
   * Judges one image.
   *
   * @param copies gives private copies of it: one, or some more if recovery says that something is
   *     broken
   * @param evidence a directory to create if there is something to keep: outputs, the stack and
   *     core file of a crash
   */
  public OracleResult judge(ImageCopies copies, Path evidence) {
    return judge(copies, evidence, Optional.empty());
  }

  /**
   * Judges one image, and finds out what recovery reads on the way. That it succeeds while it is
   * watched is enough; whatever else happens then, it is judged as if nobody had watched.
   *
   * @param watch gets the answer, unless recovery could not be followed
   */
  public OracleResult judge(ImageCopies copies, Path evidence, Optional<ReadsWatch> watch) {
    Optional<Asking.Answer> watched =
        watch.filter(one -> !one.isAsked()).flatMap(one -> watched(copies, one));
    if (watched.isPresent()) {
      return judge(copies, watched.get(), evidence);
    }
    ShortTimes times = new ShortTimes(limits);
    Asking.Answer first = asking(scratch, false).ask(copies, times);
    return isHang(first) && times.shortened(first.deciding())
        ? judgeHangInShortTime(copies, first, evidence)
        : judge(copies, first, evidence);
  }

  private Optional<Asking.Answer> watched(ImageCopies copies, ReadsWatch watch) {
    try {
      WatchedProcedure watched = new WatchedProcedure(procedure, watch, scratch);
      Asking.Answer answer =
          new Asking(supervisor, watched, scratch, false).ask(copies, limits::shorten);
      watched.end(answer.steps().size());
      return Optional.of(answer)
          .filter(known -> known.verdict() instanceof Verdict.Consistent)
          .filter(known -> watch.answer().isPresent());
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /**
   * Asks once, with no more time than recovery needs when it succeeds. That it says no is no proof.
   *
   * @param copies gives private copies of the image
   */
  public Verdict glance(ImageCopies copies) {
    return asking(scratch, false).ask(copies, limits::shorten).verdict();
  }

  private static boolean isHang(Asking.Answer answer) {
    return answer.verdict() instanceof Verdict.Hung;
  }

  private OracleResult judge(ImageCopies copies, Asking.Answer first, Path evidence) {
    if (first.verdict() instanceof Verdict.Consistent) {
      limits.succeeded(first.steps());
      if (sample.takes()) {
        return confirmYes(copies, first);
      }
    }
    if (!first.verdict().isFinding()) {
      return new OracleResult(first.verdict(), first.steps(), Optional.empty());
    }
    Optional<OracleResult> noPlace = createEvidence(evidence, first);
    return noPlace.orElseGet(
        () ->
            new OracleResult(
                confirm(copies, first, evidence), first.steps(), Optional.of(evidence)));
  }

  /** That it could not be judged the second time says nothing against the first. */
  private OracleResult confirmYes(ImageCopies copies, Asking.Answer first) {
    Asking.Answer second = asking(scratch, false).ask(copies, StepAdaptation.NONE);
    return second.verdict().isFinding()
        ? new OracleResult(compare(first, second), second.steps(), Optional.empty())
        : new OracleResult(first.verdict(), first.steps(), Optional.empty());
  }

  private static Optional<OracleResult> createEvidence(Path evidence, Asking.Answer first) {
    try {
      Files.createDirectories(evidence);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          new OracleResult(
              new Verdict.Inconclusive(
                  "there is no room for the evidence of: "
                      + first.verdict().describe()
                      + ": "
                      + FileProblem.of(e).text()),
              first.steps(),
              Optional.empty()));
    }
  }

  private Verdict confirm(ImageCopies copies, Asking.Answer first, Path evidence) {
    if (first.verdict() instanceof Verdict.Hung hung) {
      return confirmHang(hung, copies, first, evidence);
    }
    Verdict confirmed =
        settings.doubleCheck() ? askAgain(copies, first, evidence) : first.verdict();
    return settings.crashStacks() ? withStack(confirmed, copies, first, evidence) : confirmed;
  }

  /**
   * Looks where recovery hangs that had less than its whole time. At a place where another has hung
   * for the whole of it this one hangs, too; elsewhere it gets the whole.
   */
  private OracleResult judgeHangInShortTime(
      ImageCopies copies, Asking.Answer first, Path evidence) {
    Optional<OracleResult> noPlace = createEvidence(evidence, first);
    if (noPlace.isPresent()) {
      return noPlace.get();
    }
    Verdict.Hung hung = (Verdict.Hung) first.verdict();
    Catcher catcher = new Catcher(asking(evidence, true), settings);
    Optional<CrashStack> stack = catcher.hang(copies, first.deciding(), limits::shorten).stack();
    if (stack.filter(limits::isKnown).isPresent()) {
      return hungAt(stack.get(), hung.limit(), whyShort(first), first, evidence);
    }
    if (stack.isPresent()) {
      Catcher.Hang whole = catcher.hang(copies, first.deciding(), RecoveryOracle::withMorePatience);
      if (whole.stack().isPresent() && whole.lost().isEmpty()) {
        limits.hung(whole.stack().get());
        return hungAt(whole.stack().get(), whole.limit(), "", first, evidence);
      }
    }
    return judge(copies, asking(scratch, false).ask(copies, StepAdaptation.NONE), evidence);
  }

  private String whyShort(Asking.Answer first) {
    int step = first.deciding();
    boolean isOfProcessor =
        first.steps().get(step).ending() instanceof Ending.TimedOut ended && ended.isOfProcessor();
    return (isOfProcessor ? " of processor time" : "")
        + ", at a place where recovery of another image hung for the whole of its time limit"
        + limits
            .longest(step)
            .map(longest -> "; it succeeds within " + Math.max(1, longest.toMillis()) + " ms")
            .orElse("");
  }

  private static OracleResult hungAt(
      CrashStack stack, Duration limit, String more, Asking.Answer first, Path evidence) {
    String what = "it had not ended after " + limit.toMillis() + " ms" + more;
    return new OracleResult(
        new Verdict.Hung(limit, what, stack), first.steps(), Optional.of(evidence));
  }

  /** Asks again with more time, and looks where it hangs when that is over, too. */
  private Verdict confirmHang(
      Verdict.Hung hung, ImageCopies copies, Asking.Answer first, Path evidence) {
    if (!settings.crashStacks()) {
      return settings.doubleCheck() ? askAgain(copies, first, evidence) : hung;
    }
    StepAdaptation patience =
        settings.doubleCheck() ? RecoveryOracle::withMorePatience : StepAdaptation.NONE;
    Catcher.Hang again =
        new Catcher(asking(evidence, true), settings).hang(copies, first.deciding(), patience);
    if (again.lost().isPresent()) {
      return lost(hung, again.lost().get());
    }
    if (again.stack().isPresent()) {
      limits.hung(again.stack().get());
      return hung.at(again.stack().get());
    }
    if (!settings.doubleCheck()) {
      return hung.at(again.notSeen());
    }
    Verdict confirmed =
        again.answer().verdict().kind() == Verdict.Kind.CONSISTENT
            ? compare(first, again.answer())
            : askAgain(copies, first, evidence);
    return confirmed instanceof Verdict.Hung still ? still.at(again.notSeen()) : confirmed;
  }

  private Asking asking(Path outputs, boolean keepsOutput) {
    return new Asking(supervisor, procedure, outputs, keepsOutput);
  }

  private Verdict askAgain(ImageCopies copies, Asking.Answer first, Path evidence) {
    return compare(
        first,
        asking(evidence, true)
            .ask(copies, isHang(first) ? RecoveryOracle::withMorePatience : StepAdaptation.NONE));
  }

  private static Verdict compare(Asking.Answer first, Asking.Answer second) {
    if (second.verdict().kind() == first.verdict().kind()) {
      return first.verdict();
    }
    return new Verdict.Inconclusive(
        "the verdict changed on a second run: first "
            + first.verdict().describe()
            + "; then "
            + (isHang(first) ? "with " + PATIENCE + " times the time limit, " : "")
            + second.verdict().describe(),
        bothOutputs(first, second));
  }

  private static String bothOutputs(Asking.Answer first, Asking.Answer second) {
    return "[first]\n" + output(first) + "\n[then]\n" + output(second) + "\n";
  }

  private static String output(Asking.Answer answer) {
    return answer.steps().isEmpty()
        ? ""
        : answer.steps().get(answer.deciding()).outputTail().stripTrailing();
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
   * Finds the stack of a crash, also of one that recovery itself only reported by an exit code, as
   * a shell does.
   */
  private Verdict withStack(
      Verdict verdict, ImageCopies copies, Asking.Answer first, Path evidence) {
    Optional<Signal> suspected = verdict.suspectedSignal();
    if (suspected.isEmpty()) {
      return verdict;
    }
    Catcher.Crash crash =
        new Catcher(asking(evidence, true), settings)
            .crash(copies, first.deciding(), suspected.get());
    if (crash.lost().isPresent()) {
      return lost(verdict, crash.lost().get());
    }
    if (verdict instanceof Verdict.Crashed crashed) {
      return new Verdict.Crashed(
          crashed.signal(), crash.stack().orElseGet(RecoveryOracle::notSeenAgain));
    }
    return crash
        .stack()
        .<Verdict>map(seen -> new Verdict.Crashed(suspected.get(), seen))
        .orElse(verdict);
  }

  /** What a tool would have said is not known, so neither is the verdict. */
  private static Verdict lost(Verdict verdict, String how) {
    return new Verdict.Inconclusive(
        verdict.describe() + "; but the tool that captures its stack was lost: " + how);
  }

  private static CrashStack notSeenAgain() {
    return CrashStack.missing("the crash did not happen again when its stack was captured");
  }
}
