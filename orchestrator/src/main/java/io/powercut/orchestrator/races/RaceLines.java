// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.races.LockHeld;
import io.powercut.races.Race;
import io.powercut.races.RaceEvidence;
import io.powercut.races.RaceExample;
import io.powercut.races.RaceResult;
import io.powercut.races.WindowEnd;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.tree.CallStack;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Races in words, for people. */
public final class RaceLines {
  private RaceLines() {}

  /** How many there are of each kind of evidence, then each race, the strongest first. */
  public static List<String> of(RaceResult result) {
    List<Race> races = result.races();
    List<String> lines = new ArrayList<>();
    lines.add("races  " + totals(races));
    if (!result.isComplete()) {
      lines.add("  not all of the trace could be kept, so there may be more");
    }
    for (Race race : races) {
      lines.add("");
      lines.addAll(of(race));
    }
    return lines;
  }

  private static String totals(List<Race> races) {
    return Arrays.stream(RaceEvidence.values())
        .sorted((one, other) -> other.compareTo(one))
        .map(
            evidence ->
                races.stream().filter(race -> race.evidence() == evidence).count()
                    + " "
                    + evidence.label())
        .collect(Collectors.joining(", "));
  }

  private static List<String> of(Race race) {
    RaceExample example = race.example();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%-11s  %s may load what %s stored, before it is persisted"
            .formatted(
                race.evidence().label().toUpperCase(Locale.ROOT),
                place(race.load()),
                place(race.store())));
    lines.add(labelled("stored:", step(race.store(), example.storing())));
    lines.add(labelled(label(race.end()), end(race, example)));
    lines.add(labelled("loaded:", step(race.load(), example.loading())));
    lines.add(
        "  %d byte%s at 0x%x of %s"
                .formatted(
                    example.size(),
                    example.size() == 1 ? "" : "s",
                    example.offset(),
                    example.file())
            + (race.observations() > 0 ? ", read %d times".formatted(race.observations()) : "")
            + (isNearMiss(race) ? ", at almost the same time" : ""));
    return lines;
  }

  private static boolean isNearMiss(Race race) {
    return race.overlapped() && race.evidence() == RaceEvidence.REGION;
  }

  private static String labelled(String label, String text) {
    return "  %-12s %s".formatted(label, text).stripTrailing();
  }

  private static String label(WindowEnd end) {
    return switch (end) {
      case PERSISTED -> "persisted:";
      case OVERWRITTEN -> "overwritten:";
      case NEVER -> "never persisted";
    };
  }

  /** Nothing if it did not end, or that is not known. */
  private static String end(Race race, RaceExample example) {
    return example
        .ending()
        .flatMap(step -> race.ended().map(stack -> step(stack, step)))
        .orElse("");
  }

  private static String step(CallStack stack, RaceExample.Step step) {
    return place(stack) + ", by thread " + step.thread() + ", " + held(step.held());
  }

  private static String held(List<LockHeld> locks) {
    return locks.isEmpty()
        ? "which holds no lock"
        : locks.stream().map(RaceLines::lock).collect(Collectors.joining(", ", "which holds ", ""));
  }

  private static String lock(LockHeld lock) {
    return lock.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + " 0x"
        + Long.toHexString(lock.object())
        + (lock.isShared() ? " (shared)" : "")
        + lock.acquired().map(stack -> " since " + place(stack)).orElse("");
  }

  private static String place(CallStack stack) {
    List<StackFrame> frames = TargetStack.of(stack);
    Optional<StackFrame> frame = UserCode.of(frames);
    return frame.or(() -> frames.stream().findFirst()).map(StackFrame::text).orElse("unknown code");
  }
}
