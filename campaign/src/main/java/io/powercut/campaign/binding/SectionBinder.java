// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.ProblemSink;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes records out of located YAML by their {@link Key} annotations. It continues after a mistake,
 * so that all of them are reported.
 */
public final class SectionBinder {
  /** Takes in another map in YAML 1.1, which YAML 1.2 has not. */
  private static final String MERGE = "<<";

  private static final String NOT_MERGED =
      "is not a key: a map is not merged into another one of the same file; write its keys here, each"
          + " value by an alias of its own, such as 'command: *server'";

  private final ProblemSink problems;
  private final ValueBinder values;
  private final List<String> otherRootKeys;

  /**
   * Binds with these.
   *
   * @param problems takes the mistakes
   * @param placeholders knows which placeholders strings may have
   * @param otherRootKeys keys of the outermost section that other classes read, for suggestions
   */
  public SectionBinder(
      ProblemSink problems, PlaceholderCheck placeholders, List<String> otherRootKeys) {
    this.problems = problems;
    this.otherRootKeys = List.copyOf(otherRootKeys);
    this.values = new ValueBinder(this, problems, placeholders);
  }

  /**
   * Makes one section.
   *
   * @param path the section's own key; empty for the whole campaign
   * @return nothing if there was a mistake, which has then been reported
   */
  public <T extends Record> Optional<T> bind(Class<T> section, YamlNode node, String path) {
    if (!(node instanceof Mapping mapping)) {
      problems.report(node.origin(), path, "must be a map of keys and values, not " + node.noun());
      return Optional.empty();
    }
    List<KeyDescription> keys = KeyDescription.of(section);
    refuseUnknown(keys, mapping, path);
    List<Object> components = new ArrayList<>();
    for (KeyDescription key : keys) {
      component(key, mapping, join(path, key.name())).ifPresent(components::add);
    }
    return components.size() == keys.size()
        ? construct(section, components, mapping.origin(), path)
        : Optional.empty();
  }

  static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private void refuseUnknown(List<KeyDescription> keys, Mapping mapping, String path) {
    List<String> known = new ArrayList<>(keys.stream().map(KeyDescription::name).toList());
    if (path.isEmpty()) {
      known.addAll(otherRootKeys);
    }
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              if (!known.contains(name)) {
                String message =
                    name.equals(MERGE)
                        ? NOT_MERGED
                        : "is not a key; " + Suggestions.hint(name, known);
                problems.report(entry.keyOrigin(), join(path, name), message);
              }
            });
  }

  private Optional<?> component(KeyDescription key, Mapping mapping, String path) {
    Optional<YamlNode> given = mapping.get(key.name()).filter(node -> !isNull(node));
    if (given.isPresent()) {
      return values.bind(key, key.type(), given.get(), path);
    }
    return absent(key, mapping, path);
  }

  private Optional<?> absent(KeyDescription key, Mapping mapping, String path) {
    Optional<YamlNode> constant = Defaults.node(key, problems);
    if (constant.isPresent()) {
      return values.bind(key, key.type(), constant.get(), path);
    }
    if (key.isRequired() || !key.key().defaultNote().isEmpty()) {
      problems.report(mapping.origin(), path, "is missing" + example(key));
      return Optional.empty();
    }
    Class<?> raw = KeyDescription.raw(key.type());
    if (raw == Optional.class) {
      return Optional.of(Optional.empty());
    }
    if (raw == List.class) {
      return Optional.of(List.of());
    }
    if (raw == Map.class) {
      return Optional.of(Map.of());
    }
    return bind(raw.asSubclass(Record.class), new Mapping(mapping.origin(), Map.of()), path);
  }

  /** How the key is written, as the end of a message; empty if its description does not say. */
  static String example(KeyDescription key) {
    return Descriptions.example(key).map(line -> "; write for example " + line).orElse("");
  }

  private <T extends Record> Optional<T> construct(
      Class<T> section, List<Object> components, Origin origin, String path) {
    try {
      return Optional.of(constructor(section).newInstance(components.toArray()));
    } catch (InvocationTargetException failure) {
      if (failure.getCause() instanceof IllegalArgumentException mistake) {
        problems.report(origin, path, String.valueOf(mistake.getMessage()));
        return Optional.empty();
      }
      throw new IllegalStateException(failure.getCause());
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Record> Constructor<T> constructor(Class<T> section) {
    return (Constructor<T>) section.getDeclaredConstructors()[0];
  }

  static boolean isNull(YamlNode node) {
    return node instanceof Scalar scalar && scalar.kind() == Kind.NULL;
  }
}
