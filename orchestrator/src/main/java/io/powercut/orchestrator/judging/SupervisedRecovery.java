// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import com.google.common.base.Suppliers;
import io.powercut.oracle.CrashStack;
import io.powercut.oracle.LearnedLimits;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.RecoveryOracle;
import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.StepResult;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.process.CommandSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The campaign's recovery, as processes under supervisors. */
public final class SupervisedRecovery implements RecoveryRuns {
  /**
   * It takes long with so many times the processor time of a program that does nothing. Most
   * programs of a few pages take less, and those that open a PMDK pool more, on any machine.
   */
  private static final int LONG = 5;

  /** Such a program is run so often: another process may take time from one run. */
  private static final int RUNS_OF_NOTHING = 3;

  private final Commands commands;
  private final Supervisors supervisors;
  private final Resources resources;
  private final LearnedLimits limits = new LearnedLimits();

  /** Of the runs that accepted an image, the least processor time; negative without any. */
  private final AtomicLong least = new AtomicLong(-1);

  private final Supplier<Long> nothing = Suppliers.memoize(this::nothing);

  public SupervisedRecovery(Commands commands, Supervisors supervisors, Resources resources) {
    this.commands = commands;
    this.supervisors = supervisors;
    this.resources = resources;
  }

  @Override
  public OracleResult judge(
      JudgedImages images,
      Optional<Path> evidence,
      OracleSettings settings,
      Optional<OutputCheck> dump,
      YesSample asked) {
    OracleResult result;
    try (Supervisors.Loan loan = supervisors.borrow();
        ExecutionDirectories scratch = ExecutionDirectories.in(resources.area())) {
      Path kept = evidence.orElse(scratch.scratch().resolve("evidence"));
      result =
          oracle(images, loan, settings, dump, asked, scratch).judge(images, kept, images.watch());
    }
    if (result.verdict() instanceof Verdict.Consistent) {
      learn(result.steps());
    }
    resources.checkInterrupted();
    return result;
  }

  private void learn(List<StepResult> steps) {
    long time = steps.stream().mapToLong(step -> step.cpuTime().toNanos()).sum();
    least.accumulateAndGet(time, (known, now) -> known < 0 ? now : Math.min(known, now));
  }

  @Override
  public boolean isLong() {
    return least.get() >= LONG * nothing.get();
  }

  /** What a program takes that does nothing, in nanoseconds. */
  private long nothing() {
    long shortest = Long.MAX_VALUE;
    try (Supervisors.Loan loan = supervisors.borrow()) {
      for (int run = 0; run < RUNS_OF_NOTHING; run++) {
        CommandSpec command = CommandSpec.command("true").timeLimit(Duration.ofSeconds(10)).build();
        shortest = Math.min(shortest, loan.supervisor().run(command).cpuTime().toNanos());
      }
    }
    return shortest;
  }

  @Override
  public Verdict.Kind glance(JudgedImages images) {
    Verdict.Kind kind;
    try (Supervisors.Loan loan = supervisors.borrow();
        ExecutionDirectories scratch = ExecutionDirectories.in(resources.area())) {
      kind =
          oracle(images, loan, OracleChoices.ONCE, Optional.empty(), YesSample.none(), scratch)
              .glance(images)
              .kind();
    }
    resources.checkInterrupted();
    return kind;
  }

  @Override
  public RecoveryStep shorten(int index, RecoveryStep step) {
    return limits.shorten(index, step);
  }

  @Override
  public void forget(CrashStack hang) {
    limits.forget(hang);
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
        pm -> commands.recovery(ExecutionDirectories.around(pm, images.acknowledged()), dump),
        settings,
        limits,
        asked,
        scratch.scratch());
  }
}
