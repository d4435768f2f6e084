// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.template.CommandTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keys in words, for people. */
public final class Descriptions {
  private Descriptions() {}

  /** What a key means, and its bounds. */
  public static String of(KeyDescription key) {
    String bounds =
        key.key().min().isEmpty()
            ? ""
            : " From " + key.key().min() + " to " + key.key().max() + ".";
    return key.key().value() + bounds;
  }

  /** What kind of value a key has: {@code a duration}. */
  public static String type(KeyDescription key) {
    String absentWord = key.key().absentWord();
    return plainType(key) + (absentWord.isEmpty() ? "" : " or `" + absentWord + "`");
  }

  /** The default in words: a value in code quotes, or what happens without one. */
  public static String defaultValue(KeyDescription key) {
    if (key.isRequired()) {
      return "required";
    }
    if (!key.key().defaultNote().isEmpty()) {
      return key.key().defaultNote();
    }
    return key.key().defaultValue().isEmpty() ? "" : "`" + key.key().defaultValue() + "`";
  }

  private static String plainType(KeyDescription key) {
    Class<?> raw = KeyDescription.raw(key.type());
    if (raw == CommandTemplate.class || key.element() == CommandTemplate.class) {
      return "a command";
    }
    if (key.section().isPresent()) {
      return key.key().single() ? "a section or a list of them" : "a section";
    }
    String element =
        ScalarTypes.find(KeyDescription.raw(key.element()))
            .map(type -> type.words().isEmpty() ? type.noun() : words(type))
            .orElseThrow();
    if (raw == Map.class) {
      return "a map of names and strings";
    }
    return raw == List.class ? "a list, each " + element : element;
  }

  private static String words(ScalarType<?> type) {
    List<String> quoted = type.words().stream().map(word -> "`" + word + "`").toList();
    return String.join(" or ", quoted);
  }

  /** The example of a key as a line of YAML, if it has one. */
  public static Optional<String> example(KeyDescription key) {
    String example = key.key().example();
    return example.isEmpty() ? Optional.empty() : Optional.of(key.name() + ": " + example);
  }
}
