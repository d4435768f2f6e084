/** Events of a run as lines of JSON; {@code docs/events.md} lists them. */
@NullMarked
package io.powercut.orchestrator.cli.events;

import org.jspecify.annotations.NullMarked;
