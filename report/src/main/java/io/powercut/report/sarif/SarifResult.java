// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.format.Text;
import io.powercut.tree.Instruction;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A finding as SARIF's result. It is at the innermost frame that lies in the repository, where a
 * code host can show it; every call stack is there as a stack, for editors, and as a code flow, for
 * code hosts, which know no stacks.
 */
final class SarifResult {
  /** More would repeat what {@code report.json} has. */
  private static final int EVIDENCE_SHOWN = 10;

  private final SourceRoot root;
  private final SarifRules rules;

  SarifResult(SourceRoot root, SarifRules rules) {
    this.root = root;
    this.rules = rules;
  }

  /** A call stack and what happened at its innermost frame. */
  private record Happening(String what, List<StackFrame> stack) {}

  Sarif.Result of(Finding finding) {
    List<Happening> happenings =
        finding.evidence().stream()
            .limit(EVIDENCE_SHOWN)
            .flatMap(evidence -> happenings(evidence).stream())
            .filter(happening -> !happening.stack().isEmpty())
            .toList();
    return new Sarif.Result(
        SarifRules.id(finding.kind()),
        rules.indexOf(finding),
        SarifRules.level(finding.severity()),
        new Sarif.Message(message(finding)),
        finding.count(),
        place(finding.stack()).map(frame -> location(frame)).stream().toList(),
        Map.of("powercut/v1", finding.fingerprint()),
        happenings.stream().map(this::stack).toList(),
        happenings.stream().map(this::codeFlow).toList(),
        related(happenings),
        finding.accepted().stream()
            .map(one -> new Sarif.Suppression("external", "accepted", one.reason()))
            .toList());
  }

  private static List<Happening> happenings(Evidence evidence) {
    return evidence.match(
        SarifResult::happeningsOf,
        SarifResult::happeningsOf,
        SarifResult::happeningsOf,
        SarifResult::happeningsOf);
  }

  private static List<Happening> happeningsOf(InjectionEvidence injection) {
    List<Happening> happenings = new ArrayList<>();
    injection
        .state()
        .ifPresent(
            state -> {
              JudgedState.Shown shown = state.shown();
              shown.lost().forEach(store -> happenings.add(happening("lost", store)));
              shown
                  .arrived()
                  .forEach(store -> happenings.add(happening("persisted before it", store)));
            });
    injection.lostMetadata().stream()
        .flatMap(lost -> lost.calls().stream())
        .forEach(call -> happenings.add(new Happening("lost: " + call.named(), call.stack())));
    happenings.add(
        new Happening(
            "power cut before " + Instruction.inWords(injection.instruction()), injection.stack()));
    injection
        .recoveryCrash()
        .ifPresent(
            second ->
                happenings.add(
                    new Happening("power cut again, " + second.inWords(), second.stack())));
    happenings.add(new Happening(injection.recoveryEnd(), injection.recoveryStack()));
    return happenings;
  }

  private static List<Happening> happeningsOf(TraceEvidence trace) {
    List<Happening> happenings = new ArrayList<>();
    for (TraceEvidence.Place place : trace.places()) {
      happenings.add(new Happening(place.role() + " (" + place.instruction() + ")", place.stack()));
    }
    return happenings;
  }

  private static List<Happening> happeningsOf(PersistencyRace race) {
    List<Happening> happenings = new ArrayList<>();
    happenings.add(happening("stored", race.store()));
    race.persist().ifPresent(step -> happenings.add(happening(race.end().toString(), step)));
    happenings.add(happening("loaded", race.load()));
    return happenings;
  }

  private static List<Happening> happeningsOf(DataRace race) {
    List<Happening> happenings = new ArrayList<>();
    String holder = race.hasHolder() ? "critical section of the holder, " : "";
    happenings.add(new Happening(holder + race.first().inWords(), race.first().stack()));
    happenings.add(new Happening(race.second().inWords(), race.second().stack()));
    happenings.add(new Happening("allocated", race.object().allocated()));
    return happenings;
  }

  private static Happening happening(String what, PersistencyRace.Step step) {
    return new Happening(what + " by thread " + step.thread(), step.stack());
  }

