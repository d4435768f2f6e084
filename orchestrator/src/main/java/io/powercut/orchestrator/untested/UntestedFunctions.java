// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.untested;

import io.powercut.process.PowercutHome;
import io.powercut.report.facts.Untested;
import io.powercut.trace.replay.ExecutedCode;
import io.powercut.trace.replay.ExecutedCode.When;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the functions that persist something, by themselves or in what they call, but of which no
 * instruction was executed where failure points count: what a clean result says nothing about.
 *
 * <p>Functions are found in the symbols of the target's program and of its libraries, those of the
 * system and of its headers left out. What is called through a pointer is not followed, and files
 * without symbols have no functions.
 */
public final class UntestedFunctions {
  private static final Path INLINED = PowercutHome.nativeProgram("trace", "powercut-inlined");

  private final ExecutedCode executed;
  private final Path scratch;
  private final Tools tools;
  private final Map<Path, List<Disassembly.Function>> modules = new TreeMap<>();

  /**
   * @param executed what ran
   * @param scratch an empty directory for files between
   */
  public UntestedFunctions(ExecutedCode executed, Path scratch, Tools tools) {
    this.executed = executed;
    this.scratch = scratch;
    this.tools = tools;
  }

  /**
   * Looks for them.
   *
   * @return nothing if that is unknown for one of the target\'s files
   */
  public Optional<Untested> find() throws IOException {
    for (Path module : executed.modules()) {
      Optional<Path> text =
          tools.run(List.of("objdump", "-d", "-w", "--no-show-raw-insn", "-C", module.toString()));
      if (text.isEmpty()) {
        return Optional.empty();
      }
      try (Stream<String> lines = Files.lines(text.get(), StandardCharsets.ISO_8859_1)) {
        modules.put(module, Disassembly.functions(lines));
      }
    }
    Set<String> storing = storing(modules.values().stream().flatMap(Collection::stream).toList());
    Map<Path, Map<String, When>> untested = new TreeMap<>();
    for (Map.Entry<Path, List<Disassembly.Function>> module : modules.entrySet()) {
      Optional<Map<String, When>> found = untested(module.getKey(), module.getValue(), storing);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      untested.put(module.getKey(), found.get());
    }
    leaveOutCopies(untested, storing);
    return Optional.of(
        Untested.of(
            untested.entrySet().stream()
                .flatMap(
                    module ->
                        module.getValue().entrySet().stream()
                            .map(
                                one ->
                                    new Untested.Function(
                                        one.getKey(),
                                        module.getKey().getFileName().toString(),
                                        one.getValue() == When.OUTSIDE)))
                .toList()));
  }

  /**
   * Several programs may have a part in common. Its functions are tested if one of the programs
   * does, and are named once. They are the same if their names and source files are. Where a
   * program has two of a name, it is not known which one ran.
   */
  private void leaveOutCopies(Map<Path, Map<String, When>> untested, Set<String> storing)
      throws IOException {
    Map<String, Long> counts =
        modules.values().stream()
            .flatMap(functions -> functions.stream().map(Disassembly.Function::name).distinct())
            .filter(storing::contains)
            .filter(name -> untested.values().stream().anyMatch(of -> of.containsKey(name)))
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    counts.values().removeIf(count -> count < 2);
    Map<List<String>, List<Map<String, When>>> copies =
        new TreeMap<>(Comparator.comparing(List::toString));
    for (Map.Entry<Path, Map<String, When>> module : untested.entrySet()) {
      List<Disassembly.Function> asked =
          modules.getOrDefault(module.getKey(), List.of()).stream()
              .filter(one -> counts.containsKey(one.name()))
              .toList();
      List<String> files = sourceFiles(module.getKey(), asked);
      Map<String, Set<String>> places = new TreeMap<>();
      for (int at = 0; at < Math.min(asked.size(), files.size()); at++) {
        places.computeIfAbsent(asked.get(at).name(), unknown -> new TreeSet<>()).add(files.get(at));
      }
      places.forEach(
          (name, in) -> {
            if (in.size() == 1 && in.iterator().next().startsWith("/")) {
              copies
                  .computeIfAbsent(
                      List.of(name, in.iterator().next()), unknown -> new ArrayList<>())
                  .add(module.getValue());
            }
          });
    }
    copies.forEach((function, in) -> leaveOut(function.get(0), in));
  }

  /**
   * All but the first, which may have run more in another program; that, too, if one was tested.
   *
   * @param in the untested functions of each program that has this one
   */
  private static void leaveOut(String name, List<Map<String, When>> in) {
    Optional<When> most =
        in.stream()
            .map(program -> program.getOrDefault(name, When.ANALYSED))
            .max(Comparator.naturalOrder());
    if (in.size() > 1) {
      in.forEach(program -> program.remove(name));
      most.filter(when -> when != When.ANALYSED).ifPresent(when -> in.get(0).put(name, when));
    }
  }

