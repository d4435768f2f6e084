package io.powercut.orchestrator.results;

import io.powercut.orchestrator.report.Evidence;
import io.powercut.orchestrator.report.Finding;
import io.powercut.orchestrator.report.InjectionEvidence;
import io.powercut.orchestrator.report.JudgedState;
import io.powercut.orchestrator.report.SamePlace;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.orchestrator.report.TraceEvidence;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Makes one finding of all that was seen of one mistake, and puts them in order. */
final class FindingMerge {
  /** Patterns that can be why a crash could not be recovered from. */
  private static final Set<String> OF_CORRECTNESS =
      Set.of("NOT_PERSISTED", "DIRTY_OVERWRITE", "UNORDERED_FENCE");

  /** The pattern that can be why stores to one line persisted one without the other. */
  private static final String OF_ATOMICITY = "MULTI_STORE_FLUSH";

  /** What recovery cannot cope with comes first, then what certainly gets lost, then the rest. */
  private static final Comparator<Finding> WHAT_TO_MEND_FIRST =
      Comparator.comparing((Finding finding) -> finding.accepted().isPresent())
          .thenComparing(finding -> rank(finding.severity()))
          .thenComparing(finding -> finding.injection().isEmpty())
          .thenComparing(Comparator.comparing(Finding::count).reversed())
          .thenComparing(Finding::fingerprint);

  private final Map<String, Finding> findings = new LinkedHashMap<>();

  /** By the fingerprint it would have, the one it has. */
  private final Map<String, String> otherNames = new HashMap<>();

  /** The findings of program order, by the image's content hash. */
  private final Map<String, String> byImage = new HashMap<>();

  /** The same by failure point. */
  private final Map<String, String> byFailurePoint = new HashMap<>();

  private static int rank(Severity severity) {
    return switch (severity) {
      case BUG -> 0;
      case PERFORMANCE -> 1;
      case WARNING -> 2;
    };
  }

  /**
   * Adds what one cut of the power showed. Call these before the patterns, and those of program
   * order before the others. A state becomes part of a finding of program order that has the same
   * image, that shows the same mistake in front of the lost stores, or that is at the place of one
   * of its stores.
   *
   * @param image content hash of the image, if it is known
   */
  void add(String fingerprint, InjectionEvidence evidence, Optional<String> image) {
    Optional<Finding> broken =
        ofProgramOrder(evidence, image)
            .or(() -> Optional.ofNullable(otherNames.get(fingerprint)).map(findings::get));
    if (broken.isPresent()) {
      addTo(broken.get(), fingerprint, evidence);
      return;
    }
    if (isOfProgramOrder(evidence)) {
      image.ifPresent(hash -> byImage.putIfAbsent(hash, fingerprint));
      byFailurePoint.put(evidence.failurePointId(), fingerprint);
    }
    Finding fresh =
        finding(
            evidence.verdict(),
            Severity.BUG,
            fingerprint,
            title(evidence),
            evidence.place(),
            evidence);
    findings.merge(fingerprint, fresh, (first, next) -> seenAgain(first));
  }

  /** Where the same was found before, it may not have been known that it is part of this one. */
  private void addTo(Finding finding, String fingerprint, InjectionEvidence evidence) {
    otherNames.put(fingerprint, finding.fingerprint());
    Optional<Finding> before = Optional.ofNullable(findings.remove(fingerprint));
    List<Evidence> all = new ArrayList<>(finding.evidence());
    before.ifPresent(own -> all.addAll(own.evidence()));
    all.add(evidence);
    long count = finding.count() + before.map(Finding::count).orElse(0L) + 1;
    findings.put(finding.fingerprint(), with(finding, count, all));
  }

  private static String title(InjectionEvidence evidence) {
    String seen =
        evidence.second().isPresent() ? "after a second crash " + evidence.seen() : evidence.seen();
    return evidence.state().map(JudgedState::remedy).orElse(seen);
  }

  /** Counts a finding at one more failure point; one that is not there is left out. */
  void addAgain(String fingerprint) {
    findings.computeIfPresent(
        otherNames.getOrDefault(fingerprint, fingerprint), (known, finding) -> seenAgain(finding));
  }

  private static boolean isOfProgramOrder(InjectionEvidence evidence) {
    return evidence.state().isEmpty() && evidence.second().isEmpty();
  }

