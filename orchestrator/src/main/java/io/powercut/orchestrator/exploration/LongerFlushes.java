// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.changes.ShortFlushes;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.format.Text;
import io.powercut.report.mistakes.CrashPlaces;
import io.powercut.report.mistakes.ShortFlush;
import io.powercut.trace.Location;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The advice to flush more, where a flush that is meant for a lost store falls short of it. */
final class LongerFlushes {
  private final TraceTables tables;
  private final ShortFlushes<CrashPlaces.Line, ShortFlush> flushes;
  private final Map<AdviceQuestions.Question, List<ShortFlushes.Loss<CrashPlaces.Line>>> losses =
      new HashMap<>();
  private final Map<Occurrence, List<ShortFlushes.Loss<CrashPlaces.Line>>> cuts = new HashMap<>();

  /**
   * @param tables what the numbers of the trace mean
   */
  LongerFlushes(TraceTables tables) {
    this.tables = tables;
    flushes =
        new ShortFlushes<>(
            code -> CrashPlaces.Line.of(stack(code)), code -> ShortFlush.of(stack(code)));
  }

  private List<StackFrame> stack(StoreCode code) {
    return TargetStack.of(tables.stack(code.stack(), code.site()));
  }

  /** Asks for one finding, whose first lost store was judged like that where it was found. */
  void ask(AdviceQuestions.Question question, JudgedState state) {
    Optional<CrashPlaces.Line> line =
        CrashPlaces.Line.of(state.lost().get(0).store().stack())
            .filter(one -> question.lacksFlush());
    List<ShortFlushes.Loss<CrashPlaces.Line>> all = new ArrayList<>();
    line.ifPresent(
        place -> {
          for (Occurrence occurrence : question.occurrences()) {
            for (AdviceQuestions.Sighting sighting : question.at(occurrence)) {
              if (!sighting.isOther()) {
                ShortFlushes.Loss<CrashPlaces.Line> loss =
                    flushes.ask(place, question.lost(sighting.state()), sighting.there());
                cuts.computeIfAbsent(occurrence, none -> new ArrayList<>()).add(loss);
                all.add(loss);
              }
            }
          }
        });
    losses.put(question, all);
  }

  /** Gets the trace. */
  TraceConsumer consumer() {
    return flushes;
  }

  /** The target is at an occurrence of a failure point. */
  void at(Occurrence occurrence) {
    cuts.getOrDefault(occurrence, List.of()).forEach(ShortFlushes.Loss::cut);
  }

  /** Whether nothing that comes can change the answers. */
  boolean areDecided() {
    return flushes.areDecided();
  }

  /** The flush that is too short in a finding. */
  Optional<ShortFlushes.Range> of(AdviceQuestions.Question question) {
    return flushes.of(losses.getOrDefault(question, List.of()));
  }

  /** With the caller if the size may come from there. */
  private static String place(List<StackFrame> stack) {
    StackFrame flush = UserCode.of(stack).orElseThrow();
    return ShortFlush.of(stack)
        .flatMap(ShortFlush::caller)
        .flatMap(caller -> TargetStack.caller(stack, flush))
        .map(caller -> flush.text() + ", called from " + caller.text() + ",")
        .orElse(flush.text());
  }

  /** What was found with the advice to make a flush longer. */
  Judgement advise(Judgement found, ShortFlushes.Range range) {
    List<StackFrame> stack = stack(range.code());
    String advice =
        "make the flush at %s longer: it covers 0x%x to 0x%x of %s, and misses the %s at 0x%x"
            .formatted(
                place(stack),
                Location.offset(range.first()),
                Location.offset(range.last()),
                found.state().orElseThrow().lost().get(0).store().file(),
                Text.counted(range.size(), "byte"),
                Location.offset(range.missed()));
    return found
        .withState(found.state().orElseThrow().withAdvice(advice))
        .withTimeline(found.timeline().map(one -> one.withShortFlush(stack)));
  }
}
