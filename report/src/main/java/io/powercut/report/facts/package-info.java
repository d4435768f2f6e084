/**
 * What is known of a run as a whole: whether its oracle passed its controls, what its trace holds,
 * which code it did not test, in which orders of threads its target failed.
 */
@NullMarked
package io.powercut.report.facts;

import org.jspecify.annotations.NullMarked;
