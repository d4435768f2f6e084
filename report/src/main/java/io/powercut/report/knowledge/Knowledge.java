// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.knowledge;

import io.powercut.analysis.PatternKind;
import io.powercut.campaign.sections.LibraryKnowledge;
import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import io.powercut.campaign.yaml.YamlReader;
import io.powercut.campaign.yaml.YamlSyntaxException;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.tree.FunctionName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which patterns libraries leave in a trace on purpose. A pattern counts as intended where the
 * instruction to look at is in the library, and the program called one of the functions that are
 * known to do so: never in code of the program that the library calls back.
 */
public final class Knowledge {
  private record Intended(
      String knowledge, String library, PatternKind pattern, List<String> calls, String why) {
    boolean covers(String called) {
      return calls.stream()
          .anyMatch(
              call ->
                  call.endsWith("*")
                      ? called.startsWith(call.substring(0, call.length() - 1))
                      : called.equals(call));
    }
  }

  private final List<Intended> all = new ArrayList<>();

  private Knowledge() {}

  /** What is known of these libraries. */
  public static Knowledge of(List<LibraryKnowledge> libraries) {
    Knowledge knowledge = new Knowledge();
    libraries.stream().distinct().forEach(library -> knowledge.read(library.toString()));
    return knowledge;
  }

  /** Why a pattern is intended; nothing if it is not known to be. */
  public Optional<Explanation> of(TraceEvidence pattern) {
    return LibraryCall.of(pattern.stack())
        .flatMap(
            call ->
                all.stream()
                    .filter(
                        one ->
                            one.library().equals(call.library())
                                && one.pattern() == pattern.pattern()
                                && one.covers(FunctionName.of(call.function()).simple()))
                    .findFirst())
        .map(one -> new Explanation(one.knowledge(), one.why()));
  }

  private void read(String name) {
    String resource = name + ".yaml";
    Mapping root = (Mapping) parsed(resource);
    String library = text(root, "library");
    for (YamlNode item : ((Sequence) node(root, "intended")).items()) {
      Mapping entry = (Mapping) item;
      all.add(
          new Intended(
              name,
              library,
              kind(text(entry, "pattern")),
              ((Sequence) node(entry, "calls"))
                  .items().stream().map(call -> ((Scalar) call).text()).toList(),
              text(entry, "why")));
    }
  }

  private static PatternKind kind(String label) {
    return Arrays.stream(PatternKind.values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no pattern is called " + label));
  }

  private static YamlNode parsed(String resource) {
    try {
      return YamlReader.read(text(resource), Origin.startOf(Path.of(resource)), Knowledge::refuse)
          .orElseThrow(() -> new IllegalStateException(resource + " is empty"));
    } catch (YamlSyntaxException e) {
      throw new IllegalStateException(resource + ": " + e.getMessage(), e);
    }
  }

  private static void refuse(Origin origin, String key, String message) {
    throw new IllegalStateException(origin + ": " + key + " " + message);
  }

  private static YamlNode node(Mapping mapping, String key) {
    return Optional.ofNullable(mapping.entries().get(key))
        .orElseThrow(() -> new IllegalStateException("no " + key))
        .value();
  }

  private static String text(Mapping mapping, String key) {
    return ((Scalar) node(mapping, key)).text();
  }

  private static String text(String resource) {
    try (InputStream file = Knowledge.class.getResourceAsStream(resource)) {
      if (file == null) {
        throw new IllegalStateException("no " + resource);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
