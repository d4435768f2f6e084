// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.binding.Suggestions;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.sections.AllocatorSection;
import io.powercut.campaign.sections.RacesSection;
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
public final class NamedFunctions {
  private static final String INLINED =
      " The compiler may have inlined all calls, or changed its parameters: mark it"
          + " __attribute__((noipa)), or noinline.";

  private final List<Path> modules;

  /**
   * @param modules the target and its libraries
   */
  public NamedFunctions(List<Path> modules) {
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

  /**
   * What is wrong with the functions of locks and allocators, after one or more runs.
   *
   * @param recorded what was done with them in any of the runs
   */
  public List<String> problems(RacesSection races, ControlFile.DeclaredFunctions recorded) {
    List<String> problems = new ArrayList<>();
    int number = 0;
    for (SynchronisationSection function : races.synchronisation()) {
      String key = "races.synchronisation." + number + ".function";
      String name = function.function();
      String nothing =
          ("%s is %s, which acquired and released nothing: it did not return, was called only by"
                  + " other functions of locks, or had no lock at %s.")
              .formatted(key, name, function.lock());
      String problem =
          function
              .success()
              .map(
                  test ->
                      "%s is %s, which was called but never succeeded. Check its success, %s%s."
                          .formatted(key, name, test, ofByte(test)))
              .orElse(nothing);
      problem(key, name, problem, number, recorded).ifPresent(problems::add);
      number++;
    }
    for (AllocatorSection function : races.allocators()) {
      String key = "races.allocators." + (number - races.synchronisation().size()) + ".function";
      String name = function.function();
      String success =
          function.success().map(test -> "its success, " + test + ", did not show, ").orElse("");
      String nothing =
          "%s is %s, which allocated nothing: it did not return, %sor %s was 0."
              .formatted(key, name, success, function.address());
      problem(key, name, nothing, number, recorded).ifPresent(problems::add);
      number++;
    }
    return problems;
  }

  /**
   * What is wrong with a function.
   *
   * @param nothing what is to say if it was called
   * @param index its place among all that are declared
   */
  private Optional<String> problem(
      String key, String name, String nothing, int index, ControlFile.DeclaredFunctions recorded) {
    if (recorded.tookAny(index)) {
      return Optional.empty();
    }
    if (!recorded.isFound(index)) {
      return Optional.of(
          unknown(key, name)
              .orElse(
                  "%s is %s, but no function that can be followed has that name.%s"
                      .formatted(key, name, INLINED)));
    }
    if (!recorded.isEntered(index)) {
      return Optional.of("%s is %s, which this run did not call.%s".formatted(key, name, INLINED));
    }
    return Optional.of(nothing);
  }

  private static String ofByte(LockTest test) {
    return test.ofByte()
        .map(": of a result of one byte, such as a uint8_t, write '%s'"::formatted)
        .orElse("");
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
