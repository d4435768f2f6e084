// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.powercut.campaign.template.CommandTemplate;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns a section back into a tree that binds to an equal section. */
public final class SectionWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private SectionWriter() {}

  /**
   * The section with all its values, defaults included. Absent ones are left out, or said by their
   * word.
   */
  public static ObjectNode write(Record section) {
    ObjectNode written = NODES.objectNode();
    for (KeyDescription key : KeyDescription.of(section.getClass())) {
      Object value = read(key, section);
      Optional<JsonNode> node =
          value instanceof Optional<?> optional
              ? optional(key, optional)
              : Optional.of(node(value));
      node.filter(present -> !isEmptyMap(present))
          .ifPresent(present -> written.set(key.name(), present));
    }
    return written;
  }

  private static Object read(KeyDescription key, Record section) {
    try {
      return key.component().getAccessor().invoke(section);
    } catch (IllegalAccessException | InvocationTargetException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static Optional<JsonNode> optional(KeyDescription key, Optional<?> value) {
    if (value.isPresent()) {
      return Optional.of(node(value.get()));
    }
    String absentWord = key.key().absentWord();
    return absentWord.isEmpty() ? Optional.empty() : Optional.of(NODES.textNode(absentWord));
  }

  private static boolean isEmptyMap(JsonNode node) {
    return node.isObject() && node.isEmpty();
  }

  private static JsonNode node(Object value) {
    if (value instanceof CommandTemplate command) {
      return list(command.arguments());
    }
    if (value instanceof List<?> values) {
      return list(values);
    }
    if (value instanceof Map<?, ?> values) {
      ObjectNode map = NODES.objectNode();
      values.forEach((name, element) -> map.set(name.toString(), node(element)));
      return map;
    }
    if (value instanceof Boolean truth) {
      return NODES.booleanNode(truth);
    }
    if (value instanceof Integer number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Record section && KeyDescription.isSection(section.getClass())) {
      return write(section);
    }
    return NODES.textNode(text(value));
  }

  private static ArrayNode list(List<?> values) {
    ArrayNode list = NODES.arrayNode();
    values.forEach(value -> list.add(node(value)));
    return list;
  }

  @SuppressWarnings("unchecked")
  private static String text(Object value) {
    Class<?> type =
        value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    ScalarType<Object> scalar =
        (ScalarType<Object>)
            ScalarTypes.find(value instanceof java.nio.file.Path ? java.nio.file.Path.class : type)
                .orElseThrow();
    return scalar.format(value);
  }
}
