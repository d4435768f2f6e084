package io.powercut.orchestrator.campaign;

import io.powercut.orchestrator.campaign.binding.Key;

/** Which visits of each failure point are judged. */
public record OccurrencesSection(
    @Key(value = "How many of the first visits.", defaultValue = "1", min = "0", max = "1000000")
        int first,
    @Key(
            value = "How many of the last visits. The recorded run is kept until they are judged.",
            defaultValue = "0",
            min = "0",
            max = "1000000")
        int last,
    @Key(
            value =
                "How many visits by chance from between. The recorded run is kept until they are judged.",
            defaultValue = "0",
            min = "0",
            max = "1000000")
        int random,
    @Key(
            value =
                "What the chance begins with: the same seed and the same run give the same visits.",
            defaultValue = "1",
            min = "0",
            max = "999999999")
        int seed) {

  /** Only the first visit, as in the Mumak paper. */
  static final OccurrencesSection FIRST = new OccurrencesSection(1, 0, 0, 1);

  public OccurrencesSection {
    if (first + last + random == 0) {
      throw new IllegalArgumentException("asks for no visit at all; write for example first: 1");
    }
  }

  /** Whether which visits are wanted is known only when the run is over. */
  public boolean needsWholeRun() {
    return last > 0 || random > 0;
  }
}
