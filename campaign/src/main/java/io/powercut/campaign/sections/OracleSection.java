// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import io.powercut.campaign.binding.Key;

/** How far the recovery is trusted. */
public record OracleSection(
    @Key(
            value =
                "Run recovery again, on a fresh copy, before a failure counts. If the results differ, the"
                    + " verdict is inconclusive.",
            defaultValue = "true")
        boolean doubleCheck,
    @Key(
            value =
                "Before any injection, recovery must accept the state after set-up and the state after a"
                    + " clean exit. Otherwise the campaign stops and reports why.",
            defaultValue = "true")
        boolean controls) {}
