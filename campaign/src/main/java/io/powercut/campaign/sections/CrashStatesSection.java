// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.persistency.choice.ChoiceOptions;
import java.time.Duration;
import java.util.Optional;

/** Which crash states beyond program order are judged. */
public record CrashStatesSection(
    @Key(
            value =
                "Judge such states. Every failure point whose program-order image is consistent is"
                    + " explored.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            value =
                "The state that holds persisted stores only: everything not flushed and fenced is lost.",
            defaultValue = "true",
            formerName = "guaranteed")
        boolean persistedOnly,
    @Key(
            value =
                "One cache line lost at a time: all of its in-flight stores and, if they are few, each"
                    + " possible part of them.",
            defaultValue = "true")
        boolean oneLineLost,
    @Key(
            value =
                "One cache line evicted early at a time: all others lose their in-flight stores.",
            defaultValue = "true",
            formerName = "oneLineEarly")
        boolean earlyEviction,
    @Key(
            value =
                "The last changes of names and sizes undone, such as a rename, where the target has"
                    + " acknowledged something since and nothing was synchronised. Needs a recovery"
                    + " that reads what was acknowledged.",
            defaultValue = "true")
        boolean metadataLost,
    @Key(
            value = "How many random states at each failure point, out of all possible ones.",
            defaultValue = "0",
            min = "0",
            max = "1000000")
        int sampled,
    @Key(
            value =
                "The seed of the random choice. The same seed and the same run give the same states.",
            defaultValue = "1",
            min = "0",
            max = "999999999")
        int seed,
    @Key(
            value =
                "All states, at failure points with at most this many cache lines in flight. 0: never.",
            defaultValue = "0",
            min = "0",
            max = "16")
        int exhaustive,
    @Key(
            value =
                "How many of the states chosen by the above are judged at one failure point. States whose"
                    + " lost or early stores come from the least-tried code come first. Up to 128 more are"
                    + " judged in a run, at the first failure points and for code that was never tried."
                    + " Behind the first 64 failure points, or 256 where recovery is fast, most get one"
                    + " state or none.",
            defaultValue = "4",
            min = "1",
            max = "999999999")
        int perFailurePoint,
    @Key(
            value =
                "How many more recoveries may run at one failure point to decide every legal state"
                    + " there. The report says at how many failure points that was possible. With 0,"
                    + " only what needs no more recoveries is decided. Needs skipUnread.",
            defaultValue = "16",
            min = "0",
            max = "1000000")
        int complete,
    @Key(
            value =
                "How long these recoveries may run together in a run. The less of it is left, the fewer"
                    + " of them one failure point gets. Where they decide nothing, their time"
                    + " counts three times. Default: 20s; less in proportion in a run that reaches"
                    + " failure points more than 16,384 times.",
            min = "0s",
            max = "1d",
            example = "1m")
        Optional<Duration> completeTime,
    @Key(
            value =
                "Find out what recovery reads, and judge states only once that differ in lines it does"
                    + " not read. One in 16 of the skipped states is judged nevertheless, as a check."
                    + " It ends as soon as it costs more than it saves. Default: yes, unless recovery"
                    + " starts a server.",
            example = "false")
        Optional<Boolean> skipUnread,
    @Key(
            value =
                "How many states are judged in the whole run. A run that reaches the limit is incomplete"
                    + " and can be resumed. Default: no limit.",
            min = "1",
            max = "999999999",
            example = "20000")
        Optional<Integer> limit) {

  public CrashStatesSection {
    requireNonNull(completeTime, "completeTime is null");
    requireNonNull(skipUnread, "skipUnread is null");
    requireNonNull(limit, "limit is null");
    if (enabled
        && !persistedOnly
        && !oneLineLost
        && !earlyEviction
        && sampled == 0
        && exhaustive == 0) {
      throw new IllegalArgumentException(
          "selects no states; write 'enabled: false' to judge program order only");
    }
  }

  /** What of this chooses the states at a failure point. */
  public ChoiceOptions choice() {
    return new ChoiceOptions(
        persistedOnly,
        oneLineLost,
        earlyEviction,
        sampled,
        seed,
        exhaustive,
        perFailurePoint,
        ChoiceOptions.MANY_WHOLE_SHARES);
  }
}
