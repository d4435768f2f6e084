// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The mutants that recovery accepted when the strength of a campaign's oracle was last measured.
 */
final class Survivors {
  private Survivors() {}

  /**
   * Those of the campaign that a run belongs to; none if {@code powercut strength} never ran.
   *
   * @param run its directory, beside which the result is
   */
  static List<StrengthPage.Mutant> of(Path run) {
    Path file = run.resolveSibling("strength.json");
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    try {
      return survivors(Json.read(file, ObjectNode.class).path("bugs"));
    } catch (IOException e) {
      return List.of(); // Another command's file; a report of this run is worth more.
    }
  }

  private static List<StrengthPage.Mutant> survivors(JsonNode mutants) throws IOException {
    List<StrengthPage.Mutant> survivors = new ArrayList<>();
    for (int index = 0; index < mutants.size(); index++) {
      JsonNode mutant = mutants.get(index);
      if (mutant.path("outcome").asText().equals(StrengthPage.Outcome.SURVIVED.name())) {
        survivors.add(
            new StrengthPage.Mutant(
                StrengthPage.Outcome.SURVIVED,
                "mutant-" + (index + 1),
                mutant.path("instruction").asText(),
                mutant.path("function").asText(),
                "",
                List.of(Json.parse(mutant.path("stack").toString(), StackFrame[].class))));
      }
    }
    return survivors;
  }
}
