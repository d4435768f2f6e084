// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.exit.PowercutException;
import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at the target's program before it is handed to the recorder, since a program that cannot be
 * started would look like a recorder that fails.
 */
public final class TargetProgram {
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final int ELF_CLASS = 4;
  private static final byte CLASS_64 = 2;
  private static final byte[] INTERPRETER = {'#', '!'};

  /** As a shell line may begin. */
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*=");

  private TargetProgram() {}

  /**
   * Makes sure that a command's program can be started and recorded.
   *
   * @throws PowercutException if it cannot; the message says why and what to do
   */
  static void require(CommandSpec command) {
    Path program = path(command);
    if (!Files.exists(program)) {
      throw cannotStart(
          program,
          "No such file",
          ofMissing(command.arguments(), "Build it, or fix the path in target.command."));
    }
    if (Files.isDirectory(program)) {
      throw cannotStart(program, "it is a directory", "Name a program in target.command.");
    }
    if (!Files.isExecutable(program)) {
      throw cannotStart(program, "Permission denied", "Remedy: chmod +x " + program);
    }
    requireKnownFormat(program);
  }

  private static String ofMissing(List<String> arguments, String otherwise) {
    String name = arguments.get(0);
    if (VARIABLE.matcher(name).lookingAt()) {
      return "To set a variable, run the program by env: [env, %s, ...].".formatted(name);
    }
    return arguments.size() == 1 && name.contains(" ")
        ? "A command is a list, not a shell line: write each argument as an element of its own."
        : otherwise;
  }

  /**
   * Where a command's program is, if it is there.
   *
   * @throws PowercutException if no folder of PATH has it
   */
  public static Path path(CommandSpec command) {
    String name = command.arguments().get(0);
    return name.contains("/") ? command.workingDirectory().resolve(name) : onPath(command, name);
  }

  private static Path onPath(CommandSpec command, String name) {
    String path = command.environment().getOrDefault("PATH", System.getenv("PATH"));
    Optional<Path> found =
        Stream.ofNullable(path)
            .flatMap(folders -> Arrays.stream(folders.split(":", -1)))
            .map(folder -> command.workingDirectory().resolve(folder).resolve(name))
            .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
            .findFirst();
    return found.orElseThrow(
        () ->
            cannotStart(
                Path.of(name),
                "no folder of PATH has it",
                ofMissing(
                    command.arguments(),
                    "Install it, or write its path with a '/' in target.command.")));
  }

  private static void requireKnownFormat(Path program) {
    byte[] head;
    try (InputStream input = Files.newInputStream(program)) {
      head = input.readNBytes(ELF_CLASS + 1);
    } catch (IOException e) {
      throw cannotStart(program, e.toString(), "Make it readable: the recorder reads it.");
    }
    if (startsWith(head, ELF)) {
      if (head.length > ELF_CLASS && head[ELF_CLASS] != CLASS_64) {
        throw cannotStart(
            program,
            "it is a 32-bit program",
            "Build it for x86-64: the recorder supports no other.");
      }
    } else if (!startsWith(head, INTERPRETER)) {
      throw cannotStart(
          program,
          "it is neither an ELF program nor a script",
          "A script begins with a line such as \"#!/bin/sh\".");
    }
  }

  private static boolean startsWith(byte[] head, byte[] beginning) {
    return head.length >= beginning.length
        && Arrays.equals(head, 0, beginning.length, beginning, 0, beginning.length);
  }

  private static PowercutException cannotStart(Path program, String why, String remedy) {
    return PowercutException.notTrustworthy(
        "the target cannot be started: %s: %s. %s".formatted(program, why, remedy));
  }
}
