// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.replay.DebuggerChoice;
import io.powercut.orchestrator.replay.Replay;
import io.powercut.orchestrator.replay.ReplayRequest;
import io.powercut.orchestrator.replay.ReplayedCut;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut replay}. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the target again up to one failure point, keeps the crash image, and runs recovery on it.",
      "",
      "  powercut replay powercut-runs/my-program/latest",
      "  powercut replay powercut-runs/my-program/latest 0123ab --keep image",
      "  powercut replay powercut-runs/my-program/latest 0123ab --state 4567cd",
      "  powercut replay powercut-runs/my-program/latest 0123ab --recovery-crash 89abcd",
      "  powercut replay powercut-runs/my-program/latest 0123ab --gdb recovery",
      "",
      "The exit code is that of a run with this one failure point."
    })
final class ReplayCommand implements Callable<Integer> {
  private final Screen screen = Screen.output();

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
          "The failure point, or the fingerprint of a finding; its first digits are enough. Default:"
              + " the report's first finding.")
  private Optional<String> id = Optional.empty();

  @Option(
      names = "--occurrence",
      paramLabel = "N",
      description =
          "The occurrence of the failure point, from 1; can be combined with --state. Default: that"
              + " of the finding.")
  private Optional<Long> occurrence = Optional.empty();

  @Option(
      names = "--order",
      paramLabel = "N",
      description =
          "The order of threads: 0 for that of the recorded run, else one in which a writer was held"
              + " (docs/races.md). Default: that of the finding.")
  private Optional<Integer> order = Optional.empty();

  @Option(names = "--visit", hidden = true)
  private Optional<Long> visit = Optional.empty();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = {
        "The crash state beyond program order; its first digits are enough. With --recovery-crash,"
            + " that of the second power cut. Default: that of the finding, if it has one."
      })
  private Optional<String> state = Optional.empty();

  @Option(
      names = "--recovery-crash",
      paramLabel = "ID2[@N]",
      description = {
        "The failure point of recovery at which the power is cut again; its first digits are enough."
            + " @N stands for its occurrence N. Default: that of the finding, if it has one."
      })
  private Optional<String> recoveryCrash = Optional.empty();

  @Option(names = "--second", hidden = true)
  private Optional<String> second = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "The directory in which the crash image is kept. Default: RUN/replay/ID.")
  private Optional<Path> keep = Optional.empty();

  @Option(
      names = "--gdb",
      paramLabel = "recovery|target",
      completionCandidates = Debugged.class,
      description = {
        "Opens gdb: in the recovery, on the image; or in the target, stopped before the instruction"
            + " of the failure point at the finding's occurrence (gdb then talks to Valgrind)."
      })
  private DebuggerChoice gdb = DebuggerChoice.NONE;

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    occurrence = renamed("--visit", visit, "--occurrence", occurrence);
    recoveryCrash = renamed("--second", second, "--recovery-crash", recoveryCrash);
    requireOneKindOfCut();
    RunDirectory directory = RunDirectory.open(run);
    Replay replay = new Replay(directory.campaign(), directory, output.progress());
    ReplayedCut cut = replay.choose(new ReplayRequest(id, occurrence, order, state, recoveryCrash));
    Path image = imageDirectory(directory, cut.point());
    tell(cut);
    Optional<Replay.Outcome> outcome = replay.replay(cut, image, gdb);
    if (gdb != DebuggerChoice.NONE) {
      return ExitCode.NOTHING_NEW.code();
    }
    if (outcome.isEmpty()) {
      screen.print(
          "verdict  inconclusive: %s was not reached again%s"
              .formatted(cut.goal(), replay.doubt(cut).map(why -> ": " + why).orElse("")));
      return ExitCode.INCOMPLETE.code();
    }
    return show(outcome.get());
  }

  private void requireOneKindOfCut() {
    if (recoveryCrash.isPresent() && occurrence.isPresent()) {
      throw PowercutException.usage(
          "--recovery-crash selects a crash in recovery on the image of a finding; it cannot be"
              + " combined with --occurrence.");
    }
  }

  /** The value of an option that is also accepted by its former name. */
  private static <T> Optional<T> renamed(
      String formerName, Optional<T> former, String name, Optional<T> value) {
    if (former.isEmpty()) {
      return value;
    }
    if (value.isPresent()) {
      throw PowercutException.usage(
          formerName + " is the former name of " + name + "; give only " + name + ".");
    }
    Warnings.print(formerName + " is deprecated; the option is now called " + name);
    return former;
  }

  private void tell(ReplayedCut cut) {
    String occurrence =
        cut.occurrence().number() > 1 ? " at occurrence " + cut.occurrence().number() : "";
    if (cut.occurrence().isEnd()) {
      screen.print("power cut at the end of the run");
    } else {
      screen.print("power cut before " + cut.point().instruction().inWords() + occurrence + ":");
      print(Replay.frames(cut.point()));
    }
    cut.again().ifPresent(this::tell);
    cut.state().ifPresent(this::tell);
    cut.lostMetadata().ifPresent(this::tell);
    if (gdb == DebuggerChoice.TARGET) {
      tellWhatTheMemoryHolds(cut);
    }
  }

  /** The target is stopped in an execution that has lost nothing. */
  private void tellWhatTheMemoryHolds(ReplayedCut cut) {
    // A state of recovery says nothing of the target's memory.
    if (cut.state().isPresent() && cut.again().isEmpty()) {
      screen.print("the target's memory holds all stores; these lines differ in the state:");
      for (JudgedState.Line line : cut.state().get().lines()) {
        screen.print(
            "  %s, 64 bytes from 0x%x: %s".formatted(line.file(), line.offset(), line.content()));
      }
    }
    if (cut.again().isPresent()) {
      screen.print("the target is stopped at the first power cut; recovery has not started");
    }
  }

  private void tell(RecoveryCrash cut) {
    if (cut.isAtEnd()) {
      screen.print("power cut again, at the end of step %s of recovery".formatted(cut.step()));
      return;
    }
    screen.print(
        "power cut again, in step %s of recovery, before %s%s:"
            .formatted(
                cut.step(), Instruction.inWords(cut.instruction()), cut.occurrenceInWords()));
    print(cut.stack());
  }

  private void tell(JudgedState state) {
    screen.print("state    " + state.id() + ": " + state.remedy());
    JudgedState.Shown shown = state.shown();
    shown.lost().forEach(store -> tell("lost:", store));
    shown.arrived().forEach(store -> tell("persisted before it:", store));
    if (shown.more() > 0) {
      screen.print("and %d more of them, in the run's report.json".formatted(shown.more()));
    }
  }

  private void tell(LostMetadata lost) {
    screen.print("state    " + lost.id() + ": " + lost.remedy());
    for (MetadataCall call : lost.calls()) {
      screen.print("lost: " + call.named());
      print(call.stack());
    }
  }

  private void tell(String what, JudgedState.Store store) {
    screen.print(what);
    print(store.store().stack());
  }

  private Path imageDirectory(RunDirectory directory, FailurePoint point) throws IOException {
    if (keep.isPresent()) {
      EmptyDirectory.require("--keep", keep.get());
      return keep.get();
    }
    Path image = directory.path().resolve("replay").resolve(point.id().toString());
    Removal.remove(image);
    return Files.createDirectories(image);
  }

  private int show(Replay.Outcome outcome) {
    Judgement judgement = outcome.judgement();
    screen.print(
        "verdict  " + judgement.kind().name().toLowerCase(Locale.ROOT) + ": " + judgement.seen());
    if (!judgement.recoveryStack().isEmpty()) {
      screen.print(judgement.recoveryEnd() + ":");
      print(judgement.recoveryStack());
    }
    judgement.output().lines().forEach(line -> screen.print("recovery said: " + line));
    screen.print("image    " + outcome.image());
    return switch (judgement.kind()) {
      case CONSISTENT -> ExitCode.NOTHING_NEW.code();
      case UNRECOVERABLE, CRASHED, HUNG -> ExitCode.NEW_BUGS.code();
      case INCONCLUSIVE -> ExitCode.INCOMPLETE.code();
    };
  }

  private void print(List<StackFrame> stack) {
    stack.forEach(frame -> screen.print("  " + frame.text()));
  }

  /** What a shell offers for {@code --gdb}: the values as the help spells them. */
  static final class Debugged extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Debugged() {
      super(List.of("recovery", "target"));
    }
  }
}
