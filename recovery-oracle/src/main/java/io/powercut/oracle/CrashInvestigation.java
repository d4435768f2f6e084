package io.powercut.oracle;

import io.powercut.oracle.server.ServerPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.PowercutHome;
import io.powercut.process.Signal;
import io.powercut.process.SpaceGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Repeats a crash to learn its stack: recovery is asked once more on a fresh copy, with the step
 * that crashed running under {@code powercut-catch}, which follows everything that the step starts
 * and hands the process that is about to die to gdb. Nothing of the machine is changed for it, in
 * particular not {@code core_pattern}.
 *
 * @param asking how recovery is asked; its output directory takes the evidence
 * @param settings which gdb, and its bounds
 */
record CrashInvestigation(Asking asking, OracleSettings settings) {
  /** What gdb's own memory may add to the step's limit. */
  private static final DataSize DEBUGGER_MEMORY = DataSize.ofGibibytes(1);

  private static final Pattern ADDRESS =
      Pattern.compile("^address (0x[0-9a-f]+)$", Pattern.MULTILINE);
  private static final int LONGEST_TEXT = 256 << 10;

  /**
   * Looks for a crash by this signal in the step with this number.
   *
   * @return the stack, or nothing if no process was ended by the signal
   */
  Optional<CrashStack> investigate(ImageCopies copies, int step, Signal signal) {
    Path directory = asking.outputDirectory().resolve("crash");
    try {
      Files.createDirectories(directory);
      asking.ask(
          copies, (index, each) -> index == step ? underCatcher(each, signal, directory) : each);
      return Files.exists(directory.resolve("crash"))
          ? Optional.of(readStack(directory))
          : Optional.empty();
    } catch (IOException | IllegalStateException e) {
      return Optional.of(CrashStack.missing("looking for the stack failed: " + e.getMessage()));
    }
  }

  private RecoveryStep underCatcher(RecoveryStep step, Signal signal, Path directory) {
    List<String> arguments = new ArrayList<>();
    arguments.add(PowercutHome.nativeProgram("powercut-catch").toString());
    arguments.add(Integer.toString(signal.number()));
    arguments.add(directory.toAbsolutePath().toString());
    arguments.add(settings.debugger());
    arguments.addAll(step.command().arguments());
    CommandSpec.Builder command =
        step.command().toBuilder()
            .arguments(arguments)
            .timeLimit(step.command().timeLimit().plus(settings.debuggerLimit()))
            .spaceGuard(SpaceGuard.atMost(directory, settings.coreLimit()));
    step.command()
        .memoryLimit()
        .ifPresent(
            limit -> command.memoryLimit(new DataSize(limit.bytes() + DEBUGGER_MEMORY.bytes())));
    Optional<ServerPlan> server =
        step.server().map(plan -> plan.withDeathNotice(settings.debuggerLimit()));
    return new RecoveryStep(step.name(), command.build(), step.success(), server, step.check());
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
        frames.isEmpty() ? Optional.of(whyNoFrames(text)) : Optional.empty());
  }

  private static String whyNoFrames(String text) {
    Matcher noDebugger = Pattern.compile("NO DEBUGGER (.*)").matcher(text);
    return noDebugger.find()
        ? "gdb could not be started to print the stack: " + noDebugger.group(1)
        : "gdb printed no stack, see crash/stack in the evidence";
  }

  private static String read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
  }
}
