// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.PythonCode;
import io.powercut.tree.UserCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What gives the functions of a library or a program names, where it came without symbols. Only
 * this machine is asked, never the network.
 */
public final class LibrarySymbols {
  /** What helps where there is no package of symbols. */
  public static final String DEBUGINFOD =
      "install debuginfod and set DEBUGINFOD_URLS, on Debian to https://debuginfod.debian.net";

  /** What helps where stacks have no Python functions. */
  public static final String PYTHON =
      "functions of Python programs have names with Python "
          + String.join(", ", PythonCode.KNOWN_VERSIONS)
          + " only";

  private static final Pattern OWNER =
      Pattern.compile("([a-z0-9][a-z0-9.+-]*)(?::[a-z0-9]+)?: /.*");

  private static final LibrarySymbols OF_THIS_MACHINE =
      new LibrarySymbols(Path.of("/usr/lib/debug/.build-id"), FirstLine::of);

  private final Path debugFiles;
  private final Function<List<String>, Optional<String>> firstLine;

  /** By path: each answer takes a process, and a sweep asks for the same libraries again. */
  private final Map<String, Optional<String>> owners = new ConcurrentHashMap<>();

  /**
   * @param debugFiles where symbols of libraries are installed, by build id
   * @param firstLine runs a command and gives the first line it prints, if any
   */
  public LibrarySymbols(Path debugFiles, Function<List<String>, Optional<String>> firstLine) {
    this.debugFiles = debugFiles;
    this.firstLine = firstLine;
  }

  /** Looks at this machine, and asks it once about each library. */
  public static LibrarySymbols ofThisMachine() {
    return OF_THIS_MACHINE;
  }

  /**
   * What to install for a library or a program.
   *
   * @return nothing if its functions have names, or it is no ELF file; empty text if it is unknown
   */
  public Optional<String> missing(Path library) {
    return FunctionNames.of(library)
        .filter(names -> !names.isWhole())
        .filter(names -> BuildId.of(library).filter(this::isInstalled).isEmpty())
        .map(names -> owner(library).map(name -> name + "-dbgsym").orElse(""));
  }

  /**
   * The libraries and programs in which failure points, or stores to blame, have functions without
   * a name, and what to do.
   *
   * @param stores call stacks of stores that findings name
   * @param module where the file of a base name is
   * @return in a sentence; nothing if all have names
   */
  public Optional<String> advice(
      FailurePointTree tree,
      List<List<StackFrame>> stores,
      Function<String, Optional<Path>> module) {
    Set<String> packages = new TreeSet<>();
    List<String> installed = new ArrayList<>();
    Set<String> nameless = nameless(tree);
    nameless.addAll(nameless(stores));
    for (String name : nameless) {
      Optional<Path> file = module.apply(name);
      file.flatMap(this::missing)
          .ifPresent(
              wanted -> {
                if (!wanted.isEmpty()) {
                  packages.add(wanted);
                }
                if (!wanted.isEmpty() || ProgramLines.isInstalled(file.get())) {
                  installed.add(name);
                }
              });
    }
    List<String> advice = new ArrayList<>(unreadPython(tree));
    if (!installed.isEmpty()) {
      advice.add(String.join(", ", installed) + ": " + remedy(packages));
    }
    return advice.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", advice));
  }

  private static Set<String> unreadPython(FailurePointTree tree) {
    Set<String> advice = new TreeSet<>();
    for (FailurePoint point : tree.failurePoints()) {
      if (PythonCode.isUnread(point.stack())) {
        point.stack().frames().stream()
            .map(Frame::module)
            .filter(PythonCode::isInterpreter)
            .limit(1)
            .map(module -> module + ": " + PYTHON)
            .forEach(advice::add);
      }
    }
    return advice;
  }

  /** What to do. */
  public static String remedy(Set<String> packages) {
    return packages.isEmpty()
        ? DEBUGINFOD
        : "install " + String.join(" ", packages) + " (Debian's debug archive), or " + DEBUGINFOD;
  }

  private static Set<String> nameless(FailurePointTree tree) {
    Set<String> names = new TreeSet<>();
    for (FailurePoint point : tree.failurePoints()) {
      point.stack().framesOfProgram().stream()
          .filter(frame -> frame.function().isEmpty())
          .map(Frame::module)
          .filter(
              module -> !PythonCode.isModule(module)) // The Python function that called it counts.
          .filter(module -> !PythonCode.isInterpreter(module))
          .forEach(names::add);
    }
    return names;
  }

  private static List<String> nameless(List<List<StackFrame>> stores) {
    return stores.stream()
        .map(UserCode::of)
        .flatMap(Optional::stream)
        .filter(frame -> frame.function().isEmpty())
        .map(StackFrame::module)
        .filter(module -> !PythonCode.isInterpreter(module))
        .toList();
  }

  private boolean isInstalled(String buildId) {
    return buildId.length() > 2
        && Files.exists(
            debugFiles.resolve(buildId.substring(0, 2)).resolve(buildId.substring(2) + ".debug"));
  }

  /** Packages name files with or without the /usr before it. */
  private Optional<String> owner(Path library) {
    return owners.computeIfAbsent(
        real(library),
        path ->
            asked(path)
                .or(
                    () ->
                        path.startsWith("/usr/")
                            ? asked(path.substring(4))
                            : asked("/usr" + path)));
  }

  private Optional<String> asked(String path) {
    return firstLine
        .apply(List.of("dpkg-query", "-S", path))
        .map(OWNER::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1));
  }

  private static String real(Path library) {
    try {
      return library.toRealPath().toString();
    } catch (IOException goneMeanwhile) {
      return library.toString();
    }
  }
}
