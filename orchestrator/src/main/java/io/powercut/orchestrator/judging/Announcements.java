// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.RecoverySaid;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.rundir.StateVerdicts;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tells what was judged, and each mistake once, as soon as it is found. What is one mistake is
 * decided at the end only, so this goes by what recovery did: two mistakes on which it does the
 * same are announced as one here. Safe for use by several threads.
 */
public final class Announcements {
  private static final Pattern NUMBERS = Pattern.compile("(?:0x)?[0-9a-fA-F]*[0-9][0-9a-fA-F]*");

  private final Progress progress;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final AtomicLong images = new AtomicLong();
  private final AtomicLong states = new AtomicLong();

  /**
   * @param progress receives the events
   */
  public Announcements(Progress progress) {
    this.progress = progress;
  }

  /**
   * An image was judged in program order.
   *
   * @param failurePoints how many are known
   */
  public void judged(Judgement judgement, long failurePoints) {
    images.incrementAndGet();
    progress.judged(judgement);
    announce(judgement);
    tell(failurePoints);
  }

  /**
   * Crash states were judged at an occurrence.
   *
   * @param failurePoints how many are known
   */
  public void explored(StateVerdicts verdicts, long failurePoints) {
    states.addAndGet(verdicts.total());
    progress.explored(verdicts);
    verdicts.findings().forEach(this::announce);
    tell(failurePoints);
  }

  private void tell(long failurePoints) {
    progress.tally(new Tally(failurePoints, images.get(), states.get(), told.size()));
  }

  /** Announces a verdict if it proves a mistake that was not announced. */
  private void announce(Judgement judgement) {
    if (judgement.isBug() && told.add(key(judgement))) {
      progress.found(
          "%s at failure point %s: %s%s"
              .formatted(
                  judgement.kind().name().toLowerCase(Locale.ROOT),
                  judgement.failurePointId(),
                  remedy(judgement),
                  message(judgement)));
    }
  }

  private static String remedy(Judgement judgement) {
    return judgement
        .state()
        .map(JudgedState::remedy)
        .or(() -> judgement.lostMetadata().map(LostMetadata::remedy))
        .orElse(judgement.seen());
  }

  /** What recovery itself said of it. */
  public static String message(Judgement judgement) {
    List<String> said = RecoverySaid.of(judgement.seen(), judgement.output(), 1);
    return said.isEmpty() ? "" : ": " + said.get(0);
  }

  private static String key(Judgement judgement) {
    return judgement
        .stateFingerprint()
        .orElseGet(
            () ->
                judgement.recoveryStack().isEmpty()
                    ? judgement.kind() + withoutNumbers(judgement.seen() + message(judgement))
                    : judgement.kind() + functions(judgement.recoveryStack()));
  }

  private static String functions(List<StackFrame> stack) {
    return stack.stream().map(StackFrame::function).collect(Collectors.joining(";"));
  }

  private static String withoutNumbers(String text) {
    return NUMBERS.matcher(text).replaceAll("#");
  }
}
