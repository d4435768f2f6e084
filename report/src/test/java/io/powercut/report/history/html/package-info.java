@NullMarked
package io.powercut.report.history.html;

import org.jspecify.annotations.NullMarked;
