package io.powercut.campaign.sections;

import io.powercut.campaign.binding.Key;

/** How far the recovery is trusted. */
public record OracleSection(
    @Key(
            value =
                "Ask a second time, on a fresh copy, before an image is called bad. If the answers differ the verdict is"
                    + " inconclusive.",
            defaultValue = "true")
        boolean doubleCheck,
    @Key(
            value =
                "Before any injection, the recovery has to find the state after set-up and the state after a clean exit"
                    + " consistent; else the campaign stops and says why.",
            defaultValue = "true")
        boolean controls) {}
