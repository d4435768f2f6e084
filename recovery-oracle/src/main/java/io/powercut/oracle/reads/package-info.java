/**
 * Which lines of an image a recovery reads, found out while it runs natively. The native program
 * {@code powercut-reads} does it; here are its input and its answers.
 */
@NullMarked
package io.powercut.oracle.reads;

import org.jspecify.annotations.NullMarked;
