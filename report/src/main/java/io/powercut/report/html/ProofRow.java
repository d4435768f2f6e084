// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.Proof;
import io.powercut.report.format.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Crashes that proved a finding in one way, as a row of a table.
 *
 * @param place the failure points' frame in the user's code
 * @param stores what was lost and what persisted before it; empty in program order
 * @param message what recovery made of it
 * @param crashes where the power was cut: failure points, with the occurrence if it is not the
 *     first, and the state
 */
record ProofRow(String place, String stores, String message, List<String> crashes) {
  private record Way(String place, String stores, String message) {
    static Way of(Proof proof) {
      return new Way(Text.printed(proof.place()), stores(proof), Text.printed(proof.message()));
    }

    private static String stores(Proof proof) {
      String lost = String.join(", ", proof.lost());
      return Text.printed(
          proof.arrived().isEmpty()
              ? lost
              : lost + "; persisted before: " + String.join(", ", proof.arrived()));
    }
  }

  /** The rows of a finding. */
  static List<ProofRow> of(List<Proof> proofs) {
    Map<Way, List<String>> ways = new LinkedHashMap<>();
    proofs.forEach(
        proof -> ways.computeIfAbsent(Way.of(proof), unknown -> new ArrayList<>()).add(at(proof)));
    return ways.entrySet().stream()
        .map(
            way ->
                new ProofRow(
                    way.getKey().place(),
                    way.getKey().stores(),
                    way.getKey().message(),
                    way.getValue().stream().distinct().toList()))
        .toList();
  }

  private static String at(Proof proof) {
    return proof.failurePointId()
        + (proof.occurrence() > 1 ? " occurrence " + proof.occurrence() : "")
        + proof.state().map(id -> " state " + id).orElse("")
        + proof.recoveryCrash().map(id -> " recovery crash " + id).orElse("");
  }
}
