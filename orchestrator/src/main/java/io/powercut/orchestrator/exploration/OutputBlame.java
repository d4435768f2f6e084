// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.states.CrashState;
import io.powercut.report.evidence.AcknowledgedOutput.EarlyOutput;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.replay.TraceTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Whether what the target acknowledged is to blame at one moment. For one thread. */
final class OutputBlame {
  private static final CrashState PROGRAM_ORDER = CrashState.of(List.of());

  /** So many of the last outputs are tried as what came too early. */
  private static final int MOST_TOO_EARLY = 4;

  private final CrashPoint moment;
  private final TraceTables tables;
  private final MomentOracle oracle;

  /**
   * @param tables what the numbers of outputs mean
   */
  OutputBlame(CrashPoint moment, TraceTables tables, MomentOracle oracle) {
    this.moment = moment;
    this.tables = tables;
    this.oracle = oracle;
  }

  /**
   * The output that may have come too early, where recovery fails in program order: without it and
   * what came after it recovery succeeds there.
   *
   * @param kind how recovery ends there
   */
  Optional<EarlyOutput> tooEarly(Verdict.Kind kind) {
    Optional<Acknowledgement> said = moment.acknowledged();
    int tries = kind == Verdict.Kind.HUNG ? 1 : MOST_TOO_EARLY;
    for (int number = 0; number < tries && said.isPresent(); number++) {
      Acknowledgement now = said.get();
      Optional<Acknowledgement.Output> last = now.lastOutput();
      said =
          last.map(output -> now.before(output.ordinal()))
              .filter(before -> before.bytes() < now.bytes());
      boolean isHelp =
          said.filter(before -> oracle.ask(PROGRAM_ORDER, before) == Verdict.Kind.CONSISTENT)
              .isPresent();
      if (isHelp) {
        return last.map(output -> described(now, output));
      }
    }
    return Optional.empty();
  }

  private EarlyOutput described(Acknowledgement now, Acknowledgement.Output output) {
    try {
      return new EarlyOutput(
          now.describe().lastLine(),
          TargetStack.of(tables.stack(output.stack(), output.site())),
          isFindingAfter(output) && oracle.askBefore(output.ordinal()) == Verdict.Kind.CONSISTENT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether recovery fails right behind an output, with all lost that was stored since. */
  private boolean isFindingAfter(Acknowledgement.Output output) {
    long after = output.ordinal() + 1;
    return moment.states().isProgramOrderButGrowthBefore(after)
        && oracle.askBefore(after).isFinding();
  }

  /**
   * Whether the target acknowledged before a store what a state shows: recovery fails right behind
   * the last output, with all lost that was stored since, and succeeds on the state without that
   * output. No flush helps then, wherever it is.
   *
   * @param firstLost when the first store was made that the state lacks
   */
  boolean isBefore(long firstLost, CrashState state) {
    Optional<Acknowledgement> now = moment.acknowledged();
    return now.flatMap(Acknowledgement::lastOutput)
        .filter(last -> last.ordinal() < firstLost && isFindingAfter(last))
        .filter(last -> isConsistent(state, now.get().before(last.ordinal())))
        .isPresent();
  }

  /** Whether recovery succeeds on a state if nothing was acknowledged since its lost stores. */
  boolean isWhyItFails(long firstLost, CrashState state) {
    return moment
        .acknowledged()
        .filter(now -> now.before(firstLost).bytes() < now.bytes())
        .filter(now -> isConsistent(state, now.before(firstLost)))
        .isPresent();
  }

  private boolean isConsistent(CrashState state, Acknowledgement then) {
    return oracle.ask(state, then) == Verdict.Kind.CONSISTENT;
  }
}