  /** The functions that persist something, and who calls them, and so on. */
  private static Set<String> storing(List<Disassembly.Function> functions) {
    Map<String, Set<String>> callers = new HashMap<>();
    List<String> found = new ArrayList<>();
    for (Disassembly.Function function : functions) {
      function
          .calls()
          .forEach(
              called ->
                  callers.computeIfAbsent(called, unknown -> new HashSet<>()).add(function.name()));
      if (function.persists()) {
        found.add(function.name());
      }
    }
    Set<String> storing = new HashSet<>(found);
    while (!found.isEmpty()) {
      for (String caller : callers.getOrDefault(found.remove(found.size() - 1), Set.of())) {
        if (storing.add(caller)) {
          found.add(caller);
        }
      }
    }
    return storing;
  }

  private Optional<Map<String, When>> untested(
      Path module, List<Disassembly.Function> functions, Set<String> storing) throws IOException {
    Map<String, When> ran = new TreeMap<>();
    for (Disassembly.Function one : functions) {
      if (storing.contains(one.name())) {
        ran.merge(
            one.name(),
            executed.ran(module, one.start(), one.end()),
            (first, second) -> first.compareTo(second) > 0 ? first : second);
      }
    }
    ran.values().removeIf(when -> when == When.ANALYSED);
    if (!ran.isEmpty()) {
      Optional<Set<String>> analysed = names(module, functions, storing, When.ANALYSED);
      Optional<Set<String>> outside = names(module, functions, storing, When.OUTSIDE);
      if (analysed.isEmpty() || outside.isEmpty()) {
        return Optional.empty();
      }
      ran.entrySet()
          .removeIf(
              one ->
                  analysed.get().contains(simple(one.getKey()))
                      || (one.getValue() == When.NEVER
                          && outside.get().contains(simple(one.getKey()))));
      ran.keySet().removeAll(ofHeaders(module, functions, ran.keySet()));
    }
    return Optional.of(ran);
  }

  /**
   * The functions whose code ran, also as a part of others. A function that persists makes that
   * which it is inlined into one that does, so only these are looked at. addr2line knows symbols,
   * but of what clang inlined not all.
   */
  private Optional<Set<String>> names(
      Path module, List<Disassembly.Function> functions, Set<String> storing, When when)
      throws IOException {
    List<String> addresses = new ArrayList<>();
    for (Disassembly.Function function : functions) {
      if (storing.contains(function.name())) {
        function
            .instructions()
            .longStream()
            .filter(address -> executed.ran(module, address, address + 1) == when)
            .forEach(address -> addresses.add("0x" + Long.toHexString(address)));
      }
    }
    if (addresses.isEmpty()) {
      return Optional.of(Set.of());
    }
    Path asked = Files.write(scratch.resolve("addresses"), addresses);
    Optional<Path> text =
        tools.run(List.of("addr2line", "-f", "-i", "-C", "-e", module.toString(), "@" + asked));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>();
    try (Stream<String> lines = Files.lines(text.get(), StandardCharsets.ISO_8859_1)) {
      lines.forEach(line -> names.add(simple(line))); // Places between them are no functions.
    }
    Optional<Path> more = tools.run(List.of(INLINED.toString(), module.toString(), "@" + asked));
    if (more.isPresent()) {
      try (Stream<String> lines = Files.lines(more.get(), StandardCharsets.ISO_8859_1)) {
        lines.forEach(
            line -> names.add(simple(line.substring(0, Math.max(0, line.indexOf('\t'))))));
      }
    }
    return Optional.of(names);
  }

  /**
   * Of some functions, those that headers of the system define, or that come with the compiler:
   * what users would have to test is what they call.
   */
  private Set<String> ofHeaders(
      Path module, List<Disassembly.Function> functions, Set<String> those) throws IOException {
    List<Disassembly.Function> asked =
        functions.stream().filter(function -> those.contains(function.name())).toList();
    List<String> files = sourceFiles(module, asked);
    Set<String> found = new HashSet<>();
    for (int at = 0; at < Math.min(asked.size(), files.size()); at++) {
      String name = asked.get(at).name();
      if (UserCode.isOfSystem(files.get(at))
          || UserCode.isOfLanguage(name, files.get(at), module.toString())) {
        found.add(name);
      }
    }
    return found;
  }

  /** Where functions are defined, one for each; none if that is not known of all. */
  private List<String> sourceFiles(Path module, List<Disassembly.Function> functions)
      throws IOException {
    if (functions.isEmpty()) {
      return List.of();
    }
    Path starts =
        Files.write(
            scratch.resolve("starts"),
            functions.stream().map(one -> "0x" + Long.toHexString(one.start())).toList());
    Optional<Path> text = tools.run(List.of(INLINED.toString(), module.toString(), "@" + starts));
    return text.isPresent()
        ? outermost(Files.readAllLines(text.get(), StandardCharsets.ISO_8859_1))
        : List.of();
  }

  /** Of each address the file of the last function: it may begin with what was inlined into it. */
  private static List<String> outermost(List<String> lines) {
    List<String> files = new ArrayList<>();
    String file = "";
    for (String line : lines) {
      if (line.isEmpty()) {
        files.add(file);
        file = "";
      } else {
        file = line.substring(line.indexOf('\t') + 1);
      }
    }
    return files;
  }

  /** Without its scope and its parameters, which debug information does not always have. */
  private static String simple(String name) {
    return FunctionName.of(name).simple();
  }
}
