// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.RecoverySaid;
import io.powercut.report.evidence.StackFrame;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Announces each mistake once, as soon as it is found; the summary counts the other times. What is
 * one mistake is decided at the end only, so this goes by what recovery did: two mistakes on which
 * it does the same are announced as one here. Safe for use by several threads.
 */
public final class Announcements {
  private static final Pattern NUMBERS = Pattern.compile("(?:0x)?[0-9a-fA-F]*[0-9][0-9a-fA-F]*");

  private final Progress progress;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * @param progress receives the events
   */
  public Announcements(Progress progress) {
    this.progress = progress;
  }

  /** Announces a verdict if it proves a mistake that was not announced. */
  public void announce(Judgement judgement) {
    if (judgement.isBug() && told.add(key(judgement))) {
      progress.note(
          "%s at failure point %s: %s%s"
              .formatted(
                  judgement.kind().name().toLowerCase(Locale.ROOT),
                  judgement.failurePointId(),
                  judgement.state().map(JudgedState::remedy).orElse(judgement.seen()),
                  message(judgement)));
    }
  }

  /** What recovery itself said of it. */
  public static String message(Judgement judgement) {
    List<String> said = RecoverySaid.of(judgement.output(), 1);
    return said.isEmpty() ? "" : ": " + said.get(0);
  }

  private static String key(Judgement judgement) {
    return judgement
        .state()
        .map(JudgedState::fingerprint)
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
