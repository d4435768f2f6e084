// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.powercut.campaign.sections.Granularity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One entry of workloads/bugs/truth.yaml; the README beside it says what the keys mean. A key that
 * is not known here is an error.
 */
record BugTruth(
    String name,
    String description,
    Optional<String> source,
    String taxonomy,
    List<String> analysis,
    String verdict,
    Optional<String> signal,
    Optional<Integer> exit,
    String function,
    Optional<String> crash,
    Optional<String> granularity,
    Optional<Boolean> deterministic,
    Optional<Integer> mistakes,
    Optional<Map<String, Integer>> failurePoints,
    Optional<List<Lost>> lost,
    Map<String, List<ExpectedPattern>> patterns,
    Optional<List<String>> exclude,
    Optional<List<List<String>>> tree,
    Optional<String> library) {
  /** As in configs/bases/pmdk.yaml. */
  private static final String ONE_LARGE_HEAP =
      "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=67108864:glibc.malloc.top_pad=16777216";

  private static final List<BugTruth> ALL = read();

  /**
   * A report on patterns of misuse in the trace.
   *
   * @param kind the label of its kind
   * @param severity in lower case
   * @param because words that its sentence has
   * @param count how often; empty where it depends on the C library
   * @param at role and name of the line, such as {@code earlier-flush set}, the primary place first
   */
  record ExpectedPattern(
      String kind,
      String severity,
      Optional<String> because,
      Optional<Long> count,
      List<String> at) {}

  BugTruth {
    if (lost.isPresent() != analysis.contains("crash-states")) {
      throw new IllegalArgumentException(name + ": lost belongs to crash-states, and to no others");
    }
  }

  /**
   * A smallest set of stores without which the state of program order breaks recovery.
   *
   * @param at the names of their lines
   * @param missing why they can be lost
   */
  record Lost(Set<String> at, String missing) {
    private static final Set<String> KNOWN = Set.of("flush", "fence", "order", "atomicity");

    Lost {
      if (at.isEmpty() || !KNOWN.contains(missing)) {
        throw new IllegalArgumentException(at + " lost for " + missing);
      }
    }
  }

  static List<BugTruth> all() {
    return ALL;
  }

  private static List<BugTruth> read() {
    try {
      BugTruth[] truths =
          YAMLMapper.builder()
              .addModule(new Jdk8Module())
              .build()
              .readValue(suite().resolve("truth.yaml").toFile(), BugTruth[].class);
      List.of(truths).forEach(BugTruth::requirePlaces);
      return List.of(truths);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path suite() {
    return Workbench.home().resolve("workloads/bugs");
  }

  /** Whether an image that holds just the stores before a failure point can show the bug. */
  boolean showsInProgramOrder() {
    return analysis.contains("program-order");
  }

  /** The granularity at which the failure points that show the bug are candidates. */
  Granularity neededGranularity() {
    return granularity.isPresent() && granularity.get().equals("store")
        ? Granularity.STORE
        : Granularity.PERSISTENCY;
  }

  /** Settings that change no verdict: opening a pool takes a seventh of the page faults. */
  List<String> cheaper() {
    return library().isPresent()
        ? List.of("environment.GLIBC_TUNABLES=" + ONE_LARGE_HEAP)
        : List.of();
  }

  /** The source's name without its folder, as debug information has it. */
  String sourceName() {
    return sourceFile().getFileName().toString();
  }

  /** The built program. */
  Path program(String variant) {
    return suite().resolve("build").resolve(variant).resolve(name);
  }

  private Path sourceFile() {
    if (source.isPresent()) {
      return suite().resolve(source.get());
    }
    Path cpp = suite().resolve(name + ".cpp");
    return Files.exists(cpp) ? cpp : suite().resolve(name + ".c");
  }

  /** Names of lines, {@code AT name} in a comment, by line. */
  Map<Integer, String> places() {
    return MarkedLines.of(sourceFile());
  }

  private void requirePlaces() {
    for (Lost set : lost.orElse(List.of())) {
      if (!places().values().containsAll(set.at())) {
        throw new IllegalStateException("not all lines of " + name + " are marked: " + set.at());
      }
    }
  }

  /** Numbers of the lines that have a mark, such as {@code BUG-AT}, in their comment. */
  Set<Integer> marked(String mark) {
    List<String> lines = MarkedLines.linesOf(sourceFile());
    return IntStream.range(0, lines.size())
        .filter(index -> lines.get(index).matches(".*(?:/\\*|# ).*" + mark + ".*"))
        .mapToObj(index -> index + 1)
        .collect(Collectors.toSet());
  }
}
