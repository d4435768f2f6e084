// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format) that Powercut
 * writes, named as the standard names them. What is empty is left out.
 */
final class Sarif {
  static final String VERSION = "2.1.0";
  static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  private Sarif() {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Log(@JsonProperty("$schema") String schema, String version, List<Run> runs) {}

  /** Results are there also when there are none: it is how SARIF says that it was looked. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Run(
      Tool tool,
      AutomationDetails automationDetails,
      List<Invocation> invocations,
      Map<String, ArtifactLocation> originalUriBaseIds,
      String columnKind,
      @JsonInclude(JsonInclude.Include.ALWAYS) List<Result> results) {}

  record Tool(ToolComponent driver) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record ToolComponent(
      String name, String version, String informationUri, List<ReportingDescriptor> rules) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record ReportingDescriptor(
      String id,
      String name,
      Message shortDescription,
      Message fullDescription,
      Message help,
      String helpUri,
      Configuration defaultConfiguration) {}

  record Configuration(String level) {}

  record AutomationDetails(String id) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Invocation(
      boolean executionSuccessful,
      int exitCode,
      String exitCodeDescription,
      String startTimeUtc,
      List<Notification> toolExecutionNotifications) {}

  record Notification(String level, Message message) {}

  record Message(String text) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Result(
      String ruleId,
      int ruleIndex,
      String level,
      Message message,
      long occurrenceCount,
      List<Location> locations,
      Map<String, String> partialFingerprints,
      List<Stack> stacks,
      List<CodeFlow> codeFlows,
      List<Location> relatedLocations,
      List<Suppression> suppressions) {}

  record Suppression(String kind, String status, String justification) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Location(
      Optional<Integer> id,
      Optional<PhysicalLocation> physicalLocation,
      List<LogicalLocation> logicalLocations,
      Optional<Message> message) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record PhysicalLocation(ArtifactLocation artifactLocation, Optional<Region> region) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record ArtifactLocation(String uri, Optional<String> uriBaseId) {}

  record Region(int startLine) {}

  record LogicalLocation(String name, String kind) {}

  record Stack(Message message, List<Frame> frames) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Frame(Location location, String module) {}

  record CodeFlow(Message message, List<ThreadFlow> threadFlows) {}

  record ThreadFlow(List<ThreadFlowLocation> locations) {}

  record ThreadFlowLocation(Location location, int nestingLevel) {}
}