  private static Happening happening(String what, JudgedState.Store store) {
    return new Happening(
        "%s: the store of %s at 0x%x of %s"
            .formatted(
                what,
                Text.counted(store.store().size(), "byte"),
                store.store().offset(),
                store.store().file()),
        store.store().stack());
  }

  private static String message(Finding finding) {
    StringBuilder message = new StringBuilder(finding.title());
    if (!finding.seenInWords().isEmpty()) {
      message.append(" (").append(finding.seenInWords()).append(')');
    }
    finding
        .injection()
        .ifPresent(
            injection -> {
              message.append("\nPower cut before ").append(injection.instruction());
              UserCode.of(injection.stack())
                  .ifPresent(frame -> message.append(" in ").append(frame.text()));
              injection
                  .recoveryCrash()
                  .ifPresent(
                      second -> message.append("\nPower cut again, ").append(second.inWords()));
              message.append("\nReplay: ").append(injection.replay());
            });
    finding.patterns().stream()
        .limit(EVIDENCE_SHOWN)
        .map(TraceEvidence::seen)
        .filter(seen -> !seen.equals(finding.title()))
        .forEach(seen -> message.append("\nIn the trace: ").append(seen));
    return message.toString();
  }

  private Optional<StackFrame> place(List<StackFrame> stack) {
    return stack.stream()
        .filter(frame -> root.holds(frame.file()))
        .findFirst()
        .or(() -> UserCode.of(stack).filter(frame -> !frame.file().isEmpty()))
        .or(() -> stack.stream().filter(frame -> !frame.file().isEmpty()).findFirst())
        .or(() -> stack.stream().findFirst());
  }

  private Sarif.Location location(StackFrame frame) {
    return new Sarif.Location(Optional.empty(), physical(frame), logical(frame), Optional.empty());
  }

  private Sarif.Location location(StackFrame frame, String message) {
    return new Sarif.Location(
        Optional.empty(), physical(frame), logical(frame), Optional.of(new Sarif.Message(message)));
  }

  private Optional<Sarif.PhysicalLocation> physical(StackFrame frame) {
    return root.locate(frame.file())
        .map(
            file ->
                new Sarif.PhysicalLocation(
                    file,
                    frame.line() > 0
                        ? Optional.of(new Sarif.Region(frame.line()))
                        : Optional.empty()));
  }

  private static List<Sarif.LogicalLocation> logical(StackFrame frame) {
    return frame.function().isEmpty()
        ? List.of()
        : List.of(new Sarif.LogicalLocation(frame.function(), "function"));
  }

  private Sarif.Stack stack(Happening happening) {
    return new Sarif.Stack(
        new Sarif.Message(happening.what()),
        happening.stack().stream()
            .map(frame -> new Sarif.Frame(location(frame, frame.text()), frame.module()))
            .toList());
  }

  /** From the outermost call inwards, as it happened. */
  private Sarif.CodeFlow codeFlow(Happening happening) {
    List<Sarif.ThreadFlowLocation> steps = new ArrayList<>();
    for (int index = happening.stack().size() - 1; index >= 0; index--) {
      StackFrame frame = happening.stack().get(index);
      steps.add(
          new Sarif.ThreadFlowLocation(
              location(frame, index == 0 ? happening.what() : "calls from " + frame.text()),
              steps.size()));
    }
    return new Sarif.CodeFlow(
        new Sarif.Message(happening.what()), List.of(new Sarif.ThreadFlow(List.copyOf(steps))));
  }

  /** The other places that take part, to be led to from the first. */
  private List<Sarif.Location> related(List<Happening> happenings) {
    List<Sarif.Location> related = new ArrayList<>();
    for (Happening happening :
        happenings.subList(Math.min(1, happenings.size()), happenings.size())) {
      place(happening.stack())
          .flatMap(
              frame ->
                  physical(frame)
                      .map(
                          physical ->
                              new Sarif.Location(
                                  Optional.of(related.size() + 1),
                                  Optional.of(physical),
                                  logical(frame),
                                  Optional.of(new Sarif.Message(happening.what())))))
          .ifPresent(related::add);
    }
    return related;
  }
}
