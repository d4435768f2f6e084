/**
 * Crashes during recovery: {@code RecoveryCrashes} cuts recovery on images that it copes with, and
 * {@code RecordedRecovery} runs it under the recorder to get the images of that.
 */
@NullMarked
package io.powercut.orchestrator.nestedcrash;

import org.jspecify.annotations.NullMarked;
