/** {@code junit.xml}: the result as tests, for continuous integration. */
@NullMarked
package io.powercut.report.junit;

import org.jspecify.annotations.NullMarked;
