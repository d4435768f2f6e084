// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.campaign.yaml.YamlNode.Kind;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What JSON Schema (2020-12) can say of a key. It accepts all that the binder accepts. The binder
 * refuses more: bounds of times and sizes, placeholders, what keys ask of each other.
 */
public final class KeySchema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Function<Class<? extends Record>, ObjectNode> sections;

  /**
   * Describes keys.
   *
   * @param sections gives the schema of a section, which may be a reference that is completed later
   */
  public KeySchema(Function<Class<? extends Record>, ObjectNode> sections) {
    this.sections = sections;
  }

  /** The schema of a key's value, with what an editor shows of it. */
  public ObjectNode of(KeyDescription key) {
    ObjectNode value = value(key, key.type());
    ObjectNode schema = key.isRequired() ? required(key, value) : nullable(value);
    schema.put("description", description(key));
    Defaults.json(key).ifPresent(json -> schema.set("default", json));
    Defaults.exampleJson(key).ifPresent(json -> schema.putArray("examples").add(json));
    return schema;
  }

  /** A reference is completed later, and where it is, so that it cannot get siblings now. */
  private static ObjectNode required(KeyDescription key, ObjectNode value) {
    if (!KeyDescription.isSection(KeyDescription.raw(key.type()))) {
      return value;
    }
    ObjectNode schema = NODES.objectNode();
    schema.putArray("allOf").add(value);
    return schema;
  }

  private static String description(KeyDescription key) {
    String note = key.key().defaultNote();
    return Descriptions.of(key) + (note.isEmpty() ? "" : " Default: " + note + ".");
  }

  private ObjectNode value(KeyDescription key, Type type) {
    Class<?> raw = KeyDescription.raw(type);
    if (raw == Optional.class) {
      return optional(key, value(key, argument(type)));
    }
    if (raw == List.class) {
      return list(key, argument(type));
    }
    if (raw == Map.class) {
      return map(key, argument(type));
    }
    if (raw == CommandTemplate.class) {
      return array(value(key, TextTemplate.class)).put("minItems", 1);
    }
    if (KeyDescription.isSection(raw)) {
      return sections.apply(raw.asSubclass(Record.class));
    }
    return ScalarTypes.find(raw).map(found -> scalar(key, found)).orElseThrow();
  }

  private static ObjectNode optional(KeyDescription key, ObjectNode value) {
    String absentWord = key.key().absentWord();
    return absentWord.isEmpty() ? value : anyOf(NODES.objectNode().put("const", absentWord), value);
  }

  private ObjectNode list(KeyDescription key, Type item) {
    ObjectNode list = array(value(key, item));
    return key.key().single() ? anyOf(value(key, item), list.put("minItems", 1)) : list;
  }

  private ObjectNode map(KeyDescription key, Type value) {
    ObjectNode map = NODES.objectNode().put("type", "object");
    map.putObject("propertyNames").put("pattern", whole(key.key().namePattern()));
    map.set("additionalProperties", nullable(value(key, value)));
    return map;
  }

  private static ObjectNode scalar(KeyDescription key, ScalarType<?> type) {
    ObjectNode schema = NODES.objectNode();
    List<String> names =
        type.kinds().stream()
            .map(kind -> jsonType(kind, type))
            .sorted(Comparator.reverseOrder())
            .toList();
    if (names.size() == 1) {
      schema.put("type", names.get(0));
    } else {
      names.forEach(schema.putArray("type")::add);
    }
    String pattern = key.key().pattern().isEmpty() ? type.pattern() : key.key().pattern();
    if (!pattern.isEmpty()) {
      schema.put("pattern", whole(pattern));
    }
    if (!type.words().isEmpty()) {
      type.words().forEach(schema.putArray("enum")::add);
    }
    if (type.kinds().contains(Kind.NUMBER) && !key.key().min().isEmpty()) {
      schema.put("minimum", Integer.valueOf(key.key().min()));
      schema.put("maximum", Integer.valueOf(key.key().max()));
    }
    return schema;
  }

  private static String jsonType(Kind kind, ScalarType<?> type) {
    boolean whole = kind == Kind.NUMBER && type.kinds().size() == 1;
    return whole ? "integer" : kind.name().toLowerCase(Locale.ROOT);
  }

  /** With null, which takes back an inherited value. */
  private static ObjectNode nullable(ObjectNode schema) {
    ObjectNode nothing = NODES.objectNode().put("type", "null");
    JsonNode alternatives = schema.get("anyOf");
    if (alternatives instanceof ArrayNode array) {
      array.add(nothing);
      return schema;
    }
    return anyOf(schema, nothing);
  }

  private static ObjectNode array(ObjectNode items) {
    ObjectNode array = NODES.objectNode().put("type", "array");
    array.set("items", items);
    return array;
  }

  private static ObjectNode anyOf(ObjectNode first, ObjectNode second) {
    ObjectNode schema = NODES.objectNode();
    schema.putArray("anyOf").add(first).add(second);
    return schema;
  }

  private static String whole(String pattern) {
    return "^(?:" + pattern + ")$";
  }

  private static Type argument(Type type) {
    Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
    return arguments[arguments.length - 1];
  }
}
