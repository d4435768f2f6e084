@NullMarked
package io.powercut.orchestrator.report.html;

import org.jspecify.annotations.NullMarked;
