package io.powercut.orchestrator.campaign;

import java.util.List;
import java.util.stream.Collectors;

/** A campaign file that cannot be used: the user's mistake, to be shown without a stack trace. */
public final class CampaignException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<CampaignProblem> problems;

  /** One or more mistakes; the message has a line for each, in the order of files and lines. */
  public CampaignException(List<CampaignProblem> problems) {
    super(
        problems.stream()
            .sorted()
            .distinct()
            .map(CampaignProblem::toString)
            .collect(Collectors.joining("\n")));
    this.problems = problems.stream().sorted().distinct().toList();
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("no problem is no reason for an exception");
    }
  }

  /** The mistakes, in the order of files and lines. */
  public List<CampaignProblem> problems() {
    return problems;
  }
}
