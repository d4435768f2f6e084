// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The SARIF files of several campaigns as one with a single run, since code hosts refuse files with
 * many runs. Results keep their fingerprints, and name their campaign as a property.
 */
public final class SweepSarif {
  private static final String RULES = "rules";
  private static final String BASES = "originalUriBaseIds";
  private static final String BASE = "uriBaseId";
  private static final String RULE = "ruleId";

  private final ObjectNode run;
  private final ArrayNode rules;
  private final ArrayNode invocations;
  private final ArrayNode results;
  private final Map<String, Integer> ruleIndices = new HashMap<>();

  /** Begins with no campaign. */
  public SweepSarif() {
    this.run = Json.tree(SarifForm.run("powercut/sweep/", List.of(), Map.of(), rules -> List.of()));
    this.rules = (ArrayNode) run.at("/tool/driver/" + RULES);
    this.invocations = run.putArray("invocations");
    this.results = (ArrayNode) run.get("results");
    rules.forEach(rule -> ruleIndices.put(rule.get("id").asText(), ruleIndices.size()));
  }

  /**
   * Adds a campaign's run.
   *
   * @param file its SARIF file
   * @throws IOException if it cannot be read or is none
   */
  public void add(String campaign, Path file) throws IOException {
    JsonNode one = Json.read(file, JsonNode.class).at("/runs/0");
    if (!(one instanceof ObjectNode added)) {
      throw new IOException(file + " is not SARIF");
    }
    addBases(added);
    for (JsonNode rule : added.at("/tool/driver/" + RULES)) {
      if (ruleIndices.putIfAbsent(rule.path("id").asText(), rules.size()) == null) {
        rules.add(rule);
      }
    }
    for (JsonNode invocation : added.path("invocations")) {
      invocations.add(of(campaign, invocation));
    }
    for (JsonNode result : added.path("results")) {
      ObjectNode own = of(campaign, result);
      own.put("ruleIndex", ruleIndices.getOrDefault(result.path(RULE).asText(), -1));
      results.add(own);
    }
  }

  private static ObjectNode of(String campaign, JsonNode node) {
    ObjectNode own = node.deepCopy();
    own.putObject("properties").put("campaign", campaign);
    return own;
  }

  /** A name of one run that means another directory in this one gets a name of its own. */
  private void addBases(ObjectNode added) {
    for (Map.Entry<String, JsonNode> base : added.path(BASES).properties()) {
      ObjectNode known = run.withObjectProperty(BASES);
      String name = base.getKey();
      for (int number = 2; isTaken(known.get(name), base.getValue()); number++) {
        name = base.getKey() + "-" + number;
      }
      known.set(name, base.getValue());
      if (!name.equals(base.getKey())) {
        rename(added.path("results"), base.getKey(), name);
      }
    }
  }

  private static boolean isTaken(@Nullable JsonNode known, JsonNode wanted) {
    return known != null && !known.equals(wanted);
  }

  private static void rename(JsonNode node, String from, String to) {
    if (node instanceof ObjectNode object && object.path(BASE).asText().equals(from)) {
      object.put(BASE, to);
    }
    node.forEach(child -> rename(child, from, to));
  }

  /**
   * Adds a campaign that came to no result.
   *
   * @param exitCode as {@code powercut run} ends; nothing when it was not run
   * @param reason in words
   */
  public void addFailure(String campaign, Optional<Integer> exitCode, String reason) {
    ObjectNode invocation = invocations.addObject();
    invocation.put("executionSuccessful", false);
    exitCode.ifPresent(code -> invocation.put("exitCode", code));
    ObjectNode notification = invocation.putArray("toolExecutionNotifications").addObject();
    notification.put("level", "error");
    notification.putObject("message").put("text", campaign + ": " + reason);
    invocation.putObject("properties").put("campaign", campaign);
  }

  /** Writes the file. */
  public void write(Writer out) throws IOException {
    ObjectNode log = Json.tree(new Sarif.Log(Sarif.SCHEMA, Sarif.VERSION, List.of()));
    log.putArray("runs").add(run);
    Json.write(log, out);
  }
}
