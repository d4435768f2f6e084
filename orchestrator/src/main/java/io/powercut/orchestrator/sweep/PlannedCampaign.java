// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.campaign.Campaign;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A campaign that a sweep is to run.
 *
 * @param file the campaign file as it was named
 * @param name the campaign's name; one made from the file's when it cannot be run
 * @param campaign the campaign, when it can be run
 * @param problem why it cannot be run; empty when it can
 */
record PlannedCampaign(Path file, String name, Optional<Campaign> campaign, String problem) {}
