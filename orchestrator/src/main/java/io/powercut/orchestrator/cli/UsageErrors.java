// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.binding.Suggestions;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.Screen;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Shows what is wrong with a command line, what may have been meant, and where the help is. */
final class UsageErrors implements IParameterExceptionHandler {
  /** As picocli says that a value is none of an enum. */
  private static final Pattern CHOICE =
      Pattern.compile(
          "expected one of \\[(?<values>[^]]*)] \\(case-(in)?sensitive\\) but was '(?<given>[^']*)'");

  private static final Pattern NO_NUMBER = Pattern.compile("' is not an? (int|long)$");

  @Override
  public int handleParseException(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    Screen screen = Screen.errors();
    screen.print("powercut: " + message(wrong, command));
    screen.print("usage: " + command.getHelp().synopsis(0).strip().replaceAll("\\s+", " "));
    screen.print(
        "help: powercut " + (isRoot(command) ? "" : command.getCommandName() + " ") + "--help");
    return ExitCode.WRONG_USAGE.code();
  }

  private static String message(ParameterException wrong, CommandLine command) {
    List<String> unmatched =
        wrong instanceof UnmatchedArgumentException unknown ? unknown.getUnmatched() : List.of();
    if (unmatched.isEmpty()) {
      return ofValue(wrong);
    }
    String word = unmatched.get(0);
    if (word.startsWith("-")) {
      String name = word.replaceFirst("=.*", "");
      return "Unknown option '%s'%s".formatted(name, meant(name, options(command)));
    }
    return isRoot(command)
        ? "there is no command '%s'%s"
            .formatted(word, meant(word, command.getSubcommands().keySet()))
        : String.valueOf(wrong.getMessage());
  }

  /** What is wrong with a value, in the words and the spelling of the help. */
  private static String ofValue(ParameterException wrong) {
    String message = String.valueOf(wrong.getMessage());
    Matcher choice = CHOICE.matcher(message);
    if (choice.find()) {
      String label = wrong.getArgSpec() == null ? "" : wrong.getArgSpec().paramLabel();
      String values =
          label.contains("|")
              ? label.replace("|", ", ")
              : choice.group("values").toLowerCase(Locale.ROOT);
      return choice.replaceFirst(
          Matcher.quoteReplacement(
              "want one of %s, but it is '%s'".formatted(values, choice.group("given"))));
    }
    return NO_NUMBER.matcher(message).replaceFirst("' is not a whole number, or is too large");
  }

  private static List<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream().map(OptionSpec::longestName).toList();
  }

  /** What a word that nobody knows may have been meant for: a slip, or a beginning. */
  private static String meant(String word, Collection<String> known) {
    List<String> begun = new ArrayList<>();
    for (String one : new TreeSet<>(known)) {
      if (one.startsWith(word)) {
        begun.add(one);
      }
    }
    Optional<String> closest =
        begun.size() == 1 ? Optional.of(begun.get(0)) : Suggestions.closest(word, known);
    return closest.map(one -> ". Did you mean '" + one + "'?").orElse("");
  }

  private static boolean isRoot(CommandLine command) {
    return command.getParent() == null;
  }
}
