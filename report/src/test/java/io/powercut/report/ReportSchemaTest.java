// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonModule;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.powercut.process.PowercutHome;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * docs/report.schema.json against the records. {@code mvn test
 * -Dtest.options=-Dpowercut.regenerate=true} writes it anew.
 */
class ReportSchemaTest {
  private static final Path DOCUMENT = PowercutHome.find().resolve("docs/report.schema.json");
  private static final Path DIRECTORY = Path.of("/runs/sample");

  /** Every key is there, and what can be missing is null. */
  private static ObjectNode generate() {
    SchemaGeneratorConfigBuilder builder =
        new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(
                new JacksonModule(
                    JacksonOption.RESPECT_JSONPROPERTY_ORDER,
                    JacksonOption.FLATTENED_ENUMS_FROM_JSONVALUE))
            .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES)
            .with(Option.DEFINITIONS_FOR_ALL_OBJECTS);
    builder
        .forFields()
        .withRequiredCheck(field -> true)
        .withNullableCheck(ReportSchemaTest::isOptional);
    // Beside its own keys, evidence has the one that tells the kinds apart.
    builder
        .forTypesInGeneral()
        .withCustomDefinitionProvider(ReportSchemaTest::text)
        .withAdditionalPropertiesResolver(
            (type, context) ->
                Record.class.isAssignableFrom(type.getType().getErasedType())
                        && !Evidence.class.isAssignableFrom(type.getType().getErasedType())
                    ? BooleanNode.FALSE
                    : null);
    ObjectNode schema = new SchemaGenerator(builder.build()).generateSchema(Report.class);
    schema.withObject("/properties/format").put("const", Report.FORMAT);
    schema.put("title", "Powercut report, format " + Report.FORMAT);
    return schema;
  }

  /** Failure points are written as text. */
  private static @Nullable CustomDefinition text(
      ResolvedType type, SchemaGenerationContext context) {
    return type.getErasedType() == FailurePointId.class
        ? new CustomDefinition(
            context.createStandardDefinition(context.getTypeContext().resolve(String.class), null),
            true)
        : null;
  }

  private static boolean isOptional(FieldScope field) {
    return Optional.class.isAssignableFrom(field.getDeclaredType().getErasedType());
  }

  static ReportedRun[] runs() {
    return new ReportedRun[] {
      SampleRuns.nothing(DIRECTORY),
      SampleRuns.withFindings(DIRECTORY),
      SampleRuns.hostile(DIRECTORY)
    };
  }

  private static JsonNode json(ReportedRun run) throws IOException {
    StringWriter out = new StringWriter();
    new JsonForm().write(run, out);
    return new ObjectMapper().readTree(out.toString());
  }

  private static Schema documented() throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(new ObjectMapper().readTree(Files.readString(DOCUMENT)));
  }

  @Test
  void shouldBeMadeFromTheRecords() throws IOException {
    String generated = generate().toPrettyString() + "\n";
    if (Boolean.getBoolean("powercut.regenerate")) {
      Files.writeString(DOCUMENT, generated);
    }
    assertThat(Files.readString(DOCUMENT)).isEqualTo(generated);
  }

  @ParameterizedTest
  @MethodSource("runs")
  void shouldAcceptReports(ReportedRun run) throws IOException {
    assertThat(documented().validate(json(run))).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsNoReport() throws IOException {
    ObjectNode unknownKey = (ObjectNode) json(SampleRuns.withFindings(DIRECTORY));
    unknownKey.put("extra", 1);
    assertThat(documented().validate(unknownKey)).isNotEmpty();

    ObjectNode missingKey = (ObjectNode) json(SampleRuns.withFindings(DIRECTORY));
    missingKey.remove("findings");
    assertThat(documented().validate(missingKey)).isNotEmpty();

    ObjectNode otherEvidence = (ObjectNode) json(SampleRuns.withFindings(DIRECTORY));
    ((ObjectNode) otherEvidence.at("/findings/0/evidence/0")).put("analysis", "guess");
    assertThat(documented().validate(otherEvidence)).isNotEmpty();
  }
}
