// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.facts.OracleControls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a run knows of itself, beside tree, verdicts and patterns; {@code run.json} holds it.
 *
 * @param campaignFile the campaign file as it was named, absolute
 * @param started when the run, or its first part, began: ISO 8601 with the offset from UTC
 * @param treeIsWhole whether the target was seen to its end, so that the tree has all failure
 *     points
 * @param targetBuildId the build id of the target's program, hexadecimal; empty when it has none
 * @param shard the part of the failure points that was injected; all when there is none
 * @param missingParts of a merged run: the parts that it does not have
 * @param timings seconds of wall time by phase; of a merged run, those of all parts together
 * @param environment the machine and the tools
 * @param controls what recovery made of damaged images; nothing if it was not asked
 * @param outside what the target persisted outside its PM directory; nothing if that is not known
 * @param files the sizes in bytes of the files that the run had written when it ended, by name;
 *     nothing if it has not
 * @param stopped why Powercut itself could not continue; nothing if it could
 */
public record RunFacts(
    String campaignFile,
    String started,
    boolean treeIsWhole,
    String targetBuildId,
    Optional<Shard> shard,
    List<Shard> missingParts,
    Map<String, Double> timings,
    Map<String, String> environment,
    Optional<OracleControls> controls,
    Optional<OutsideWrites> outside,
    Optional<Map<String, Long>> files,
    Optional<String> stopped) {
  /** Copies the collections, keeping their order; runs of before did not tell some of it. */
  @SuppressWarnings("NullAway") // as old files are read
  public RunFacts {
    missingParts = List.copyOf(missingParts);
    timings = new LinkedHashMap<>(timings);
    environment = new LinkedHashMap<>(environment);
    files = files == null ? Optional.empty() : files.map(TreeMap::new);
    stopped = stopped == null ? Optional.empty() : stopped;
  }
}
