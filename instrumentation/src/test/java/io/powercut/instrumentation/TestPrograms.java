package io.powercut.instrumentation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Small C programs for tests. */
public final class TestPrograms {
  private TestPrograms() {}

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
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + " failed: " + output);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return output;
  }
}
