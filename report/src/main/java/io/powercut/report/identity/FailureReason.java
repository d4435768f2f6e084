// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
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

  /** Of outputs that end within a line, only the whole lines counted. */
  private static final Pattern WITHIN_LINE =
      Pattern.compile("(?<=after it acknowledged [0-9]{1,18} lines?) and [0-9]+ bytes?\\b");

  private static final Pattern NO_WHOLE_LINE =
      Pattern.compile("(?<=after it acknowledged )[0-9]+ bytes?\\b");

  private static final Pattern SPACE = Pattern.compile("\\s+");

  /**
   * Phrases of Powercut's messages that were reworded since fingerprints were first made of them.
   * The former wording counts, so that baselines stay valid.
   */
  private static final List<Rewording> REWORDED =
      List.of(
          new Rewording("^recovery failed: ", "recovery said no: "),
          new Rewording(", stack unknown(?= \\(|$)", ", its stack is not known"),
          new Rewording("(?<=\\()the stack was not requested", "the stack was not asked for"),
          new Rewording("when its stack was captured(?=\\))", "when its stack was to be taken"),
          new Rewording(
              "(?<=\\()the stack could not be captured: ", "the stack could not be taken: "),
          new Rewording("(?<=\\()capturing the stack failed: ", "looking for the stack failed: "),
          new Rewording(
              "(?<=\\()there is no room for a stack: ", "there is no place for a stack: "),
          new Rewording(", expected (?=exit code [0-9]|[A-Z]+[0-9]*(?:,|$))", ", expected is "),
          new Rewording("(?<=asked to stop, but )was still running ", "still ran "),
          new Rewording(WITHIN_LINE, ""),
          new Rewording(NO_WHOLE_LINE, "0 lines"),
          new Rewording("after it acknowledged (?=[0-9]+ lines?\\b)", "when it had told "),
          new Rewording("after the operation in progress", "behind the operation under way"),
          new Rewording("before the operation in progress", "before the operation under way"));

  private record Rewording(Pattern present, String former) {
    Rewording(String present, String former) {
      this(Pattern.compile(present), former);
    }
  }

  private FailureReason() {}

  /**
   * The reason in words; equal for what is one failure. Which contents a dump showed, and which it
   * should have shown, is data.
   */
  public static String of(Judgement judgement) {
    return hasWrongContents(judgement)
        ? prefix(judgement) + "the contents are wrong"
        : inDetail(judgement);
  }

  /** The same with what differs in the contents that a dump showed. */
  public static String inDetail(Judgement judgement) {
    return prefix(judgement) + detail(judgement);
  }

  private static boolean hasWrongContents(Judgement judgement) {
    return judgement.kind() == Verdict.Kind.UNRECOVERABLE
        && Verdict.WrongContents.isDescribedBy(judgement.seen());
  }

  /**
   * What {@link #of} said before it told the C library's functions from the user's, and data from
   * what is wrong with it; nothing if it is the same.
   */
  public static Optional<String> formerlyOf(Judgement judgement) {
    if (hasWrongContents(judgement)) {
      return Optional.of(inDetail(judgement));
    }
    return judgement.recoveryStack().stream()
        .findFirst()
        .filter(frame -> judgement.kind() == Verdict.Kind.CRASHED)
        .map(frame -> FunctionName.of(frame.function()).simple())
        .filter(function -> !function.isEmpty())
        .map(function -> prefix(judgement) + "in " + function)
        .filter(former -> !former.equals(of(judgement)));
  }

  private static String prefix(Judgement judgement) {
    return judgement.kind() + " " + judgement.step() + ": ";
  }

  private static String detail(Judgement judgement) {
    if (judgement.kind() == Verdict.Kind.HUNG) {
      return ""; // Where in its loop it was when it was stopped is a matter of chance.
    }
    return UserCode.of(judgement.recoveryStack())
        .map(frame -> FunctionName.of(frame.function()).simple())
        .filter(function -> !function.isEmpty())
        .map(function -> "in " + function)
        .orElseGet(
            () ->
                normalised(asFirstWorded(judgement.seen()))
                    + " / "
                    + normalised(lastLine(judgement)));
  }

  /** The message as it was worded when fingerprints were first made. */
  static String asFirstWorded(String message) {
    String text = message;
    for (Rewording one : REWORDED) {
      text = one.present().matcher(text).replaceAll(one.former());
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
