/** A target that was recorded once, so that its crash images can be judged elsewhere and later. */
@NullMarked
package io.powercut.orchestrator.recording;

import org.jspecify.annotations.NullMarked;
