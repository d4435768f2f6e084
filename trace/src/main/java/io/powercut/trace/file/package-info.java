/**
 * The files of a trace: the format, and reading it record by record into the events of {@link
 * io.powercut.trace}. Damage is found here.
 */
@NullMarked
package io.powercut.trace.file;

import org.jspecify.annotations.NullMarked;
