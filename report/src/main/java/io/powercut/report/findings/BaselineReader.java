// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import io.powercut.campaign.yaml.YamlReader;
import io.powercut.campaign.yaml.YamlSyntaxException;
import io.powercut.exit.PowercutException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the text of a {@link Baseline}, strictly: a key that is spelt wrong would silently accept
 * nothing. All mistakes are reported at once, each with its line.
 */
final class BaselineReader {
  private static final Set<String> NEEDED = Set.of("fingerprint", "campaign", "reason", "date");
  private static final Set<String> OPTIONAL = Set.of("also", "kind", "place", "occurs");
  private static final int MOST_SHOWN = 50;
  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{16}");

  private final List<String> problems = new ArrayList<>();

  private BaselineReader() {}

  /**
   * The entries, in their order.
   *
   * @param file where the text is from, for messages
   * @throws PowercutException if it is no list of accepted findings
   */
  static List<Baseline.Entry> read(String text, Path file) {
    BaselineReader reader = new BaselineReader();
    List<Baseline.Entry> entries = reader.entries(text, file);
    if (!reader.problems.isEmpty()) {
      throw PowercutException.usage(String.join("\n", reader.shown()));
    }
    return entries;
  }

  private List<String> shown() {
    List<String> shown =
        new ArrayList<>(problems.subList(0, Math.min(problems.size(), MOST_SHOWN)));
    if (problems.size() > MOST_SHOWN) {
      shown.add("and %d more mistakes; these first".formatted(problems.size() - MOST_SHOWN));
    }
    return shown;
  }

  private List<Baseline.Entry> entries(String text, Path file) {
    try {
      Optional<YamlNode> root =
          YamlReader.read(
              text,
              Origin.startOf(file),
              (origin, key, message) ->
                  problem(origin, "'" + key.substring(key.lastIndexOf('.') + 1) + "' " + message));
      List<Baseline.Entry> entries = new ArrayList<>();
      for (YamlNode item : root.map(this::items).orElse(List.of())) {
        entry(item).ifPresent(entries::add);
      }
      return entries;
    } catch (YamlSyntaxException e) {
      problem(e.origin(), String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private List<YamlNode> items(YamlNode root) {
    if (root instanceof Sequence sequence) {
      return sequence.items();
    }
    problem(root.origin(), "is " + root.noun() + ", not a list of accepted findings");
    return List.of();
  }

  private Optional<Baseline.Entry> entry(YamlNode item) {
    if (!(item instanceof Mapping mapping)) {
      problem(item.origin(), "is " + item.noun() + ", not an accepted finding");
      return Optional.empty();
    }
    int before = problems.size();
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              if (!NEEDED.contains(key) && !OPTIONAL.contains(key)) {
                problem(
                    entry.keyOrigin(),
                    "unknown key '"
                        + key
                        + "'; an accepted finding has fingerprint, also, campaign, kind, place,"
                        + " reason, date and occurs");
              }
            });
    Baseline.Entry entry =
        new Baseline.Entry(
            value(mapping, "fingerprint"),
            list(mapping, "also"),
            value(mapping, "campaign"),
            value(mapping, "kind"),
            value(mapping, "place"),
            value(mapping, "reason"),
            value(mapping, "date"),
            value(mapping, "occurs"));
    check(mapping, entry);
    return problems.size() == before ? Optional.of(entry) : Optional.empty();
  }

  private void check(Mapping mapping, Baseline.Entry entry) {
    Stream.concat(Stream.of(entry.fingerprint()), entry.also().stream())
        .filter(name -> !name.isEmpty() && !FINGERPRINT.matcher(name).matches())
        .forEach(
            name ->
                problem(
                    mapping.origin(),
                    "'" + name + "' is not a fingerprint: expected 16 hexadecimal digits"));
    if (!entry.occurs().isEmpty() && !entry.occurs().equals(Baseline.Entry.SOMETIMES)) {
      problem(mapping.origin(), "occurs: '" + entry.occurs() + "': write sometimes, or omit it");
    }
    if (!entry.date().isEmpty() && !isDate(entry.date())) {
      problem(mapping.origin(), "'" + entry.date() + "' is not a date: write it as 2026-01-31");
    }
  }

  private static boolean isDate(String text) {
    try {
      return LocalDate.parse(text) != null;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** The text of a key; empty when it is missing, which is a mistake for some. */
  private String value(Mapping mapping, String key) {
    Optional<YamlNode> value = mapping.get(key);
    if (value.isPresent() && !(value.get() instanceof Scalar)) {
      problem(value.get().origin(), "'" + key + "' is " + value.get().noun() + ", not a text");
      return "";
    }
    String text = value.map(Scalar.class::cast).map(scalar -> scalar.text().strip()).orElse("");
    if (text.isEmpty() && NEEDED.contains(key)) {
      problem(mapping.origin(), "the finding that begins here has no '" + key + "'");
    }
    return text;
  }

  private List<String> list(Mapping mapping, String key) {
    Optional<YamlNode> value = mapping.get(key);
    if (value.isPresent() && !(value.get() instanceof Sequence)) {
      problem(value.get().origin(), "'" + key + "' is " + value.get().noun() + ", not a list");
    }
    return value
        .filter(Sequence.class::isInstance)
        .map(Sequence.class::cast)
        .map(Sequence::items)
        .orElse(List.of())
        .stream()
        .map(BaselineReader::text)
        .toList();
  }

  private static String text(YamlNode item) {
    return item instanceof Scalar scalar ? scalar.text().strip() : item.noun();
  }

  private void problem(Origin origin, String message) {
    problems.add("%s:%d: %s".formatted(origin.source(), origin.line(), message));
  }
}
