// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.exit.FileProblem;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.process.PowercutHome;
import io.powercut.process.Signal;
import io.powercut.process.SpaceGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Repeats a crash or a hang to learn its stack: recovery runs once more on a fresh copy, with the
 * step that crashed or hung running under {@code powercut-catch}, which follows everything that the
 * step starts and hands the process that is about to die, or that does not end, to gdb. Nothing of
 * the machine is changed for it, in particular not {@code core_pattern}.
 *
 * @param asking how recovery runs; its output directory takes the evidence
 * @param settings which gdb, and its bounds
 */
record Catcher(Asking asking, OracleSettings settings) {
  /** What gdb's own memory may add to the step's limit. */
  private static final DataSize DEBUGGER_MEMORY = DataSize.ofGibibytes(1);

  private static final Pattern ADDRESS =
      Pattern.compile("^address (0x[0-9a-f]+)$", Pattern.MULTILINE);
  private static final Pattern ITS_OWN_TROUBLE =
      Pattern.compile("^powercut-catch: (.*)$", Pattern.MULTILINE);

  private static final int LONGEST_TEXT = 256 << 10;

  /**
   * What was seen of a hang.
   *
   * @param stack of the process that did not end; nothing if recovery ended
   * @param limit the time it had
   * @param answer what recovery said; means nothing if it hung
   */
  record Hang(Optional<CrashStack> stack, Duration limit, Asking.Answer answer) {
    /** How the tool that was to look was lost, if it was. */
    Optional<String> lost() {
      return lossOf(answer);
    }

    /** Why there is no stack although recovery hangs without a tracer. */
    CrashStack notSeen() {
      String said =
          answer.steps().isEmpty()
              ? ""
              : answer.steps().get(answer.steps().size() - 1).outputTail();
      Matcher trouble = ITS_OWN_TROUBLE.matcher(said);
      return CrashStack.missing(
          trouble.find()
              ? "the stack could not be captured: " + trouble.group(1)
              : "it did not hang again when its stack was captured");
    }
  }

  /**
   * What was seen of a crash.
   *
   * @param stack of the process that the signal ended; nothing if there was none
   * @param answer what recovery said
   */
  record Crash(Optional<CrashStack> stack, Asking.Answer answer) {
    /**
     * How the tool that was to look was lost, if it was: then nothing that it did not see is known.
     */
    Optional<String> lost() {
      return lossOf(answer);
    }
  }

  /** How a tool that looked was lost before it could say what it saw. */
  private static Optional<String> lossOf(Asking.Answer answer) {
    if (answer.steps().isEmpty()) {
      return Optional.of(answer.verdict().describe());
    }
    Ending ending = answer.steps().get(answer.steps().size() - 1).ending();
    boolean isLost =
        ending.match(
            exited -> false,
            signalled -> signalled.signal().equals(Signal.KILL),
            timedOut -> false,
            aborted ->
                switch (aborted.cause()) {
                  case SUPERVISOR_LOST, NOT_STARTED -> true;
                  case MEMORY, SPACE, STOPPED, STRAYED -> false;
                });
    return isLost ? Optional.of(ending.describe()) : Optional.empty();
  }

  /** Looks for a crash by this signal in the step with this number. */
  Crash crash(ImageCopies copies, int step, Signal signal) {
    try {
      Path directory = newDirectory("crash");
      Asking.Answer answer =
          asking.ask(
              copies,
              (index, each) ->
                  index == step
                      ? underCatcher(
                          each,
                          Integer.toString(signal.number()),
                          directory,
                          plan -> plan.withDeathNotice(settings.debuggerLimit()))
                      : each);
      return new Crash(
          Files.exists(directory.resolve("crash"))
              ? Optional.of(readStack(directory))
              : Optional.empty(),
          answer);
    } catch (IOException | IllegalStateException e) {
      return new Crash(
          Optional.empty(),
          new Asking.Answer(
              new Verdict.Inconclusive("capturing the stack failed: " + e.getMessage()),
              List.of()));
    }
  }

