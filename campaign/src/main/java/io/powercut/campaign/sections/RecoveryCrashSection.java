package io.powercut.campaign.sections;

import io.powercut.campaign.binding.Key;
import java.util.List;

/** How thoroughly recovery itself is cut, where a step of it has {@code inject: true}. */
public record RecoveryCrashSection(
    @Key(
            value =
                "On how many different crash images recovery is recorded and cut, of those that it copes with. Those"
                    + " come first where the target was cut in other functions than before. Each costs one"
                    + " run of recovery under the recorder, about a second or more.",
            defaultValue = "50",
            min = "1",
            max = "999999999")
        int images,
    @Key(
            value =
                "On how many different images each failure point of recovery is judged; more find bugs that show with"
                    + " some contents only. They cost a plain recovery each.",
            defaultValue = "4",
            min = "1",
            max = "999999999")
        int perFailurePoint,
    @Key(
            value =
                "The functions that recover, if the step does other things as well, such as changing data to see"
                    + " whether it can: it is cut in them and in what they call only. Absent: in all of the step.",
            pattern = "\\S(.*\\S)?",
            example = "[pmemobj_open, replay_log]")
        List<String> within) {
  public RecoveryCrashSection {
    within = List.copyOf(within);
  }
}
