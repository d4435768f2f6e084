/**
 * Crash states beyond program order, apart from running anything: which of them are judged at a
 * failure point, and what is to blame when one cannot be recovered from.
 */
@NullMarked
package io.powercut.orchestrator.states;

import org.jspecify.annotations.NullMarked;
