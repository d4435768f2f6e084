/**
 * What a campaign says of the processes that it runs: what is expected of a command, when a server
 * is ready, who is its client, how it is stopped.
 */
@NullMarked
package io.powercut.campaign.process;

import org.jspecify.annotations.NullMarked;
