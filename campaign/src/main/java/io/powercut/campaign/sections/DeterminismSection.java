package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;

/**
 * What is kept the same in every execution of the target, so that a failure point is reached again.
 */
public record DeterminismSection(
    @Key(
            value = "`fixed`: no address-space randomisation, for the target alone.",
            defaultValue = "fixed")
        Determinism addressSpace,
    @Key(
            value =
                "`fixed`: clock_gettime, gettimeofday, time and rdtsc tell a time of their own.",
            defaultValue = "fixed")
        Determinism time,
    @Key(
            value = "`fixed`: getrandom, rdrand, rdseed and /dev/urandom give the same numbers.",
            defaultValue = "fixed")
        Determinism random,
    @Key(
            value =
                "`fixed`: process and thread numbers are the same, where the system allows a PID namespace for the"
                    + " target. Not for servers, whose clients may have to know the real ones.",
            defaultValue = "fixed")
        Determinism processIds) {

  public DeterminismSection {
    requireNonNull(addressSpace, "addressSpace is null");
    requireNonNull(time, "time is null");
    requireNonNull(random, "random is null");
    requireNonNull(processIds, "processIds is null");
  }
}
