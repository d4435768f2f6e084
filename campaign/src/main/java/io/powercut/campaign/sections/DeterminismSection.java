// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;

/**
 * What is kept the same in every execution of the target, so that a failure point is reached again.
 */
public record DeterminismSection(
    @Key(
            value =
                "`fixed`: no address-space randomisation, in the target only. Where a container does not"
                    + " allow that, the run says so and goes on.",
            defaultValue = "fixed")
        Determinism addressSpace,
    @Key(
            value = "`fixed`: clock_gettime, gettimeofday, time and rdtsc return a simulated time.",
            defaultValue = "fixed")
        Determinism time,
    @Key(
            value =
                "`fixed`: getrandom, rdrand, rdseed and /dev/urandom return the same numbers in each"
                    + " execution.",
            defaultValue = "fixed")
        Determinism random,
    @Key(
            value =
                "`fixed`: process and thread IDs stay the same, if the system allows a PID namespace."
                    + " A server's clients, and the command that stops it, are in it, too.",
            defaultValue = "fixed")
        Determinism processIds) {

  public DeterminismSection {
    requireNonNull(addressSpace, "addressSpace is null");
    requireNonNull(time, "time is null");
    requireNonNull(random, "random is null");
    requireNonNull(processIds, "processIds is null");
  }
}
