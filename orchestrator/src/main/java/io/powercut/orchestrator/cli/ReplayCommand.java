package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.campaign.CampaignException;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.report.JudgedState;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.SecondCut;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.orchestrator.results.RunDirectory;
import io.powercut.orchestrator.results.SecondFinding;
import io.powercut.orchestrator.results.WrongUsageException;
import io.powercut.orchestrator.run.DebuggerChoice;
import io.powercut.orchestrator.run.Replay;
import io.powercut.tree.FailurePoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.commons.io.file.PathUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut replay}. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the target again to one failure point, keeps the crash image, and runs recovery on it.",
      "",
      "  powercut replay powercut-runs/my-program/latest",
      "  powercut replay powercut-runs/my-program/latest 0123ab --keep image",
      "  powercut replay powercut-runs/my-program/latest 0123ab --state 4567cd",
      "  powercut replay powercut-runs/my-program/latest 0123ab --second 89abcd",
      "  powercut replay powercut-runs/my-program/latest 0123ab --gdb recovery",
      "",
      "It exits as a run with that one failure point would."
    })
final class ReplayCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "A run directory such as powercut-runs/NAME/latest.")
  private Path run = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ID",
      description =
          "The failure point; its first digits will do. Default: that of the first finding.")
  private Optional<String> id = Optional.empty();

  @Option(
      names = "--visit",
      paramLabel = "N",
      description =
          "At which visit of the failure point, from 1. Default: that of the run's verdict")
  private Optional<Long> visit = Optional.empty();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = {
        "The crash state beyond program order; its first digits will do. Default: that of the"
            + " finding, if it is about one"
      })
  private Optional<String> state = Optional.empty();

  @Option(
      names = "--second",
      paramLabel = "ID2",
      description = {
        "The failure point of recovery itself at which the power is cut again; its first digits will"
            + " do. Default: that of the finding, if it is about one"
      })
  private Optional<String> second = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Where the crash image is kept. Default: RUN/replay/ID")
  private Optional<Path> keep = Optional.empty();

  @Option(
      names = "--gdb",
      paramLabel = "recovery|target",
      description = {
        "Opens gdb: in the recovery, on the image; or in the target, which stands in front of the"
            + " instruction of the failure point (gdb then talks to Valgrind)."
      })
  private DebuggerChoice gdb = DebuggerChoice.NONE;

  @Override
  public Integer call() throws CampaignException, IOException {
    RunDirectory directory = RunDirectory.open(run);
    Replay replay = new Replay(directory.campaign(), directory, ProgressChoice.choose());
    FailurePoint point = replay.choose(id);
    Path image = imageDirectory(directory, point);
    System.out.println("power cut in front of " + point.instruction().label() + ":");
    print(Replay.frames(point));
    Optional<Judgement> beyond = chooseState(replay, point);
    beyond.flatMap(Judgement::state).ifPresent(ReplayCommand::tell);
    Optional<SecondFinding> again =
        beyond.isPresent() ? Optional.empty() : chooseSecond(replay, point);
    again.map(SecondFinding::cut).ifPresent(ReplayCommand::tell);
    Optional<Replay.Outcome> outcome =
        again.isPresent()
            ? replay.replaySecond(again.get(), image, gdb)
            : beyond.isPresent()
                ? replay.replayState(beyond.get(), image, gdb)
                : replay.replay(point, visit, image, gdb);
    if (gdb != DebuggerChoice.NONE) {
      return ExitCode.NOTHING_NEW.code();
    }
    if (outcome.isEmpty()) {
      System.out.println(
          "verdict  inconclusive: the failure point%s was not reached again"
              .formatted(
                  beyond.isPresent()
                      ? " with this state"
                      : again.isPresent() ? " in recovery" : ""));
      return ExitCode.INCOMPLETE.code();
    }
    return show(outcome.get());
  }

  /** A visit that is asked for, or the target in a debugger, is about program order. */
  private Optional<Judgement> chooseState(Replay replay, FailurePoint point) {
    if (state.isPresent() && (visit.isPresent() || gdb == DebuggerChoice.TARGET)) {
      throw new WrongUsageException(
          "--state names a state of one visit, rebuilt from a trace; it goes with neither --visit"
              + " nor --gdb target.");
    }
    return visit.isPresent() || gdb == DebuggerChoice.TARGET || second.isPresent()
        ? Optional.empty()
        : replay.chooseState(point, state);
  }

  private Optional<SecondFinding> chooseSecond(Replay replay, FailurePoint point) {
    if (second.isPresent()
        && (visit.isPresent() || state.isPresent() || gdb == DebuggerChoice.TARGET)) {
      throw new WrongUsageException(
          "--second names a cut in recovery on the image of a finding; it goes with neither --visit"
              + " nor --state nor --gdb target.");
    }
    return visit.isPresent() || gdb == DebuggerChoice.TARGET
        ? Optional.empty()
        : replay.chooseSecond(point, second);
  }

  private static void tell(SecondCut cut) {
    System.out.println(
        "power cut again, in step %s of recovery, in front of %s:"
            .formatted(cut.step(), cut.instruction()));
    print(cut.stack());
  }

  private static void tell(JudgedState state) {
    System.out.println("state    " + state.id() + ": " + state.remedy());
    JudgedState.Shown shown = state.shown();
    shown.lost().forEach(store -> tell("lost:", store));
    shown.arrived().forEach(store -> tell("persisted before it:", store));
    if (shown.more() > 0) {
      System.out.println("and %d more of them, in the run's report.json".formatted(shown.more()));
    }
  }

  private static void tell(String what, JudgedState.Store store) {
    System.out.println(what);
    print(store.store().stack());
  }

  private Path imageDirectory(RunDirectory directory, FailurePoint point) throws IOException {
    if (keep.isPresent()) {
      EmptyDirectory.require("--keep", keep.get());
      return keep.get();
    }
    Path image = directory.path().resolve("replay").resolve(point.id().toString());
    if (Files.exists(image)) {
      PathUtils.deleteDirectory(image);
    }
    return Files.createDirectories(image);
  }

  private static int show(Replay.Outcome outcome) {
    Judgement judgement = outcome.judgement();
    System.out.println(
        "verdict  " + judgement.kind().name().toLowerCase(Locale.ROOT) + ": " + judgement.seen());
    if (!judgement.recoveryStack().isEmpty()) {
      System.out.println("recovery crashed:");
      print(judgement.recoveryStack());
    }
    judgement.output().lines().forEach(line -> System.out.println("recovery said: " + line));
    System.out.println("image    " + outcome.image());
    return switch (judgement.kind()) {
      case CONSISTENT -> ExitCode.NOTHING_NEW.code();
      case UNRECOVERABLE, CRASHED, HUNG -> ExitCode.NEW_BUGS.code();
      case INCONCLUSIVE -> ExitCode.INCOMPLETE.code();
    };
  }

  private static void print(List<StackFrame> stack) {
    stack.forEach(frame -> System.out.println("  " + frame.text()));
  }
}
