// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One program of workloads/composite/truth.yaml; the README beside it says what the keys mean. A
 * key that is not known here is an error.
 */
record CompositeTruth(
    String program, String source, String driver, String recoveryTimeout, List<Mistake> mistakes) {
  private static final Set<String> KNOWN = Set.of("flush", "fence", "order", "atomicity");

  /** The kind of what shows in program order. */
  static final String PROGRAM_ORDER = "program order";

  private static final List<CompositeTruth> ALL = read();

  CompositeTruth {
    mistakes = List.copyOf(mistakes);
  }

  /**
   * A mistake of the program.
   *
   * @param id its number, in variants as well
   * @param description what is wrong
   * @param function the one that holds the marked lines
   * @param at names of the lines to blame: of the lost store, or of the failure point's stack
   * @param missing what the lost store lacks; empty if program order shows it
   * @param complaint what recovery prints; empty when it ends before it prints anything
   * @param verdict of recovery, {@code UNRECOVERABLE} when empty
   * @param callers names of the lines that call the function; each has to be in the evidence
   */
  record Mistake(
      int id,
      String description,
      String function,
      List<String> at,
      Optional<String> missing,
      Optional<String> complaint,
      Optional<String> verdict,
      Optional<List<String>> callers) {
    Mistake {
      at = List.copyOf(at);
      if (!KNOWN.containsAll(missing.stream().toList())) {
        throw new IllegalArgumentException("missing: " + missing);
      }
    }

    /** What is missing, or that it is program order. */
    String kind() {
      return missing.orElse(PROGRAM_ORDER);
    }

    /** The verdict's kind. */
    String expectedVerdict() {
      return verdict.orElse("UNRECOVERABLE");
    }
  }

  static List<CompositeTruth> all() {
    return ALL;
  }

  private static List<CompositeTruth> read() {
    try {
      CompositeTruth[] truths =
          YAMLMapper.builder()
              .addModule(new Jdk8Module())
              .build()
              .readValue(folder().resolve("truth.yaml").toFile(), CompositeTruth[].class);
      List.of(truths).forEach(CompositeTruth::requireMarks);
      return List.of(truths);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path folder() {
    return Workbench.home().resolve("workloads/composite");
  }

  @Override
  public String toString() {
    return program;
  }

  Mistake mistake(int id) {
    return mistakes.stream().filter(one -> one.id() == id).findFirst().orElseThrow();
  }

  /** The names of the marked lines that a stack goes through, innermost first. */
  List<String> marks(List<StackFrame> stack) {
    Map<String, String> names = names();
    return own(stack)
        .map(CompositeTruth::place)
        .filter(names::containsKey)
        .map(names::get)
        .toList();
  }

  /**
   * The user's code in the program's own sources, which is behind a setter: its mark, or file and
   * line without one.
   */
  String innermost(List<StackFrame> stack) {
    return UserCode.of(own(stack).toList())
        .map(frame -> names().getOrDefault(place(frame), place(frame)))
        .orElse("nowhere in its sources");
  }

  private Stream<StackFrame> own(List<StackFrame> stack) {
    return stack.stream()
        .filter(frame -> List.of(source, driver).contains(fileName(frame)))
        .filter(frame -> frame.line() > 0);
  }

  private static String fileName(StackFrame frame) {
    return frame.file().substring(frame.file().lastIndexOf('/') + 1);
  }

  private static String place(StackFrame frame) {
    return fileName(frame) + ":" + frame.line();
  }

  private Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    for (String file : List.of(source, driver)) {
      MarkedLines.of(folder().resolve(file))
          .forEach((line, name) -> names.put(file + ":" + line, name));
    }
    return names;
  }

  private void requireMarks() {
    for (Mistake mistake : mistakes) {
      if (!names().values().containsAll(mistake.at())
          || !names().values().containsAll(mistake.callers().orElse(List.of()))) {
        throw new IllegalStateException("not all lines are marked: " + program + " " + mistake);
      }
    }
  }
}
