/** Commands that judge what was recorded. */
@NullMarked
package io.powercut.orchestrator.cli.recording;

import org.jspecify.annotations.NullMarked;
