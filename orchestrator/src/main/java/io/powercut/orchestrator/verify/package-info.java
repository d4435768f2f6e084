/** Checks that both ways of injection give the same images and the same verdicts. */
@NullMarked
package io.powercut.orchestrator.verify;

import org.jspecify.annotations.NullMarked;
