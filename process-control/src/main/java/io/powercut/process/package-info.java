/**
 * Starts commands, bounds them in time, memory, space and output, stops all that they started, and
 * says truthfully how they ended.
 *
 * <p>The work is done by a small native program, {@code powercut-supervisor}, because a JVM can
 * neither tell a signal from an exit code nor start a process cheaply, nor be the parent of what a
 * daemon leaves behind.
 */
@NullMarked
package io.powercut.process;

import org.jspecify.annotations.NullMarked;
