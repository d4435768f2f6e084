// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.victools.jsonschema.generator.CustomDefinition.AttributeInclusion;
import com.github.victools.jsonschema.generator.CustomPropertyDefinition;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.MemberScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.binding.KeyDescription;
import io.powercut.campaign.binding.KeySchema;
import java.util.Comparator;
import java.util.List;

/**
 * The JSON Schema (2020-12) of campaign files, for editors. It is made from the same records that
 * bind them. A file that extends another one may leave out anything.
 */
public final class CampaignSchema {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private CampaignSchema() {}

  /** The schema as text, indented. */
  public static String toJson() {
    return generate().toPrettyString();
  }

  /** The schema. */
  public static ObjectNode generate() {
    SchemaGeneratorConfigBuilder builder =
        new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT)
            .with(Option.DEFINITIONS_FOR_ALL_OBJECTS)
            .without(Option.FLATTENED_OPTIONALS);
    builder
        .forTypesInGeneral()
        .withPropertySorter(Comparator.comparingInt(CampaignSchema::position));
    builder.forFields().withCustomDefinitionProvider(CampaignSchema::property);
    ObjectNode schema = new SchemaGenerator(builder.build()).generateSchema(Campaign.class);
    return complete(schema);
  }

  private static CustomPropertyDefinition property(
      FieldScope field, SchemaGenerationContext context) {
    KeySchema schemas =
        new KeySchema(
            section ->
                context.createDefinitionReference(context.getTypeContext().resolve(section)));
    return KeyDescription.of(field.getDeclaringType().getErasedType()).stream()
        .filter(key -> key.name().equals(field.getName()))
        .map(key -> new CustomPropertyDefinition(schemas.of(key), AttributeInclusion.NO))
        .findFirst()
        .orElseThrow();
  }

  /** Keys are in the order of the record. */
  private static int position(MemberScope<?, ?> member) {
    List<KeyDescription> keys = KeyDescription.of(member.getDeclaringType().getErasedType());
    return keys.stream().map(KeyDescription::name).toList().indexOf(member.getName());
  }

  private static ObjectNode complete(ObjectNode schema) {
    schema.put("title", "Powercut campaign");
    schema
        .withObject("/properties")
        .putObject(CampaignFiles.EXTENDS)
        .put("type", "string")
        .put("minLength", 1)
        .put("description", CampaignFiles.EXTENDS_DESCRIPTION);
    schema.putObject("if").putObject("not").putArray("required").add(CampaignFiles.EXTENDS);
    schema.set("then", requirements(Campaign.class));
    return schema;
  }

  /** What a section without inheritance must have, and what the sections in it must. */
  private static ObjectNode requirements(Class<? extends Record> section) {
    ArrayNode required = NODES.arrayNode();
    ObjectNode properties = NODES.objectNode();
    for (KeyDescription key : KeyDescription.of(section)) {
      if (key.isRequired()) {
        required.add(key.name());
      }
      key.section()
          .map(inner -> requirements(inner, key.key().single()))
          .filter(inner -> !inner.isEmpty())
          .ifPresent(inner -> properties.set(key.name(), inner));
    }
    ObjectNode requirements = NODES.objectNode();
    if (!required.isEmpty()) {
      requirements.set("required", required);
    }
    if (!properties.isEmpty()) {
      requirements.set("properties", properties);
    }
    return requirements;
  }

  /** The same for a section that may also be a list; each keyword holds for one of the two. */
  private static ObjectNode requirements(Class<? extends Record> section, boolean single) {
    ObjectNode requirements = requirements(section);
    if (single && !requirements.isEmpty()) {
      requirements.set("items", requirements.deepCopy());
    }
    return requirements;
  }
}
