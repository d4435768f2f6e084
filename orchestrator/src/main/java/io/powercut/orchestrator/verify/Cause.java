package io.powercut.orchestrator.verify;

/**
 * Why the images of a failure point differ, as far as a third execution can tell: re-executed once
 * more to the same failure point, does the target leave the same bytes?
 */
enum Cause {
  /** Two re-executions differ as well. */
  TARGET_DIFFERS(
      "the target: re-executed once more to this failure point, it left yet another image, so it"
          + " does not do the same in every execution"),
  /** Two re-executions agree, and the recorded run does not. */
  RECORDED_DIFFERS(
      "unknown: re-executed once more, the target left the same image again, and only the recorded"
          + " one differs. Either the target depends on something that was the same by chance, or"
          + " Powercut is wrong"),
  /** No third execution came by. */
  UNKNOWN("unknown: re-executed once more, the target did not come by this failure point");

  private final String text;

  Cause(String text) {
    this.text = text;
  }

  /** In words. */
  String text() {
    return text;
  }
}
