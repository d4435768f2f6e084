/** Progress on a terminal, or in a log. */
@NullMarked
package io.powercut.orchestrator.cli.progress;

import org.jspecify.annotations.NullMarked;
