@NullMarked
package io.powercut.orchestrator.campaign.yaml;

import org.jspecify.annotations.NullMarked;
