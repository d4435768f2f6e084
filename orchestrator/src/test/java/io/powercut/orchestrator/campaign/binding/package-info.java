@NullMarked
package io.powercut.orchestrator.campaign.binding;

import org.jspecify.annotations.NullMarked;
