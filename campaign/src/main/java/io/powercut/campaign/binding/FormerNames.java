// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import static io.powercut.campaign.binding.SectionBinder.join;
import static java.util.Objects.requireNonNull;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.ProblemSink;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Entry;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Renamed keys: replaces the name that a key had before by its present one, with a warning. Run it
 * on each file before files are merged, so that either name overrides the other.
 */
public final class FormerNames {
  /**
   * A value and where it goes.
   *
   * @param path names of keys, and numbers of list elements
   */
  public record Setting(List<String> path, YamlNode value) {
    public Setting {
      path = List.copyOf(path);
      requireNonNull(value, "value is null");
    }
  }

  private final ProblemSink problems;
  private final ProblemSink warnings;

  /**
   * Reports to these.
   *
   * @param problems takes keys that are given under both names
   * @param warnings takes the former names in use
   */
  public FormerNames(ProblemSink problems, ProblemSink warnings) {
    this.problems = problems;
    this.warnings = warnings;
  }

  /** The whole tree of a section with present names; other keys stay as they are. */
  public Mapping replaceIn(Mapping mapping, Class<? extends Record> section) {
    return replaceIn(mapping, section, "");
  }

  /**
   * One value and its path, as an override gives them, with present names.
   *
   * @param path names of keys, and numbers of list elements
   * @param section the outermost section
   */
  public Setting replaceIn(List<String> path, YamlNode value, Class<? extends Record> section) {
    List<String> current = new ArrayList<>();
    Optional<Class<? extends Record>> inner = Optional.of(section);
    for (String name : path) {
      if (name.matches("[0-9]+")) {
        current.add(name);
        continue;
      }
      Optional<KeyDescription> key = inner.flatMap(known -> find(known, name));
      String present = key.map(KeyDescription::name).orElse(name);
      if (!present.equals(name)) {
        warn(value.origin(), join(String.join(".", current), name), present);
      }
      current.add(present);
      inner = key.flatMap(KeyDescription::section);
    }
    String where = String.join(".", current);
    return new Setting(current, inner.map(known -> replaceIn(value, known, where)).orElse(value));
  }

  private Mapping replaceIn(Mapping mapping, Class<? extends Record> section, String path) {
    Map<String, Entry> replaced = new LinkedHashMap<>();
    for (Map.Entry<String, Entry> written : mapping.entries().entrySet()) {
      String name = written.getKey();
      Entry entry = written.getValue();
      Optional<KeyDescription> key = find(section, name);
      String current = key.map(KeyDescription::name).orElse(name);
      if (!current.equals(name) && isTaken(mapping, entry, path, name, current)) {
        continue;
      }
      YamlNode value =
          key.flatMap(KeyDescription::section)
              .map(inner -> replaceIn(entry.value(), inner, join(path, current)))
              .orElse(entry.value());
      replaced.put(current, new Entry(entry.keyOrigin(), value));
    }
    return new Mapping(mapping.origin(), replaced);
  }

  private YamlNode replaceIn(YamlNode node, Class<? extends Record> section, String path) {
    return node.match(
        scalar -> scalar,
        sequence -> replaceIn(sequence, section, path),
        mapping -> replaceIn(mapping, section, path));
  }

  private Sequence replaceIn(Sequence sequence, Class<? extends Record> section, String path) {
    List<YamlNode> items = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      items.add(replaceIn(item, section, join(path, String.valueOf(items.size()))));
    }
    return new Sequence(sequence.origin(), items);
  }

  /** Whether the key is also there under its present name; warns if only the former one is. */
  private boolean isTaken(Mapping mapping, Entry entry, String path, String former, String name) {
    if (mapping.entries().containsKey(name)) {
      problems.report(
          entry.keyOrigin(),
          join(path, former),
          "is the former name of '" + name + "', which is given as well; remove this one");
      return true;
    }
    warn(entry.keyOrigin(), join(path, former), name);
    return false;
  }

  private void warn(Origin origin, String former, String name) {
    warnings.report(origin, former, "is deprecated; the key is now called '" + name + "'");
  }

  private static boolean isFormer(KeyDescription key, String name) {
    return !name.isEmpty() && key.key().formerName().equals(name);
  }

  private static Optional<KeyDescription> find(Class<? extends Record> section, String name) {
    return KeyDescription.of(section).stream()
        .filter(key -> key.name().equals(name) || isFormer(key, name))
        .findFirst();
  }
}
