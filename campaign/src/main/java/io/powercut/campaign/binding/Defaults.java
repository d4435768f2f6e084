// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.ProblemSink;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlReader;
import io.powercut.campaign.yaml.YamlSyntaxException;
import java.util.Optional;

/** The constant defaults and the examples of keys, which are written in YAML. */
final class Defaults {
  private static final YAMLMapper MAPPER = new YAMLMapper();

  private Defaults() {}

  static Optional<YamlNode> node(KeyDescription key, ProblemSink problems) {
    if (key.key().defaultValue().isEmpty()) {
      return Optional.empty();
    }
    Origin origin = Origin.argument("the default of " + key.name());
    try {
      return YamlReader.read(key.key().defaultValue(), origin, problems);
    } catch (YamlSyntaxException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static Optional<JsonNode> json(KeyDescription key) {
    return json(key.key().defaultValue());
  }

  static Optional<JsonNode> exampleJson(KeyDescription key) {
    return json(key.key().example());
  }

  private static Optional<JsonNode> json(String yaml) {
    if (yaml.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(MAPPER.readTree(yaml));
    } catch (JsonProcessingException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
