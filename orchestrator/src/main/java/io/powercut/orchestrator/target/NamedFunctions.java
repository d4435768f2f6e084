// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.binding.Suggestions;
import io.powercut.campaign.sections.SynchronisationSection;
import io.powercut.orchestrator.code.FunctionNames;
import io.powercut.trace.file.ControlFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Functions that a campaign names, looked for in the symbols of the target and its libraries. */
final class NamedFunctions {
  private static final String INLINED =
      " The compiler may have inlined all calls, or changed its parameters: mark it"
          + " __attribute__((noipa)), or noinline.";

  private final List<Path> modules;

  NamedFunctions(List<Path> modules) {
    this.modules = modules;
  }

  /**
   * That no function has a name, and which one it may be instead; nothing if one has, or that
   * cannot be told.
   *
   * @param key where the campaign names it
   */
  Optional<String> unknown(String key, String pattern) {
    Set<String> names = new TreeSet<>();
    for (Path module : modules) {
      Optional<FunctionNames> table = FunctionNames.of(module);
      if (table.isEmpty()) {
        continue;
      }
      names.addAll(table.get().names());
      if (!table.get().isWhole() && isSearched(module)) {
        return Optional.empty();
      }
    }
    String wanted = identifier(pattern);
    if (names.isEmpty() || names.stream().anyMatch(name -> name.contains(wanted))) {
      return Optional.empty();
    }
    return Optional.of(
        ("%s is %s, but no function of the target or its libraries has that name (inlined"
                + " functions do not count)%s")
            .formatted(
                key,
                pattern,
                Suggestions.closest(wanted, names)
                    .map(near -> "; did you mean " + near + "?")
                    .orElse(".")));
  }

  /** What is wrong with the functions of locks, after a run. */
  List<String> problems(
      List<SynchronisationSection> functions, ControlFile.LockFunctions recorded) {
    List<String> problems = new ArrayList<>();
    for (int index = 0; index < functions.size(); index++) {
      if (!recorded.tookAny(index)) {
        String key = "races.synchronisation." + index + ".function";
        problems.add(problem(key, functions.get(index), index, recorded));
      }
    }
    return problems;
  }

  private String problem(
      String key, SynchronisationSection function, int index, ControlFile.LockFunctions recorded) {
    String name = function.function();
    if (!recorded.isFound(index)) {
      return unknown(key, name)
          .orElse(
              "%s is %s, but no function that can be followed has that name.%s"
                  .formatted(key, name, INLINED));
    }
    if (!recorded.isEntered(index)) {
      return "%s is %s, which this run did not call.%s".formatted(key, name, INLINED);
    }
    return function.success().isPresent()
        ? "%s is %s, which was called but never succeeded. Check its success, %s."
            .formatted(key, name, function.success().get())
        : ("%s is %s, which acquired and released nothing: it did not return, was called only by"
                + " other functions of locks, or had no lock at %s.")
            .formatted(key, name, function.lock());
  }

  /** Libraries of the system have no symbols of their own, and nobody means a function in them. */
  private static boolean isSearched(Path module) {
    return !module.startsWith("/usr/lib") && !module.startsWith("/lib");
  }

  /** The longest part of a name without wildcards, namespaces, templates and parameters. */
  private static String identifier(String pattern) {
    String name = pattern.replaceAll("[(<].*", "");
    String last = name.substring(name.lastIndexOf(':') + 1);
    List<String> parts = new ArrayList<>(List.of(last.split("[*?]", -1)));
    parts.sort(Comparator.comparingInt(String::length).reversed());
    return parts.get(0);
  }
}
