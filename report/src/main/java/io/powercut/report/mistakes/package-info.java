/** Which crashes show one mistake, and which lines of the user's code they are about. */
@NullMarked
package io.powercut.report.mistakes;

import org.jspecify.annotations.NullMarked;
