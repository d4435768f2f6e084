/**
 * From the text of a campaign file to a {@code Campaign}: files that extend one another, changes of
 * the command line, parameters.
 */
@NullMarked
package io.powercut.campaign.loading;

import org.jspecify.annotations.NullMarked;
