// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.template.TextTemplate;
import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.ProblemSink;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import java.util.Optional;

/** Makes values that are written as one scalar, and checks bounds, patterns and placeholders. */
final class ScalarBinder {
  private final ProblemSink problems;
  private final PlaceholderCheck placeholders;

  ScalarBinder(ProblemSink problems, PlaceholderCheck placeholders) {
    this.problems = problems;
    this.placeholders = placeholders;
  }

  Optional<?> bind(KeyDescription key, Class<?> raw, YamlNode node, String path) {
    ScalarType<?> type =
        ScalarTypes.find(raw)
            .orElseThrow(
                () -> new IllegalStateException(key + " has a type that YAML cannot express"));
    if (!(node instanceof Scalar scalar)) {
      problems.report(node.origin(), path, "must be " + noun(key, type) + ", not " + node.noun());
      return Optional.empty();
    }
    return bind(key, type, scalar, path);
  }

  private <T> Optional<T> bind(KeyDescription key, ScalarType<T> type, Scalar scalar, String path) {
    Optional<T> value = Optional.empty();
    try {
      value = parse(type, scalar);
    } catch (IllegalArgumentException mistake) {
      problems.report(scalar.origin(), path, String.valueOf(mistake.getMessage()));
      return Optional.empty();
    }
    Optional<String> complaint =
        value
            .map(parsed -> complaint(key, type, parsed, scalar))
            .orElseGet(() -> Optional.of(wrongType(key, type, scalar)));
    complaint.ifPresent(message -> problems.report(scalar.origin(), path, message));
    return complaint.isPresent() ? Optional.empty() : value;
  }

  private static <T> Optional<T> parse(ScalarType<T> type, Scalar scalar) {
    return type.kinds().contains(scalar.kind())
        ? type.parse(scalar.text(), scalar.origin())
        : Optional.empty();
  }

  private <T> Optional<String> complaint(
      KeyDescription key, ScalarType<T> type, T value, Scalar scalar) {
    if (value instanceof TextTemplate template) {
      return placeholders.complaint(template, key.key().scope());
    }
    String pattern = key.key().pattern();
    if (!pattern.isEmpty() && !scalar.text().matches(pattern)) {
      return Optional.of(quote(scalar) + " does not match " + pattern + example(key));
    }
    return isWithin(key, type, value)
        ? Optional.empty()
        : Optional.of(
            String.format(
                "%s is out of bounds; want from %s to %s",
                quote(scalar), key.key().min(), key.key().max()));
  }

  private static <T> boolean isWithin(KeyDescription key, ScalarType<T> type, T value) {
    return key.key().min().isEmpty()
        || (compare(value, bound(type, key.key().min())) >= 0
            && compare(value, bound(type, key.key().max())) <= 0);
  }

  private static <T> T bound(ScalarType<T> type, String text) {
    return type.parse(text, Origin.argument("bound")).orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static <T> int compare(T value, T bound) {
    return ((Comparable<T>) value).compareTo(bound);
  }

  private static String wrongType(KeyDescription key, ScalarType<?> type, Scalar scalar) {
    String remedy = type.remedy().isEmpty() ? "" : "; " + type.remedy();
    String hint =
        Suggestions.closest(scalar.text(), type.words())
            .map(word -> "; did you mean '" + word + "'?")
            .orElse(remedy);
    return quote(scalar) + " is not " + noun(key, type) + hint;
  }

  private static String noun(KeyDescription key, ScalarType<?> type) {
    String absentWord = key.key().absentWord();
    return absentWord.isEmpty() ? type.noun() : type.noun() + " or " + absentWord;
  }

  private static String example(KeyDescription key) {
    String example = key.key().example();
    return example.isEmpty() ? "" : "; write for example " + example;
  }

  private static String quote(Scalar scalar) {
    return Quotes.quote(scalar.text());
  }
}
