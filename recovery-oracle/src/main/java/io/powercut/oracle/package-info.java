/**
 * Asks a program's own recovery whether a crash image can be recovered, and turns what happened
 * into a verdict.
 *
 * <p>Recovery runs without instrumentation on private copies of the image. What it says is asked
 * twice when it says that something is broken; what could not be judged is inconclusive, never
 * healthy and never a bug.
 */
@NullMarked
package io.powercut.oracle;

import org.jspecify.annotations.NullMarked;
