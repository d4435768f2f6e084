/**
 * The files of a run directory: who has it, what is appended to its logs, what is read again on
 * {@code --resume} and for a report.
 */
@NullMarked
package io.powercut.report.rundir;

import org.jspecify.annotations.NullMarked;
