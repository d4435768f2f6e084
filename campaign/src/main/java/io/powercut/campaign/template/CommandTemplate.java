// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.template;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A command with placeholders: the program and its arguments, not a line for a shell.
 *
 * @param arguments at least one, of which the first is the program and not empty
 */
public record CommandTemplate(List<TextTemplate> arguments) {
  public CommandTemplate {
    arguments = List.copyOf(requireNonNull(arguments, "arguments is null"));
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException(
          "is empty; write the program and its arguments, for example [./app, \"{pm}/pool\"]");
    }
    if (arguments.get(0).text().isEmpty()) {
      throw new IllegalArgumentException("names no program: its first argument is empty");
    }
  }

  /** A command of these templates. */
  public static CommandTemplate of(String... arguments) {
    return new CommandTemplate(List.of(arguments).stream().map(TextTemplate::new).toList());
  }

  /** The names of the placeholders in it, in order. */
  public Set<String> placeholders() {
    Set<String> names = new LinkedHashSet<>();
    arguments.forEach(argument -> names.addAll(argument.placeholders()));
    return names;
  }

  /**
   * The program and its arguments with every placeholder replaced.
   *
   * @throws IllegalArgumentException if one has no value
   */
  public List<String> expand(Placeholders values) {
    return arguments.stream().map(argument -> argument.expand(values)).toList();
  }
}
