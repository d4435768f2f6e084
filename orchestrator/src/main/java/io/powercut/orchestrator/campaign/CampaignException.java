package io.powercut.orchestrator.campaign;

import java.util.List;
import java.util.stream.Collectors;

/** A campaign file that cannot be used: the user's mistake, to be shown without a stack trace. */
public final class CampaignException extends Exception {
  private static final long serialVersionUID = 1;

  private final String text;
  private final transient List<CampaignProblem> problems;

  /** One or more mistakes; the message has a line for each, in the order of files and lines. */
  public CampaignException(List<CampaignProblem> problems) {
    this.problems = problems.stream().sorted().distinct().toList();
    this.text =
        this.problems.stream().map(CampaignProblem::toString).collect(Collectors.joining("\n"));
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("no problem is no reason for an exception");
    }
  }

  @Override
  public String getMessage() {
    return text;
  }

  /** The mistakes, in the order of files and lines. */
  public List<CampaignProblem> problems() {
    return problems;
  }
}
