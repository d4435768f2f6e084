// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import io.powercut.campaign.binding.Key;

/** Which persistency-induced races are looked for. */
public record RacesSection(
    @Key(
            value =
                "Search for races. From the start of the target's second thread on, the recorder then"
                    + " writes what threads load and how they synchronise. Programs with one thread are"
                    + " recorded as before.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            value =
                "Report accesses to data that was persisted before a second thread used it, too. It"
                    + " usually was initialised then.",
            defaultValue = "false")
        boolean initialisation) {}
