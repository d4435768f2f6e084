/** {@code report.sarif}: the findings for code hosts and editors. */
@NullMarked
package io.powercut.report.sarif;

import org.jspecify.annotations.NullMarked;
