@NullMarked
package io.powercut.orchestrator.campaign.template;

import org.jspecify.annotations.NullMarked;
