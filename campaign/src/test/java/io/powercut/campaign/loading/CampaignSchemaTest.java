// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.powercut.campaign.CampaignFixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignSchemaTest {
  private static final YAMLMapper YAML =
      new YAMLMapper(
          new YAMLFactory().enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS));
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(CampaignSchema.generate());

  static Stream<Path> campaigns() {
    return Stream.concat(
        Stream.of(CampaignFixtures.everyKey()), CampaignFixtures.projectCampaigns().stream());
  }

  @ParameterizedTest
  @MethodSource("campaigns")
  void shouldAcceptEveryCampaign(Path file) throws IOException {
    List<Error> errors = errors(Files.readString(file));

    assertThat(errors)
        .filteredOn(
            error -> !(CampaignFixtures.isBase(file) && error.getKeyword().equals("required")))
        .isEmpty();
  }

  @Test
  void shouldAcceptWhatInitWrites() throws IOException {
    assertThat(errors(CampaignTemplate.render("app", Optional.of("./app")))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limits: null",
        "parameters: {a: 1, b: true, c: x, d: null}",
        "target: {command: [app, 1, true, 1.5]}",
        "recovery: {timeout: 1h30m}",
        "recovery: [{name: check}]",
        "limits: {parallel: auto, memory: 1GiB}",
        "pm: {directory: auto}",
        "target: {stop: {signal: SIGTERM}}"
      })
  void shouldAcceptPartsOfACampaignThatExtends(String part) throws IOException {
    assertThat(errors("extends: base.yaml\n" + part)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tagret: {}",
        "target: {comand: [app]}",
        "target: {command: []}",
        "target: {command: app}",
        "target: {timeout: 10}",
        "target: {timeout: 10x}",
        "target: {timeout: 1h 30m}",
        "target: {timeout: 30m1h}",
        "target: {success: {exit: [256]}}",
        "target: {stop: {signal: TREM}}",
        "recovery: []",
        "recovery: [{tmeout: 1s}]",
        "name: My App",
        "limits: {memory: 512}",
        "limits: {parallel: 0}",
        "limits: {parallel: many}",
        "injection: reexecuted",
        "determinism: {time: true}",
        "oracle: {controls: maybe}",
        "parameters: {a b: 1}",
        "environment: {A-B: 1}",
        "failurePoints: {granularity: stores}",
        "extends: [a.yaml]"
      })
  void shouldRefuseMistakes(String mistake) throws IOException {
    String base = mistake.startsWith("extends") ? "" : "extends: base.yaml\n";

    assertThat(errors(base + mistake)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "target: {command: [app]}",
        "recovery: {command: [check]}",
        "target: {timeout: 1s}\nrecovery: {command: [check]}",
        "target: {command: [app]}\nrecovery: {timeout: 1s}",
        "target: {command: [app]}\nrecovery: [{command: [a]}, {timeout: 1s}]",
        "target: {command: [app]}\nrecovery: {command: [check]}\nbuild: {}"
      })
  void shouldMissWhatNoFileSays(String incomplete) throws IOException {
    assertThat(errors(incomplete)).extracting(Error::getKeyword).contains("required");
  }

  @Test
  void shouldTellEditorsWhatEveryKeyMeans() {
    JsonNode schema = CampaignSchema.generate();

    assertThat(schema.at("/properties/recovery/description").asText())
        .startsWith("Judges a crash image");
    assertThat(schema.at("/$defs/TargetSection/properties/timeout/default").asText())
        .isEqualTo("10m");
    assertThat(schema.findValues("description")).hasSizeGreaterThan(50);
    assertThat(schema.at("/properties").fieldNames())
        .toIterable()
        .startsWith("name", "description", "parameters")
        .contains("extends");
  }

  private static List<Error> errors(String yaml) throws IOException {
    return SCHEMA.validate(YAML.readTree(yaml));
  }
}
