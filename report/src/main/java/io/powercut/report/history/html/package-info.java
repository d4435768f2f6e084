/** The history as one page for a browser. */
@NullMarked
package io.powercut.report.history.html;

import org.jspecify.annotations.NullMarked;
