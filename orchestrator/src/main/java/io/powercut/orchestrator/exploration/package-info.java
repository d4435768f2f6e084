/**
 * Crash states beside an image on which recovery succeeds, and blame: {@code StateExplorer} judges
 * the states and finds the stores to blame, {@code UnreadLines} leaves out what recovery does not
 * read, {@code AdviceCheck} tries advice before it is given.
 */
@NullMarked
package io.powercut.orchestrator.exploration;

import org.jspecify.annotations.NullMarked;
