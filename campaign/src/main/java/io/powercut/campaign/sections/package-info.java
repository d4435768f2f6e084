/** The sections of a campaign file, one record each. */
@NullMarked
package io.powercut.campaign.sections;

import org.jspecify.annotations.NullMarked;
