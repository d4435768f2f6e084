package io.powercut.report.identity;

import com.google.common.collect.ImmutableMap;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.UserFrame;
import io.powercut.report.format.FunctionName;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What recovery did with an image, without what differs from one image or run to the next: where it
 * crashed, where it hung, or what it said.
 */
public final class FailureReason {
  private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|'[^']*'|`[^`']*'");
  private static final Pattern PATH = Pattern.compile("(?<![\\w/])\\.{0,2}/[^\\s:;,)]+");
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?<![A-Za-z_0-9])(?:0x[0-9a-fA-F]+"
              + "|(?=[0-9a-f]*[0-9])[0-9a-f]{5,}(?![0-9A-Za-z])"
              + "|[-+]?[0-9]+(?:\\.[0-9]+)*)");
  private static final Pattern LIST = Pattern.compile("N(?:(?:, ?| |\\.\\.|-|/)N)++");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /**
   * Phrases of ours that were reworded, and what they were when fingerprints were first made of
   * them. Baselines keep their fingerprints.
   */
  private static final ImmutableMap<Pattern, String> FORMER_WORDING =
      ImmutableMap.of(
          Pattern.compile("^recovery failed: "), "recovery said no: ",
          Pattern.compile(", stack unknown$"), ", its stack is not known",
          Pattern.compile(", expected (?=exit code [0-9]|SIG|[A-Z]+[0-9]*(?:,|$))"),
              ", expected is ",
          Pattern.compile("(?<=the server was asked to stop, but )was still running "),
              "still ran ",
          Pattern.compile("after it acknowledged (?=[0-9]+ lines?\\b)"), "when it had told ",
          Pattern.compile("after the operation in progress"), "behind the operation under way",
          Pattern.compile("before the operation in progress"), "before the operation under way");

  private FailureReason() {}

  /** The reason in words; equal for what is one failure. */
  public static String of(Judgement judgement) {
    return judgement.kind() + " " + judgement.step() + ": " + detail(judgement);
  }

  private static String detail(Judgement judgement) {
    if (judgement.kind() == Verdict.Kind.HUNG) {
      return ""; // Where in its loop it was when it was stopped is a matter of chance.
    }
    return UserFrame.of(judgement.recoveryStack())
        .map(frame -> FunctionName.of(frame.function()).simple())
        .filter(function -> !function.isEmpty())
        .map(function -> "in " + function)
        .orElseGet(() -> normalised(asFirstWorded(judgement.seen())) + " / " + normalised(lastLine(judgement)));
  }

  /** The message as it was worded when fingerprints were first made. */
  static String asFirstWorded(String message) {
    String text = message;
    for (Map.Entry<Pattern, String> former : FORMER_WORDING.entrySet()) {
      text = former.getKey().matcher(text).replaceAll(former.getValue());
    }
    return text;
  }

  private static String lastLine(Judgement judgement) {
    return judgement.output().lines().filter(line -> !line.isBlank()).reduce("", (a, b) -> b);
  }

  /** A message without numbers, addresses, quoted texts and paths. */
  static String normalised(String message) {
    String text = QUOTED.matcher(message).replaceAll("Q");
    text = PATH.matcher(text).replaceAll("P");
    text = NUMBER.matcher(text).replaceAll("N");
    text = SPACE.matcher(text).replaceAll(" ").strip();
    return LIST.matcher(text).replaceAll("N");
  }
}
