// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import io.powercut.campaign.binding.Key;
import java.util.List;

/** How thoroughly recovery itself is cut, where a step of it has {@code inject: true}. */
public record RecoveryCrashSection(
    @Key(
            value =
                "The number of crash images, out of those on which recovery succeeds, on which recovery"
                    + " is recorded and cut. Images from functions where the target was not yet cut come first."
                    + " Each costs one recorded recovery, about a second or more.",
            defaultValue = "50",
            min = "1",
            max = "999999999")
        int images,
    @Key(
            value =
                "The number of images on which each failure point of recovery is judged. More images find"
                    + " bugs that only some contents show. Each costs a plain recovery.",
            defaultValue = "4",
            min = "1",
            max = "999999999")
        int perFailurePoint,
    @Key(
            value =
                "Also judge crash states beyond program order where recovery is cut: they show a recovery that"
                    + " forgets a flush or a fence. crashStates.perFailurePoint bounds them at each cut. With"
                    + " crashStates.enabled: false there are none.",
            defaultValue = "true")
        boolean crashStates,
    @Key(
            value =
                "The functions that recover, for a step that does other things too, such as a test that"
                    + " changes data. The power is cut only in them and in functions they call. Default: the"
                    + " whole step.",
            pattern = "\\S(.*\\S)?",
            example = "[pmemobj_open, replay_log]")
        List<String> within) {
  public RecoveryCrashSection {
    within = List.copyOf(within);
  }
}
