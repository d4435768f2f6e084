@NullMarked
package io.powercut.report.history;

import org.jspecify.annotations.NullMarked;
