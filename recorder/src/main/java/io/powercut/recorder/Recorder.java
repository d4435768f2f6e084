// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import io.powercut.exit.PowercutException;
import io.powercut.process.CommandSpec;
import io.powercut.process.PowercutHome;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts commands under the recorder, a Valgrind tool that writes down what a program does to its
 * persistent memory, and stops it on request.
 */
public final class Recorder {
  private static final String LIBRARY = "recorder/target/native/lib";
  private static final String TOOL = "powercut-amd64-linux";
  private static final String PROCESS_IDS = "powercut-pids";

  /** Says which process has the namespace of an execution. */
  private static final String NAMESPACE = "namespace";

  /** At a time. Valgrind takes 7 KiB of memory for each, whether it is there or not. */
  public static final int MOST_THREADS = 10_000;

  private final Path valgrind;
  private final Path library;

  private Recorder(Path valgrind, Path library) {
    this.valgrind = valgrind;
    this.library = library;
  }

  /**
   * The recorder of this Powercut, with the valgrind that was packaged with it, or else the one on
   * the PATH.
   *
   * @throws PowercutException when one of them is not there
   */
  public static Recorder find() {
    String path = System.getenv("PATH");
    return find(PowercutHome.find(), path == null ? "" : path);
  }

  static Recorder find(Path home, String path) {
    Path library = home.resolve(LIBRARY);
    for (Path program : List.of(library.resolve(TOOL), library.resolveSibling(PROCESS_IDS))) {
      if (!Files.isExecutable(program)) {
        throw PowercutException.notTrustworthy(
            program + " is missing. Build it with: make -C " + home.resolve("recorder/native"));
      }
    }
    Path valgrind =
        packaged(home, "valgrind")
            .or(() -> search(path))
            .orElseThrow(
                () ->
                    PowercutException.notTrustworthy(
                        "valgrind is not on the PATH ("
                            + path
                            + "). Install it with: apt-get install valgrind"));
    return new Recorder(valgrind, library);
  }

  /** A program of Valgrind, if it came with this Powercut, as it does in a package. */
  public static Optional<Path> packaged(Path home, String program) {
    return Optional.of(home.resolve(LIBRARY).resolve(program)).filter(Files::isExecutable);
  }

  private static Optional<Path> search(String path) {
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path valgrind = Path.of(folder).resolve("valgrind");
      if (Files.isExecutable(valgrind)) {
        // Debian's valgrind is a script that changes the target's environment
        // (LD_LIBRARY_PATH, GLIBCXX_FORCE_NEW) and then starts this.
        Path program = valgrind.resolveSibling("valgrind.bin");
        return Optional.of(Files.isExecutable(program) ? program : valgrind);
      }
    }
    return Optional.empty();
  }

  /** The same command with the same bounds, under the recorder. */
  public CommandSpec record(CommandSpec target, RecorderOptions options) {
    return target.toBuilder()
        .arguments(arguments(target.arguments(), options))
        .environment("VALGRIND_LIB", library.toString())
        .build();
  }

  /**
   * A command that deals with a target while that runs, as a server's client does. Both then know
   * processes by the same numbers. It is not recorded.
   *
   * @param options with which the target runs
   */
  public CommandSpec beside(CommandSpec client, RecorderOptions options) {
    if (!hasNamespace(options)) {
      return client;
    }
    List<String> arguments = new ArrayList<>(processIds("--with=", options));
    arguments.addAll(client.arguments());
    return client.toBuilder().arguments(arguments).build();
  }

  private static boolean hasNamespace(RecorderOptions options) {
    return options.fixedProcessIds() && options.onStop() == OnStop.KILL;
  }

  private List<String> processIds(String option, RecorderOptions options) {
    return List.of(
        library.resolveSibling(PROCESS_IDS).toString(),
        option + options.traceDirectory().resolve(NAMESPACE));
  }

  private List<String> arguments(List<String> target, RecorderOptions options) {
    List<String> arguments = new ArrayList<>();
    if (hasNamespace(options)) {
      arguments.addAll(processIds("--as=", options));
    }
    arguments.add(valgrind.toString());
    // Neither the user's .valgrindrc nor VALGRIND_OPTS.
    arguments.add("--command-line-only=yes");
    arguments.add("--tool=powercut");
    arguments.add("--trace-children=yes");
    arguments.add("--max-threads=" + MOST_THREADS);
    MainStack.size().ifPresent(size -> arguments.add("--main-stacksize=" + size));
    arguments.add("--read-inline-info=yes");
    arguments.add("--fullpath-after="); // Whole paths where Valgrind describes an address.
    arguments.add("-q");
    switch (options.onStop()) {
      // Without gdb no pipes in /tmp, which a killed execution would leave behind.
      case KILL -> arguments.add("--vgdb=no");
      case GDB_SERVER -> {
        arguments.add("--vgdb=yes");
        arguments.add("--vgdb-prefix=" + gdbPrefix(options));
      }
    }
    arguments.addAll(options.arguments());
    arguments.add("--");
    arguments.addAll(target);
    return arguments;
  }

  /**
   * What {@code vgdb --vgdb-prefix=} needs to find an execution with {@link OnStop#GDB_SERVER}: its
   * pipes are in the trace directory.
   */
  public static String gdbPrefix(RecorderOptions options) {
    return options.traceDirectory().resolve("vgdb-pipe").toString();
  }
}
