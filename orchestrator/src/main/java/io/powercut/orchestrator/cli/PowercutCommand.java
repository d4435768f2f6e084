// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.manual.CompletionCommand;
import io.powercut.orchestrator.cli.manual.ManCommand;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.cli.recording.JudgeCommand;
import io.powercut.process.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;

/** The command line as a whole; each sub-command has its own class. */
@Command(
    name = "powercut",
    versionProvider = PowercutCommand.Versions.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Finds crash-consistency bugs in programs that use persistent memory. It simulates a power failure"
          + " at every failure point, and the program's own recovery judges each crash image.",
      "",
      "A first campaign:",
      "  powercut init my-program --program ./my-program",
      "  powercut run my-program.yaml",
      "  powercut replay powercut-runs/my-program/latest"
    })
public final class PowercutCommand {
  /** What picocli needs for its two columns. */
  private static final int LEAST_HELP = 55;

  private static final int MOST_HELP = 100;

  /** In the order of {@code --help}. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          RunCommand.class,
          SweepCommand.class,
          HistoryCommand.class,
          ReplayCommand.class,
          ReportCommand.class,
          DiffCommand.class,
          AcceptCommand.class,
          RecordCommand.class,
          JudgeCommand.class,
          MergeCommand.class,
          TreeCommand.class,
          RacesCommand.class,
          CoverageCommand.class,
          VerifyCommand.class,
          StrengthCommand.class,
          InitCommand.class,
          SchemaCommand.class,
          DoctorCommand.class,
          CompletionCommand.class,
          ManCommand.class,
          CommandLine.HelpCommand.class);

  /** These print what they know of all others. */
  private static final Set<Class<?>> NEED_ALL =
      Set.of(CompletionCommand.class, ManCommand.class, CommandLine.HelpCommand.class);

  private PowercutCommand() {}

  /** What {@code --version} prints. */
  static final class Versions implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"powercut " + Version.current()};
    }
  }

  /**
   * Runs one command line.
   *
   * @param arguments without the name of the program
   * @return the exit code, 0 to 4
   */
  public static int execute(String... arguments) {
    CommandLine commandLine = new CommandLine(new PowercutCommand());
    addCommands(commandLine, arguments);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setExecutionExceptionHandler(new UserErrors());
    commandLine.setParameterExceptionHandler(new UsageErrors());
    commandLine.setUsageHelpWidth(
        Math.max(LEAST_HELP, Math.min(MOST_HELP, Screen.output().width())));
    for (CommandLine command : withSubcommands(commandLine)) {
      command.getCommandSpec().exitCodeOnInvalidInput(ExitCode.WRONG_USAGE.code());
      command.getCommandSpec().exitCodeOnExecutionException(ExitCode.NOT_TRUSTWORTHY.code());
      command.getCommandSpec().usageMessage().exitCodeListHeading("%nExit codes:%n");
      command.getCommandSpec().usageMessage().exitCodeList(ExitCode.forHelp());
    }
    if (arguments.length == 0) {
      commandLine.usage(System.err);
      return ExitCode.WRONG_USAGE.code();
    }
    try {
      return commandLine.execute(arguments);
    } catch (Error e) {
      // The command line's own handler takes exceptions only, and the JVM would end with 1.
      return UserErrors.show(e);
    }
  }

  /**
   * Adds the sub-commands. One that this command line cannot use is known by name and description
   * only: to read the options of all is a third of the time of {@code --help}.
   */
  private static void addCommands(CommandLine commandLine, String... arguments) {
    String first = arguments.length == 0 ? "--help" : arguments[0];
    boolean all = NEED_ALL.stream().anyMatch(command -> nameOf(command).equals(first));
    for (Class<?> command : COMMANDS) {
      String name = nameOf(command);
      commandLine.addSubcommand(
          name,
          all || name.equals(first) ? new CommandLine(command) : new CommandLine(outline(command)));
    }
  }

  private static CommandSpec outline(Class<?> command) {
    CommandSpec outline = CommandSpec.create();
    outline.usageMessage().header(annotation(command).header());
    outline.usageMessage().description(annotation(command).description());
    return outline;
  }

  private static String nameOf(Class<?> command) {
    return annotation(command).name();
  }

  private static Command annotation(Class<?> command) {
    return Objects.requireNonNull(
        command.getAnnotation(Command.class), () -> command + " is no command");
  }

  private static List<CommandLine> withSubcommands(CommandLine commandLine) {
    List<CommandLine> all = new ArrayList<>();
    all.add(commandLine);
    all.addAll(commandLine.getSubcommands().values());
    return all;
  }
}
