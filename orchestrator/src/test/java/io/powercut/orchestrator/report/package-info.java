@NullMarked
package io.powercut.orchestrator.report;

import org.jspecify.annotations.NullMarked;
