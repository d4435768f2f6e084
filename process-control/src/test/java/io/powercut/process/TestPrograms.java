// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Compiles what tests run, and looks for what is left of it. */
public final class TestPrograms {
  private TestPrograms() {}

  /**
   * Compiles a C source that is a resource beside the class, with debug information and without
   * optimisation.
   */
  public static Path compile(Class<?> beside, String resource, Path directory) {
    try (InputStream source = beside.getResourceAsStream("/" + resource)) {
      if (source == null) {
        throw new IllegalArgumentException("no resource " + resource);
      }
      Path file = directory.resolve(resource);
      Files.write(file, source.readAllBytes());
      Path program = directory.resolve(resource.replaceFirst("\\.c$", ""));
      output("gcc", "-g", "-O0", "-pthread", "-o", program.toString(), file.toString());
      return program;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles a source text to a program of the same name without its extension. */
  public static Path compile(Path folder, String name, String source, String... options)
      throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, source);
    return compile(folder, file, options);
  }

  /** Compiles a source file to a program in the folder. */
  public static Path compile(Path folder, Path source, String... options) throws IOException {
    String name = source.getFileName().toString();
    Path binary = folder.resolve(name.substring(0, name.lastIndexOf('.')));
    List<String> command = new ArrayList<>();
    command.addAll(List.of(name.endsWith(".c") ? "gcc" : "g++", "-g", "-O1", "-Wall", "-Werror"));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", binary.toString(), source.toString(), "-pthread"));
    output(command.toArray(String[]::new));
    return binary;
  }

  /** Runs a command that must succeed, and gives what it printed. */
  public static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + " failed: " + output);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return output;
  }

  /** Writes an executable file. */
  public static Path script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /** The processes, zombies left out, that have this variable in their environment. */
  public static List<Long> alive(String variable, String value) {
    List<Long> found = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      Path directory = Path.of("/proc/" + process.pid());
      try {
        String environment =
            Files.readString(
                directory.resolve("environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
        boolean marked = ("\0" + environment).contains("\0" + variable + "=" + value + "\0");
        if (marked && !Files.readString(directory.resolve("stat")).matches("(?s).*\\) Z .*")) {
          found.add(process.pid());
        }
      } catch (IOException e) {
        // It has ended meanwhile, or is not ours.
      }
    }
    return found;
  }

  /** A command that runs the program with a mark in its environment. */
  public static CommandSpec.Builder marked(String mark, Path program, String... arguments) {
    List<String> all = new ArrayList<>();
    all.add(program.toString());
    all.addAll(List.of(arguments));
    return CommandSpec.command(all)
        .environment("POWERCUT_TEST", mark)
        .timeLimit(Duration.ofSeconds(20));
  }

  /** What is alive of that. */
  public static List<Long> alive(String mark) {
    return alive("POWERCUT_TEST", mark);
  }
}
