// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.powercut.exit.ExitCode;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Proof;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.facts.TraceTotals;
import io.powercut.report.facts.Untested;
import io.powercut.report.rundir.OutsideWrites;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointId;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The result of one run, as {@code report.json} holds it; docs/report.md describes it for readers
 * of other languages.
 *
 * @param format version of this layout; 3
 * @param campaign what was run
 * @param outcome how it ended
 * @param failurePoints how many there were
 * @param images how many crash images were judged
 * @param verdicts how often each kind of verdict was given, every kind being present
 * @param states crash states beyond program order; empty when the campaign does not want them
 * @param recoveryCrashes cuts in recovery itself; empty when the campaign does not want them
 * @param trace what the target did to persistent memory; empty when patterns were not looked for
 * @param races persistency-induced races; empty when they were not looked for, or one thread alone
 *     used persistent memory
 * @param dataRaces races in any memory; empty when they were not looked for
 * @param findings what was found, the most urgent first
 * @param untested functions that persist something but were not tested; empty when that was not
 *     looked for, as with findings of recovery, or is unknown
 * @param baseline the accepted findings, when the campaign has such a file
 * @param inconclusive why failure points could not be judged, with how many each
 * @param controls what recovery made of damaged images; empty if it was not asked
 * @param outside what the target persisted outside its PM directory; empty if that is not known
 * @param timings seconds of wall time by phase
 * @param environment the machine and the tools
 */
