/**
 * A whole campaign: {@code CampaignRun} is {@code powercut run}, from the build of the target to
 * the verdict on the last image, and the place to begin reading. {@code TreeRun} is a run without
 * verdicts.
 */
@NullMarked
package io.powercut.orchestrator.run;

import org.jspecify.annotations.NullMarked;
