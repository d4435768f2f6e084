// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.manual;

import io.powercut.exit.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of one command, in the language of man. */
final class ManPage {
  private final CommandLine command;
  private final CommandSpec spec;
  private final List<String> lines = new ArrayList<>();

  private ManPage(CommandLine command) {
    this.command = command;
    this.spec = command.getCommandSpec();
  }

  /** The page of a command. */
  static String of(CommandLine command) {
    ManPage page = new ManPage(command);
    page.write();
    return String.join("\n", page.lines) + "\n";
  }

  private void write() {
    String name = spec.qualifiedName("-");
    lines.add(".TH \"" + name.toUpperCase(Locale.ROOT) + "\" 1");
    lines.add(".SH NAME");
    lines.add(text(name) + " \\- " + text(firstSentence(spec.usageMessage().description())));
    lines.add(".SH SYNOPSIS");
    lines.add(text(command.getHelp().synopsis(0).strip().replaceAll("\\s+", " ")));
    lines.add(".SH DESCRIPTION");
    for (String line : spec.usageMessage().description()) {
      describe(plain(line));
    }
    if (!spec.positionalParameters().isEmpty()) {
      lines.add(".SH PARAMETERS");
      for (PositionalParamSpec parameter : spec.positionalParameters()) {
        entry(parameter.paramLabel(), described(parameter));
      }
    }
    lines.add(".SH OPTIONS");
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        String value = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
        entry(String.join(", ", option.names()) + value, described(option));
      }
    }
    if (!command.getSubcommands().isEmpty()) {
      lines.add(".SH COMMANDS");
      for (Map.Entry<String, CommandLine> one : command.getSubcommands().entrySet()) {
        entry(
            one.getKey(),
            firstSentence(one.getValue().getCommandSpec().usageMessage().description()));
      }
    }
    lines.add(".SH EXIT STATUS");
    ExitCode.forHelp().forEach(this::entry);
  }

  private void describe(String line) {
    if (line.isBlank()) {
      lines.add(".PP");
    } else if (line.startsWith(" ")) {
      lines.add(".nf");
      lines.add(text(line));
      lines.add(".fi");
    } else {
      lines.add(text(line));
    }
  }

  private void entry(String title, String description) {
    lines.add(".TP");
    lines.add("\\fB" + text(title) + "\\fR");
    lines.add(text(description));
  }

  private String described(OptionSpec option) {
    Help help = command.getHelp();
    return lastColumn(
        help.createDefaultOptionRenderer()
            .render(option, help.parameterLabelRenderer(), help.colorScheme()));
  }

  private String described(PositionalParamSpec parameter) {
    Help help = command.getHelp();
    return lastColumn(
        help.createDefaultParameterRenderer()
            .render(parameter, help.parameterLabelRenderer(), help.colorScheme()));
  }

  private static String lastColumn(Ansi.Text[][] rows) {
    return Arrays.stream(rows)
        .map(row -> row[row.length - 1].plainString().strip())
        .collect(Collectors.joining(" "));
  }

  private static String firstSentence(String[] description) {
    String first = description.length == 0 ? "" : plain(description[0]);
    int end = first.indexOf(". ");
    return end < 0 ? first.replaceFirst("\\.$", "") : first.substring(0, end);
  }

  /** Without picocli's mark-up, and with its doubled signs once. */
  private static String plain(String text) {
    return Ansi.OFF.string(text).replace("$$", "$").replace("%n", " ").replace("%%", "%");
  }

  /** As man takes it for text, whatever it begins with. */
  private static String text(String plain) {
    String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
