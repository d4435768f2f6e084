// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.manual;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completion for fish, for which picocli has none. */
final class FishCompletion {
  private final String program;
  private final List<String> lines = new ArrayList<>();

  private FishCompletion(String program) {
    this.program = program;
  }

  /** The script for a command and all below it. */
  static String of(CommandLine all) {
    FishCompletion completion = new FishCompletion(all.getCommandName());
    completion.add(all);
    return String.join("\n", completion.lines) + "\n";
  }

  private void add(CommandLine all) {
    line("-f", Optional.empty());
    for (Map.Entry<String, CommandLine> one : all.getSubcommands().entrySet()) {
      line("-n __fish_use_subcommand -a " + one.getKey(), Optional.of(description(one.getValue())));
      String inside = "-n '__fish_seen_subcommand_from " + one.getKey() + "'";
      one.getValue().getCommandSpec().options().stream()
          .filter(option -> !option.hidden())
          .forEach(option -> add(inside, option));
      one.getValue().getCommandSpec().positionalParameters().stream()
          .map(PositionalParamSpec::completionCandidates)
          .filter(Objects::nonNull)
          .forEach(
              values -> line(inside + " -a '" + String.join(" ", values) + "'", Optional.empty()));
      if (takesFiles(one.getValue())) {
        line(inside + " -F", Optional.empty());
      }
    }
  }

  private void add(String inside, OptionSpec option) {
    StringBuilder names = new StringBuilder(inside);
    for (String name : option.names()) {
      names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      Iterable<String> values = option.completionCandidates();
      if (values != null) {
        names.append(" -a '").append(String.join(" ", values)).append("'");
      }
      names.append(
          option.type() == Path.class || option.auxiliaryTypes()[0] == Path.class
              ? " -r -F"
              : " -x");
    }
    line(names.toString(), Optional.of(firstLine(option.description())));
  }

  private static boolean takesFiles(CommandLine command) {
    return command.getCommandSpec().positionalParameters().stream()
        .map(PositionalParamSpec::auxiliaryTypes)
        .anyMatch(types -> types[0] == Path.class);
  }

  private static String description(CommandLine command) {
    return firstLine(command.getCommandSpec().usageMessage().description());
  }

  /** The first sentence. */
  private static String firstLine(String[] description) {
    String first = description.length == 0 ? "" : Ansi.OFF.string(description[0]);
    int end = first.indexOf(". ");
    return end < 0 ? first.replaceFirst("[.:]$", "") : first.substring(0, end);
  }

  private void line(String what, Optional<String> description) {
    lines.add(
        "complete -c "
            + program
            + " "
            + what
            + description
                .map(text -> " -d '" + text.replace("\\", "\\\\").replace("'", "\\'") + "'")
                .orElse(""));
  }
}
