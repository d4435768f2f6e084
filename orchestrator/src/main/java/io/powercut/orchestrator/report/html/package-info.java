/** The report as one HTML file. */
@NullMarked
package io.powercut.orchestrator.report.html;

import org.jspecify.annotations.NullMarked;
