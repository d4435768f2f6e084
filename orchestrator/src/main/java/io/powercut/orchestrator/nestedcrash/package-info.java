/**
 * Crashes during recovery: {@code RecoveryCrashes} cuts recovery on images on which it succeeds,
 * and {@code RecordedRecovery} runs it under the recorder to get the images of that.
 */
@NullMarked
package io.powercut.orchestrator.nestedcrash;

import org.jspecify.annotations.NullMarked;
