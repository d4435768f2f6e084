/**
 * Bytes of PM files, cache lines and ranges of them: of the files as a trace tells of them, of what
 * a system call synchronises, and of what the program declares by {@code powercut.h}.
 */
@NullMarked
package io.powercut.persistency.ranges;

import org.jspecify.annotations.NullMarked;
