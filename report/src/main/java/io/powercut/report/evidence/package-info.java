/**
 * What one analysis saw: the verdict on an image, the state that it was in, the stack, the stores.
 * Values only, which the files of a run and its reports hold.
 */
@NullMarked
package io.powercut.report.evidence;

import org.jspecify.annotations.NullMarked;
