/** What all runs of all campaigns found, in an SQLite file that outlives them. */
@NullMarked
package io.powercut.report.history;

import org.jspecify.annotations.NullMarked;
