// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.exit.FileProblem;
import io.powercut.oracle.server.Readiness;
import io.powercut.oracle.server.ServerOutcome;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.oracle.server.ServerRun;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Supervisor;
import io.powercut.process.SupervisorNotStartedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks recovery once: all steps in their order on one copy, until one does not say that the image
 * is consistent.
 *
 * @param supervisor runs the steps
 * @param procedure gives the steps
 * @param outputDirectory where outputs go that must be searched, or are to be kept; exists
 * @param keepsOutput whether every step's output is kept there
 */
record Asking(
    Supervisor supervisor, RecoveryProcedure procedure, Path outputDirectory, boolean keepsOutput) {

  /**
   * What was answered.
   *
   * @param verdict the verdict
   * @param steps the results of the steps that ran
   */
  record Answer(Verdict verdict, List<StepResult> steps) {
    /** The number of the step that decided. */
    int deciding() {
      return steps.size() - 1;
    }
  }

  /** Asks on a fresh copy. That there is none, or that it cannot be deleted, is inconclusive. */
  Answer ask(ImageCopies copies, StepAdaptation adaptation) {
    try (ImageCopy copy = copies.fresh()) {
      return ask(copy.directory(), adaptation);
    } catch (SupervisorNotStartedException e) {
      return new Answer(
          new Verdict.Inconclusive("a client could not be run: " + e.getMessage()), List.of());
    } catch (IOException e) {
      return new Answer(
          new Verdict.Inconclusive(
              "the private copy of the image failed: " + FileProblem.of(e).text()),
          List.of());
    }
  }

  private Answer ask(Path image, StepAdaptation adaptation) {
    List<RecoveryStep> steps = procedure.on(image);
    List<StepResult> results = new ArrayList<>();
    for (int index = 0; index < steps.size(); index++) {
      Verdict verdict = run(index, adaptation.adapt(index, steps.get(index)), results);
      if (!(verdict instanceof Verdict.Consistent)) {
        return new Answer(verdict, results);
      }
    }
    return new Answer(new Verdict.Consistent(), results);
  }

  private Verdict run(int index, RecoveryStep step, List<StepResult> results) {
    return step.server().isPresent()
        ? runServer(index, step, step.server().get(), results)
        : runCommand(index, step, results);
  }

  private Verdict runCommand(int index, RecoveryStep step, List<StepResult> results) {
    boolean inFile = keepsOutput || step.success().looksAtOutput() || step.check().isPresent();
    CommandResult result = supervisor.run(withOutput(step.command(), inFile, index, step.name()));
    results.add(StepResult.of(step.name(), result));
    Verdict verdict = StepJudge.judge(step.success(), result);
    return verdict instanceof Verdict.Consistent && step.check().isPresent()
        ? step.check().get().judge(result)
        : verdict;
  }

  private Verdict runServer(
      int index, RecoveryStep step, ServerPlan plan, List<StepResult> results) {
    boolean inFile =
        keepsOutput || step.success().looksAtOutput() || plan.ready() instanceof Readiness.LogLine;
    boolean clientInFile =
        keepsOutput || plan.clientSuccess().looksAtOutput() || step.check().isPresent();
    ServerPlan withOutput =
        plan.withClient(
            plan.client()
                .map(client -> withOutput(client, clientInFile, index, step.name() + "-client")));
    ServerOutcome outcome =
        ServerRun.run(
            supervisor, withOutput(step.command(), inFile, index, step.name()), withOutput);
    results.add(StepResult.of(step.name(), outcome.server(), outcome.clientResult()));
    Verdict verdict = outcome.accept(new ServerJudge(step.success(), plan.stop()));
    return verdict instanceof Verdict.Consistent && step.check().isPresent()
        ? step.check().get().judge(outcome.clientResult().orElse(outcome.server()))
        : verdict;
  }

  private CommandSpec withOutput(CommandSpec command, boolean inFile, int index, String name) {
    if (!inFile) {
      return command;
    }
    String fileName = (index + 1) + "-" + name.replaceAll("[^A-Za-z0-9._-]", "_") + ".output";
    return command.toBuilder().outputFile(outputDirectory.resolve(fileName)).build();
  }
}
