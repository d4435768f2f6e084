// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static java.util.Objects.requireNonNull;

import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A campaign file that cannot be used: the user's mistake, to be shown without a stack trace. */
public final class CampaignException extends PowercutException {
  private static final long serialVersionUID = 1;

  /** More would push the first ones off the screen. */
  private static final int MOST_SHOWN = 50;

  private final transient List<CampaignProblem> problems;

  /**
   * One or more mistakes; the message has a line for each of the first 50, in the order of files
   * and lines.
   */
  public CampaignException(List<CampaignProblem> problems) {
    super(ExitCode.WRONG_USAGE, text(inOrder(problems)));
    this.problems = inOrder(problems);
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("an exception needs at least one problem");
    }
  }

  private static List<CampaignProblem> inOrder(List<CampaignProblem> problems) {
    return problems.stream().sorted().distinct().toList();
  }

  private static String text(List<CampaignProblem> problems) {
    return Stream.concat(
            problems.stream().limit(MOST_SHOWN).map(CampaignProblem::toString),
            Stream.of("and more mistakes; fix these first")
                .limit(problems.size() > MOST_SHOWN ? 1 : 0))
        .collect(Collectors.joining("\n"));
  }

  @Override
  public String getMessage() {
    return requireNonNull(super.getMessage(), "made from the problems");
  }

  /** The mistakes, in the order of files and lines. */
  public List<CampaignProblem> problems() {
    return problems;
  }
}
