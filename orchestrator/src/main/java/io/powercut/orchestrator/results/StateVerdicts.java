package io.powercut.orchestrator.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.tree.FailurePointId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of the log of crash states beyond program order: what became of all of those that were
 * chosen at one visit of a failure point.
 *
 * @param failurePointId 16 hexadecimal digits
 * @param visit which visit of the failure point it was, from 1
 * @param chosen how many states were judged, by the policy that chose them
 * @param recoveries for how many of them recovery was run; the images of the others were known
 * @param unread how many of them only differ in what recovery does not read
 * @param failing how many of them recovery cannot cope with
 * @param findings one for each culprit that was found here first
 * @param again fingerprints of culprits that were found before and showed here as well
 * @param inconclusive why states could not be judged, with how many each
 * @param complete whether all states that were chosen were looked at
 */
public record StateVerdicts(
    String failurePointId,
    long visit,
    Map<String, Integer> chosen,
    int recoveries,
    int unread,
    int failing,
    List<Judgement> findings,
    List<String> again,
    Map<String, Integer> inconclusive,
    boolean complete)
    implements VisitLog.Line {
  /** Copies the collections. */
  public StateVerdicts {
    chosen = new LinkedHashMap<>(chosen);
    findings = List.copyOf(findings);
    again = List.copyOf(again);
    inconclusive = new LinkedHashMap<>(inconclusive);
  }

  /** Of a visit at which no state was chosen. */
  public static StateVerdicts none(Visit visit) {
    return new StateVerdicts(
        visit.id().toString(),
        visit.number(),
        Map.of(),
        0,
        0,
        0,
        List.of(),
        List.of(),
        Map.of(),
        true);
  }

  /** Where the states were. */
  @Override
  public Visit at() {
    return new Visit(FailurePointId.parse(failurePointId), visit);
  }

  /** How many states were chosen. */
  public int total() {
    return chosen.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Whether nothing is left to judge here. */
  @JsonIgnore
  public boolean isSettled() {
    return complete && inconclusive.isEmpty();
  }
}
