/**
 * Asks a program's own recovery whether a crash image can be recovered, and turns what happened
 * into a verdict.
 *
 * <p>Recovery runs without instrumentation on private copies of the image. A verdict that something
 * is broken is confirmed by a second run; what could not be judged is inconclusive, never healthy
 * and never a bug.
 */
@NullMarked
package io.powercut.oracle;

import org.jspecify.annotations.NullMarked;