  private Optional<Finding> ofProgramOrder(InjectionEvidence evidence, Optional<String> image) {
    return evidence
        .state()
        .flatMap(
            state ->
                image
                    .map(byImage::get)
                    .or(() -> state.shownBefore().map(byFailurePoint::get))
                    .map(findings::get)
                    .or(
                        () ->
                            findings.values().stream()
                                .filter(one -> isSameMistake(state, one))
                                .findFirst()));
  }

  private static boolean isSameMistake(JudgedState state, Finding finding) {
    return finding.injection().map(FindingMerge::isOfProgramOrder).orElse(false)
        && blamed(state).anyMatch(stack -> SamePlace.of(stack, finding.stack()));
  }

  private static Stream<List<StackFrame>> blamed(JudgedState state) {
    return Stream.concat(state.lost().stream(), state.arrived().stream())
        .map(store -> store.store().stack());
  }

  private static Finding seenAgain(Finding finding) {
    List<Evidence> evidence = new ArrayList<>(finding.evidence());
    evidence.set(0, finding.injection().orElseThrow().again());
    return with(finding, finding.count() + 1, evidence);
  }

  /** Adds a pattern: to the finding at its place if it can be that one's reason. */
  void add(PatternLog.Pattern pattern) {
    TraceEvidence evidence = pattern.evidence();
    Optional<Finding> broken =
        findings.values().stream().filter(one -> isReason(evidence, one)).findFirst();
    if (broken.isPresent()) {
      Finding finding = broken.get();
      findings.put(
          finding.fingerprint(), with(finding, finding.count(), and(finding.evidence(), evidence)));
      return;
    }
    Finding fresh =
        finding(
            evidence.pattern(),
            evidence.severity(),
            pattern.fingerprint(),
            evidence.seen(),
            evidence.stack(),
            evidence);
    findings.merge(pattern.fingerprint(), fresh, (first, next) -> inOneMoreWay(first, evidence));
  }

  /** The pattern at the same functions, between other instructions. */
  private static Finding inOneMoreWay(Finding finding, TraceEvidence evidence) {
    long count = finding.count() + evidence.count();
    List<Evidence> all = and(finding.evidence(), evidence);
    return new Finding(
        finding.kind(),
        finding.severity(),
        finding.fails(),
        finding.fingerprint(),
        count,
        String.format(
            Locale.ROOT,
            "%,d times in %d ways; the first: %s",
            count,
            all.size(),
            finding.evidence().get(0).seen()),
        finding.stack(),
        all,
        finding.accepted());
  }

  private static boolean isReason(TraceEvidence evidence, Finding finding) {
    Optional<InjectionEvidence> injection = finding.injection();
    if (injection.isEmpty()) {
      return false;
    }
    Optional<JudgedState> state = injection.get().state();
    if (state.isEmpty()) {
      return OF_CORRECTNESS.contains(evidence.pattern())
          && SamePlace.of(finding.stack(), evidence.stack());
    }
    return (OF_CORRECTNESS.contains(evidence.pattern()) || evidence.pattern().equals(OF_ATOMICITY))
        && blamed(state.get()).anyMatch(stack -> hasPlace(evidence, stack));
  }

  private static boolean hasPlace(TraceEvidence evidence, List<StackFrame> stack) {
    return evidence.places().stream().anyMatch(place -> SamePlace.of(stack, place.stack()));
  }

  private static List<Evidence> and(List<Evidence> evidence, Evidence more) {
    List<Evidence> all = new ArrayList<>(evidence);
    all.add(more);
    return all;
  }

  private static Finding finding(
      String kind,
      Severity severity,
      String fingerprint,
      String title,
      List<StackFrame> stack,
      Evidence evidence) {
    return new Finding(
        kind,
        severity,
        false,
        fingerprint,
        evidence.count(),
        title,
        stack,
        List.of(evidence),
        Optional.empty());
  }

  private static Finding with(Finding finding, long count, List<Evidence> evidence) {
    return new Finding(
        finding.kind(),
        finding.severity(),
        finding.fails(),
        finding.fingerprint(),
        count,
        finding.title(),
        finding.stack(),
        evidence,
        finding.accepted());
  }

  /** All findings as they are so far. */
  List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  /** The order of a report: what to mend first in front. */
  static List<Finding> sorted(List<Finding> findings) {
    return findings.stream().sorted(WHAT_TO_MEND_FIRST).toList();
  }
}
