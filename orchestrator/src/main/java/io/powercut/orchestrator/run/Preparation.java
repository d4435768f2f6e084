package io.powercut.orchestrator.run;

import io.powercut.image.KeptAttributes;
import io.powercut.image.PrivateDirectory;
import io.powercut.orchestrator.campaign.BuildSection;
import io.powercut.orchestrator.campaign.SetupSection;
import io.powercut.orchestrator.results.NotTrustworthyException;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** Builds the target and makes the state from which every execution starts. */
final class Preparation {
  private static final int OUTPUT_LINES_SHOWN = 15;

  private final RunContext context;

  Preparation(RunContext context) {
    this.context = context;
  }

  /** Runs the campaign's build, if it has one. */
  void build() {
    if (context.campaign().build().isEmpty()) {
      return;
    }
    BuildSection build = context.campaign().build().get();
    context.progress().phase("building the target");
    context
        .timings()
        .measure("build", () -> require("build", run(context.commands().build(build))));
  }

  /**
   * Runs the campaign's set-up.
   *
   * @return the places whose PM directory holds the state after it; the caller closes them
   */
  Places setUp() {
    Places places = Places.in(context.area());
    try {
      if (context.campaign().setup().isPresent()) {
        SetupSection setup = context.campaign().setup().get();
        context.progress().phase("setting up");
        context
            .timings()
            .measure("setup", () -> require("setup", run(context.commands().setup(setup, places))));
        tellWhatIsNotKept(places.pm());
      }
      return places;
    } catch (RuntimeException e) {
      places.close();
      throw e;
    }
  }

  private void tellWhatIsNotKept(Path pm) {
    try (PrivateDirectory scratch = context.area().newDirectory()) {
      KeptAttributes.missing(pm, scratch.path())
          .ifPresent(
              missing ->
                  context
                      .progress()
                      .note(
                          "copies and images do not keep %s, which this user may not give: a recovery that looks at it may fail"
                              .formatted(missing)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CommandResult run(CommandSpec command) {
    try (Supervisors.Loan loan = context.supervisors().borrow()) {
      return loan.supervisor().run(command);
    }
  }

  private CommandResult require(String section, CommandResult result) {
    context.checkInterrupted();
    if (!result.isSuccess()) {
      throw new NotTrustworthyException(
          "the campaign's " + section + " failed: " + explain(result, section));
    }
    return result;
  }

  /**
   * How a command ended, the last of what it printed, and what to do.
   *
   * @param section of the campaign that it is in
   */
  static String explain(CommandResult result, String section) {
    List<String> lines = result.outputTail().lines().toList();
    List<String> last = lines.subList(Math.max(0, lines.size() - OUTPUT_LINES_SHOWN), lines.size());
    String remedy =
        Remedies.ofRecorder(result.outputTail()).orElse(Remedies.of(result.ending(), section));
    return result.ending().describe()
        + (last.isEmpty()
            ? ", and printed nothing."
            : ". It printed:\n  " + String.join("\n  ", last))
        + (remedy.isEmpty() ? "" : (last.isEmpty() ? " " : "\n") + remedy);
  }
}
