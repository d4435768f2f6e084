// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.campaign.yaml.ProblemSink;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Entry;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the value of one key, whatever its type. Nothing is returned for a mistake, which has then
 * been reported.
 */
final class ValueBinder {
  /** Words in which no shell would see anything but words. */
  private static final String SIMPLE_COMMAND = "[A-Za-z0-9_./=+{}:-][A-Za-z0-9_./=+{}: \\t-]*";

  private static final String NEEDS_QUOTES = "(\\S*[{}:]\\S*)";

  /** What YAML 1.1 takes for false. */
  private static final Set<String> OFF = Set.of("false", "off", "no");

  private final SectionBinder sections;
  private final ProblemSink problems;
  private final ScalarBinder scalars;

  ValueBinder(SectionBinder sections, ProblemSink problems, PlaceholderCheck placeholders) {
    this.sections = sections;
    this.problems = problems;
    this.scalars = new ScalarBinder(problems, placeholders);
  }

  Optional<?> bind(KeyDescription key, Type type, YamlNode node, String path) {
    if (node instanceof Scalar scalar && scalar.kind() == Kind.EMPTY) {
      problems.report(node.origin(), path, "has no value; write one or remove the key");
      return Optional.empty();
    }
    Class<?> raw = KeyDescription.raw(type);
    if (raw == Optional.class) {
      return optional(key, argument(type), node, path);
    }
    if (raw == List.class) {
      return list(key, argument(type), node, path);
    }
    if (raw == Map.class) {
      return map(key, argument(type), node, path);
    }
    if (raw == CommandTemplate.class) {
      return command(key, node, path);
    }
    if (KeyDescription.isSection(raw)) {
      return section(key, raw.asSubclass(Record.class), node, path);
    }
    return scalars.bind(key, raw, node, path);
  }

  private Optional<?> optional(KeyDescription key, Type type, YamlNode node, String path) {
    String absentWord = key.key().absentWord();
    if (!absentWord.isEmpty()
        && node instanceof Scalar scalar
        && scalar.text().equals(absentWord)) {
      return Optional.of(Optional.empty());
    }
    Optional<?> bound = bind(key, type, node, path);
    return bound.isPresent() ? Optional.of(bound) : bound;
  }

  private Optional<?> list(KeyDescription key, Type type, YamlNode node, String path) {
    if (!(node instanceof Sequence sequence)) {
      if (key.key().single()) {
        return bind(key, type, node, path).map(List::of);
      }
      String message = "must be a list, not " + describe(node);
      problems.report(node.origin(), path, message + SectionBinder.example(key));
      return Optional.empty();
    }
    if (key.key().single() && sequence.items().isEmpty()) {
      problems.report(node.origin(), path, "is empty; write at least one");
      return Optional.empty();
    }
    boolean isCommand = sequence.items().stream().allMatch(Scalar.class::isInstance);
    if (key.key().single() && key.section().isPresent() && isCommand) {
      String message = "must be a map of keys and values or a list of them, not a list of values";
      problems.report(node.origin(), path, message + example(key, node));
      return Optional.empty();
    }
    return items(key, type, sequence, path);
  }

  private Optional<List<Object>> items(
      KeyDescription key, Type type, Sequence sequence, String path) {
    List<Object> bound = new ArrayList<>();
    for (int index = 0; index < sequence.items().size(); index++) {
      bind(key, type, sequence.items().get(index), path + "." + index).ifPresent(bound::add);
    }
    return bound.size() == sequence.items().size()
        ? Optional.of(List.copyOf(bound))
        : Optional.empty();
  }

  private Optional<?> section(
      KeyDescription key, Class<? extends Record> section, YamlNode node, String path) {
    if (!(node instanceof Mapping)) {
      String message = "must be a map of keys and values, not " + node.noun();
      problems.report(node.origin(), path, message + example(key, node));
      return Optional.empty();
    }
    return sections.bind(section, node, path);
  }

  private Optional<?> map(KeyDescription key, Type type, YamlNode node, String path) {
    if (!(node instanceof Mapping mapping)) {
      String message = "must be a map of names and values, not " + describe(node);
      problems.report(node.origin(), path, message + SectionBinder.example(key));
      return Optional.empty();
    }
    Map<String, Object> bound = new LinkedHashMap<>();
    int removed = 0;
    for (Map.Entry<String, Entry> named : mapping.entries().entrySet()) {
      Entry entry = named.getValue();
      String entryPath = SectionBinder.join(path, named.getKey());
      if (SectionBinder.isNull(entry.value())) {
        removed++;
      } else if (isName(key, named.getKey(), entry, entryPath)) {
        bind(key, type, entry.value(), entryPath)
            .ifPresent(value -> bound.put(named.getKey(), value));
      }
    }
    return bound.size() + removed == mapping.entries().size()
        ? Optional.of(Collections.unmodifiableMap(bound))
        : Optional.empty();
  }

  private boolean isName(KeyDescription key, String name, Entry entry, String path) {
    boolean good = name.matches(key.key().namePattern());
    if (!good) {
      problems.report(
          entry.keyOrigin(), path, "is not a name that matches " + key.key().namePattern());
    }
    return good;
  }

  private Optional<CommandTemplate> command(KeyDescription key, YamlNode node, String path) {
    if (!(node instanceof Sequence sequence)) {
      problems.report(
          node.origin(), path, "must be a list of arguments, not " + describe(node) + remedy(node));
      return Optional.empty();
    }
    Optional<List<Object>> arguments = items(key, TextTemplate.class, sequence, path);
    if (arguments.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new CommandTemplate(arguments.get().stream().map(TextTemplate.class::cast).toList()));
    } catch (IllegalArgumentException mistake) {
      problems.report(node.origin(), path, String.valueOf(mistake.getMessage()));
      return Optional.empty();
    }
  }

  private static String remedy(YamlNode node) {
    String command = node instanceof Scalar scalar ? scalar.text().strip() : "";
    String words = "its words as a list";
    if (command.matches(SIMPLE_COMMAND)) {
      String list = command.replaceAll(NEEDS_QUOTES, "\"$1\"").replaceAll("\\s+", ", ");
      words = "[" + Quotes.shorten(list) + "]";
    }
    return "; write " + words + ", or [sh, -c, \"...\"] if it needs a shell";
  }

  /** What to write for a section: how to turn it off, where that was meant. */
  private static String example(KeyDescription key, YamlNode node) {
    boolean isOff =
        node instanceof Scalar scalar
            && OFF.contains(scalar.text())
            && key.section().map(KeyDescription::of).orElse(List.of()).stream()
                .anyMatch(one -> one.name().equals("enabled"));
    return isOff
        ? "; write for example %s: {enabled: false}".formatted(key.name())
        : SectionBinder.example(key);
  }

  private static String describe(YamlNode node) {
    return node instanceof Scalar scalar ? Quotes.quote(scalar.text()) : node.noun();
  }

  private static Type argument(Type type) {
    Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
    return arguments[arguments.length - 1];
  }
}