  /**
   * Looks whether the step with this number hangs.
   *
   * @param limits sets the time limits of all steps
   */
  Hang hang(ImageCopies copies, int step, StepAdaptation limits) {
    try {
      Path directory = newDirectory("hang");
      HangCatching catching = new HangCatching(step, limits, directory);
      Asking.Answer answer = asking.ask(copies, catching);
      return new Hang(
          Files.exists(directory.resolve("hang"))
              ? Optional.of(readStack(directory))
              : Optional.empty(),
          catching.limit,
          answer);
    } catch (IOException e) {
      return new Hang(
          Optional.empty(),
          Duration.ZERO,
          new Asking.Answer(
              new Verdict.Inconclusive("there is no room for a stack: " + FileProblem.of(e).text()),
              List.of()));
    }
  }

  /** Puts one step under the catcher, and remembers how much time that had. */
  private final class HangCatching implements StepAdaptation {
    private final int step;
    private final StepAdaptation limits;
    private final Path directory;
    private Duration limit = Duration.ZERO;

    HangCatching(int step, StepAdaptation limits, Path directory) {
      this.step = step;
      this.limits = limits;
      this.directory = directory;
    }

    @Override
    public RecoveryStep adapt(int index, RecoveryStep each) {
      RecoveryStep limited = limits.adapt(index, each);
      if (index != step) {
        return limited;
      }
      limit = limited.server().map(ServerPlan::readyLimit).orElse(limited.command().timeLimit());
      return underHangCatcher(limited, directory);
    }
  }

  /** A new, empty directory in place of one from an earlier look. */
  private Path newDirectory(String name) throws IOException {
    Path directory = asking.outputDirectory().resolve(name);
    Files.createDirectories(directory);
    for (String file : List.of(name, "maps", "stack", "core")) {
      Files.deleteIfExists(directory.resolve(file));
    }
    return directory;
  }

  /** A command is looked at when its time is over, a server when it is about to be killed. */
  private RecoveryStep underHangCatcher(RecoveryStep step, Path directory) {
    // That it had its processor time is known: here it is enough to see where it spends it.
    Duration wait = step.command().cpuLimit().orElse(step.command().timeLimit());
    return underCatcher(
        step,
        "hang=" + Math.max(1, wait.toMillis()),
        directory,
        plan -> plan.withLastLook(Optional.of(settings.debuggerLimit())));
  }

  private RecoveryStep underCatcher(
      RecoveryStep step, String what, Path directory, UnaryOperator<ServerPlan> server) {
    List<String> arguments = new ArrayList<>();
    arguments.add(PowercutHome.nativeProgram("powercut-catch").toString());
    arguments.add(what);
    arguments.add(directory.toAbsolutePath().toString());
    arguments.add(settings.debugger());
    arguments.addAll(step.command().arguments());
    Duration limit = step.command().timeLimit().plus(settings.debuggerLimit());
    CommandSpec.Builder command =
        step.command().toBuilder()
            .arguments(arguments)
            .timeLimit(limit)
            .withoutCpuLimit()
            .spaceGuard(SpaceGuard.atMost(directory, settings.coreLimit()));
    step.command()
        .memoryLimit()
        .ifPresent(
            bound -> command.memoryLimit(new DataSize(bound.bytes() + DEBUGGER_MEMORY.bytes())));
    return new RecoveryStep(
        step.name(), command.build(), step.success(), step.server().map(server), step.check());
  }

  private static CrashStack readStack(Path directory) throws IOException {
    String text = read(directory.resolve("stack"));
    List<CrashFrame> frames =
        GdbOutput.frames(text, new MemoryMaps(read(directory.resolve("maps"))));
    Matcher address = ADDRESS.matcher(read(directory.resolve("crash")));
    Path core = directory.resolve("core");
    return new CrashStack(
        frames,
        address.find() ? Optional.of(address.group(1)) : Optional.empty(),
        text,
        Files.exists(core) ? Optional.of(core) : Optional.empty(),
        frames.isEmpty() ? Optional.of(whyNoFrames(text, directory)) : Optional.empty());
  }

  private static String whyNoFrames(String text, Path directory) {
    Matcher noDebugger = Pattern.compile("NO DEBUGGER (.*)").matcher(text);
    return noDebugger.find()
        ? "gdb could not be started to print the stack: " + noDebugger.group(1)
        : "gdb printed no stack, see " + directory.getFileName() + "/stack in the evidence";
  }

  private static String read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
  }
}
