// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.BuildSection;
import io.powercut.campaign.sections.Determinism;
import io.powercut.campaign.sections.SetupSection;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.KeptAttributes;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import io.powercut.report.format.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Builds the target and makes the state from which every execution starts. */
public final class Preparation {
  private static final int FIRST_LINES_SHOWN = 5;
  private static final int LAST_LINES_SHOWN = 15;
  private static final String NOTHING = " nothing.";

  /** What Valgrind prints of a signal, beside which: a stack, and advice on its own options. */
  private static final Pattern VALGRIND_STACK =
      Pattern.compile(
          "==\\d+== *|==\\d+== +(?:at|by) 0x.*|==\\d+==  (?:If you believe|overflow in your|possible\\), you|main thread stack|The main thread stack).*");

  private final Campaign campaign;
  private final Commands commands;
  private final Supervisors supervisors;
  private final Resources resources;
  private final Phases phases;

  /**
   * @param supervisors run the commands
   * @param phases are told what is done
   */
  public Preparation(
      Campaign campaign,
      Commands commands,
      Supervisors supervisors,
      Resources resources,
      Phases phases) {
    this.campaign = campaign;
    this.commands = commands;
    this.supervisors = supervisors;
    this.resources = resources;
    this.phases = phases;
  }

  /** Runs the campaign's build, if it has one. */
  public void build() {
    if (campaign.build().isEmpty()) {
      return;
    }
    BuildSection build = campaign.build().get();
    phases.begin("building the target");
    phases.timings().run("build", () -> require("build", run(commands.build(build))));
  }

  /**
   * Runs the campaign's set-up.
   *
   * @return the places whose PM directory holds the state after it; the caller closes them
   */
  public ExecutionDirectories setUp() {
    ExecutionDirectories places = ExecutionDirectories.in(resources.area());
    try {
      tellWhetherAddressesVary();
      if (campaign.setup().isPresent()) {
        SetupSection setup = campaign.setup().get();
        phases.begin("setting up");
        phases.timings().run("setup", () -> setUp(setup, places));
        tellWhatIsNotKept(places.pm());
      }
      return places;
    } catch (RuntimeException e) {
      places.close();
      throw e;
    }
  }

  private void tellWhetherAddressesVary() {
    if (campaign.determinism().addressSpace() != Determinism.FIXED) {
      return;
    }
    try (Supervisors.Loan loan = supervisors.borrow()) {
      if (!loan.supervisor().canFixAddresses()) {
        phases.note(
            "the target's addresses vary from run to run: personality(2) is not allowed here; remedy:"
                + " a seccomp profile of the container that allows it, or determinism.addressSpace:"
                + " free");
      }
    }
  }

  private void tellWhatIsNotKept(Path pm) {
    try (PrivateDirectory scratch = resources.area().newDirectory()) {
      KeptAttributes.missing(pm, scratch.path())
          .ifPresent(
              missing ->
                  phases.note(
                      ("copies and images lose %s, since this user may not set it; a recovery that"
                              + " checks it may fail")
                          .formatted(missing)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void setUp(SetupSection setup, ExecutionDirectories places) {
    CommandSpec command = commands.setup(setup, places);
    try (Supervisors.Loan loan = supervisors.borrow()) {
      CommandOutcome outcome =
          CommandOutcome.of(
              loan.supervisor(), command, commands.server(setup, places), Success.EXIT_ZERO);
      require("setup", outcome);
    }
  }

  private CommandOutcome run(CommandSpec command) {
    try (Supervisors.Loan loan = supervisors.borrow()) {
      return CommandOutcome.of(loan.supervisor(), command, Optional.empty(), Success.EXIT_ZERO);
    }
  }

  private void require(String section, CommandOutcome outcome) {
    resources.checkInterrupted();
    if (outcome.problem().isPresent()) {
      throw PowercutException.notTrustworthy(
          "the campaign's %s failed: %s"
              .formatted(section, explain(outcome, section, outcome.problem().get(), List.of())));
    }
  }

  /**
   * How a command ended, its stack, the first and the last of what it printed, and a server's
   * client if that failed, and what to do.
   *
   * @param section of the campaign that it is in
   * @param ending how it ended, in words, without a full stop
   * @param stack where it died, a line for each frame; empty when that is not known
   */
  public static String explain(
      CommandOutcome outcome, String section, String ending, List<String> stack) {
    CommandResult result = outcome.result();
    String printed =
        printed("It", result)
            + outcome
                .other()
                .filter(one -> !one.result().outputTail().isBlank())
                .map(one -> "\n" + printed(one.name(), one.result()))
                .orElse("");
    String remedy =
        Remedies.ofRecorder(result.outputTail())
            .orElse(
                outcome.isServerProblem()
                    ? Remedies.ofServer(result.ending(), section)
                    : Remedies.of(result.ending(), section));
    return ending
        + (stack.isEmpty() ? ". " : ", here:\n  " + String.join("\n  ", stack) + "\n")
        + printed
        + (remedy.isEmpty() ? "" : (printed.endsWith(NOTHING) ? " " : "\n") + remedy);
  }

  private static String printed(String who, CommandResult result) {
    List<String> lines =
        result
            .outputTail()
            .lines()
            .filter(line -> !VALGRIND_STACK.matcher(line).matches())
            .toList();
    // Of more than the last 16 KiB, the first lines are not known.
    int first = result.outputBytes() > CommandResult.TAIL_BYTES ? 0 : FIRST_LINES_SHOWN;
    List<String> shown = Text.ends(lines, first, LAST_LINES_SHOWN);
    return who + " printed" + (lines.isEmpty() ? NOTHING : ":\n  " + String.join("\n  ", shown));
  }
}
