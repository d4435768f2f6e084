/**
 * Makes the parts of a run from what its session opened: {@code RunParts}. Only the classes that
 * own a session use it.
 */
@NullMarked
package io.powercut.orchestrator.assembly;

import org.jspecify.annotations.NullMarked;