@JsonPropertyOrder({
  "format",
  "campaign",
  "outcome",
  "failurePoints",
  "images",
  "verdicts",
  "states",
  "recoveryCrashes",
  "trace",
  "races",
  "dataRaces",
  "findings",
  "untested",
  "baseline",
  "inconclusive",
  "controls",
  "outside",
  "timings",
  "environment"
})
public record Report(
    int format,
    CampaignSummary campaign,
    Outcome outcome,
    FailurePoints failurePoints,
    Images images,
    Map<String, Long> verdicts,
    Optional<States> states,
    @JsonAlias("secondCrashes") Optional<RecoveryCrashes> recoveryCrashes,
    Optional<TraceTotals> trace,
    Optional<Races> races,
    Optional<DataRaces> dataRaces,
    List<Finding> findings,
    Optional<Untested> untested,
    Optional<BaselineUse> baseline,
    Map<String, Long> inconclusive,
    Optional<OracleControls> controls,
    Optional<OutsideWrites> outside,
    Map<String, Double> timings,
    Map<String, String> environment) {
  /** Version of the layout that this class writes. */
  public static final int FORMAT = 3;

  /**
   * Copies the lists; the maps keep their order and are not to be changed afterwards. Earlier
   * versions wrote no {@code races} and {@code dataRaces}.
   */
  @SuppressWarnings("NullAway") // as old files are read
  public Report {
    races = races == null ? Optional.empty() : races;
    dataRaces = dataRaces == null ? Optional.empty() : dataRaces;
    findings = List.copyOf(findings);
  }

  /** The same with other findings. */
  public Report with(List<Finding> others) {
    return new Report(
        format,
        campaign,
        outcome,
        failurePoints,
        images,
        verdicts,
        states,
        recoveryCrashes,
        trace,
        races,
        dataRaces,
        others,
        untested,
        baseline,
        inconclusive,
        controls,
        outside,
        timings,
        environment);
  }

  /** Whether recovery refused no image, neither a crash image nor one that was damaged for it. */
  @JsonIgnore
  public boolean mayBeBlind() {
    return !refusedAny() && controls.map(OracleControls::isBlind).orElse(false);
  }

  /**
   * Whether the power was cut at all, be it behind the last instruction only, or in another part of
   * the campaign.
   */
  @JsonIgnore
  public boolean isTested() {
    return failurePoints.unique() > 0 || isTestedAtTheEnd() || isLeftToAnotherPart();
  }

  /** Whether states were judged. */
  @JsonIgnore
  public boolean isTestedAtTheEnd() {
    return states.filter(some -> some.judged() > 0).isPresent();
  }

  private boolean isLeftToAnotherPart() {
    return campaign.shard().isPresent() && outcome.exitCode() != ExitCode.NOT_TRUSTWORTHY.code();
  }

  /** What recovery made of damaged images, for a person. */
  @JsonIgnore
  public Optional<String> controlsInWords() {
    return controls.map(one -> one.inWords(refusedAny()));
  }

  private boolean refusedAny() {
    return verdicts.entrySet().stream()
            .anyMatch(one -> one.getValue() > 0 && Verdict.Kind.valueOf(one.getKey()).isFinding())
        || states.map(States::failing).orElse(0L) > 0
        || recoveryCrashes.map(RecoveryCrashes::failing).orElse(0L) > 0;
  }

  /** The findings of program order by their failure points. */
  public Map<FailurePointId, Finding> byFailurePoint() {
    Map<FailurePointId, Finding> found = new HashMap<>();
    for (Finding finding : findings) {
      finding.proofs().stream()
          .filter(Proof::isOfProgramOrder)
          .forEach(proof -> found.putIfAbsent(proof.failurePointId(), finding));
    }
    return found;
  }

  /**
   * @param name the campaign's name
   * @param file the campaign file, absolute
   * @param injection {@code re-executed} or {@code recorded}
   * @param granularity {@code persistency} or {@code store}
   * @param started when the run began: ISO 8601 with the offset from UTC
   * @param targetBuildId the build id of the target's program, hexadecimal; empty when it has none
   * @param shard which part of the failure points was injected, as {@code 2/5}; empty for all
   */
  public record CampaignSummary(
      String name,
      String file,
      String injection,
      String granularity,
      String started,
      String targetBuildId,
      Optional<String> shard) {}

  /**
   * @param exitCode 0 to 4, as {@code powercut} exits
   * @param meaning the exit code in words
   * @param complete whether every failure point has a verdict other than inconclusive
   */
  public record Outcome(int exitCode, String meaning, boolean complete) {}

  /**
   * @param reached how often failure points were reached in the instrumented run
   * @param unique how many different ones there are
   * @param injected at how many of them the power was cut and recovery asked
   */
  public record FailurePoints(long reached, long unique, long injected) {}

  /**
   * @param judged how many failure points were judged
   * @param distinct how many different images there were among them; equal ones share a recovery
   */
  public record Images(long judged, long distinct) {}

  /**
   * Crash states beyond program order.
   *
   * @param judged how many states were judged
   * @param byPolicy how many of them each policy chose
   * @param left how many further states each policy wanted judged and did not get; at most, where
   *     lines were so many, or had so many stores, that not all were looked at
   * @param recoveries how many recoveries that took, the search for culprits included; equal images
   *     share one
   * @param unread how many of them only differ in what recovery does not read
   * @param failing how many of them recovery cannot handle
   * @param unexplored at how many failure points with a consistent image they were not all judged
   * @param decided at how many failure points every legal state is decided, at each occurrence that
   *     was judged
   * @param tested at how many failure points an image was judged
   */
  public record States(
      long judged,
      Map<String, Long> byPolicy,
      Map<String, Long> left,
      long recoveries,
      long unread,
      long failing,
      long unexplored,
      long decided,
      long tested) {}

  /**
   * Cuts in recovery itself.
   *
   * @param images on how many crash images recovery was recorded
   * @param failurePoints how many different failure points of recovery were cut
   * @param judged how many images these cuts left
   * @param states how many crash states beyond program order were judged beside them
   * @param recoveries how many recoveries these took; equal images share one
   * @param failing how many images and states recovery cannot handle
   * @param uncut on how many images that were to be cut this is not done, or not to its end
   * @param left how many images recovery succeeds on that were not to be cut
   */
  public record RecoveryCrashes(
      long images,
      long failurePoints,
      long judged,
      long states,
      long recoveries,
      long failing,
      long uncut,
      long left) {}

  /**
   * Persistency-induced races.
   *
   * @param byEvidence how many there are of each kind of evidence, the strongest first, those that
   *     a crash confirmed included
   * @param confirmed how many of them a crash confirmed: they are part of a bug
   * @param tried of how many recovery was tried without the store
   * @param complete whether all of the trace could be kept, so that none is missing
   * @param failures orders of threads in which the target failed without any crash
   * @param left how many holds of writers were not tried, by the key of the campaign that limited
   *     them: {@code races.holds}, {@code races.holdTime} or {@code limits}
   * @param limits of what is kept of a trace that were reached, in words
   * @param serial whether threads used persistent memory one after the other, or one alone
   */
  public record Races(
      Map<String, Long> byEvidence,
      long confirmed,
      long tried,
      boolean complete,
      List<FailedOrder> failures,
      Map<String, Long> left,
      List<String> limits,
      boolean serial) {
    /** Copies the lists. Earlier versions wrote no {@code failures}, {@code left} or limits. */
    @SuppressWarnings("NullAway") // as old files are read
    public Races {
      failures = failures == null ? List.of() : List.copyOf(failures);
      left = left == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(left));
      limits = limits == null ? List.of() : List.copyOf(limits);
    }

    /** What may have kept races from being found, a sentence each. */
    @JsonIgnore
    public List<String> notes() {
      return RaceLog.notes(limits, serial);
    }

    /**
     * What is known where no crash confirmed any. A bug beside them may still come from a race:
     * from what another thread made of the store, not from its loss.
     */
    @JsonIgnore
    public String unconfirmedInWords() {
      return confirmed == 0
          ? ": where that was tried, recovery succeeds if nothing but their store is lost"
          : "";
    }
  }

  /**
   * Data races, of a target that {@code powercut cc} compiled.
   *
   * @param runs how often the target was run for them, from 1
   * @param confirmed how many findings have both accesses of a race
   * @param unconfirmed how many are suspicions of KARD
   * @param suppressed how many more races there were that the campaign suppresses
   * @param limits what was not seen, in sentences
   * @param failures how runs ended that did not end well, in sentences
   */
  public record DataRaces(
      int runs,
      long confirmed,
      long unconfirmed,
      int suppressed,
      List<String> limits,
      List<String> failures) {
    /** Copies the lists. */
    public DataRaces {
      limits = List.copyOf(limits);
      failures = List.copyOf(failures);
    }

    /** How many there are, without what limits the result. */
    @JsonIgnore
    public String inWords() {
      return "%s in %s%s%s"
          .formatted(
              confirmed == 0 ? "none" : Long.toString(confirmed),
              runs == 1 ? "one run" : runs + " runs",
              unconfirmed == 0 ? "" : ", %d unconfirmed".formatted(unconfirmed),
              suppressed == 0 ? "" : ", %d suppressed".formatted(suppressed));
    }
  }

  /**
   * @param file the file of accepted findings, absolute
   * @param accepted how many findings of this run are accepted
   * @param gone fingerprints in the file that this run, which was complete, did not show
   * @param former fingerprints in the file that an earlier version of Powercut gave, with what the
   *     findings that they accept are called now: these are to be looked at and accepted anew
   */
  public record BaselineUse(
      String file, int accepted, List<String> gone, Map<String, List<String>> former) {
    /** Copies the list; the map keeps its order and is not to be changed afterwards. */
    public BaselineUse {
      gone = List.copyOf(gone);
    }
  }
}
